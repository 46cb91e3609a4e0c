/** Returns the next random number, from 0 to below 1, in steps of 2^-32. */
export type Random = () => number;

/** Creates a random number generator with the same sequence for the same seed (mulberry32, by Tommy Ettinger). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
