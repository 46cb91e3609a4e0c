/** Chance that a seed repeats. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  below(limit: number): number;
  of<T>(choices: readonly T[]): T;
}

/** Mulberry32. @param seed a whole number */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, of: (choices) => choices[below(choices.length)] as (typeof choices)[number] };
}
