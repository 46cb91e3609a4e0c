/** Ring buffer that delays its inputs by `length`. */
export interface Delay {
  readonly length: number;
  items: number[];
  at: number;
}

export function delayInit(length: number): Delay {
  return { length, items: new Array<number>(length).fill(Number.NaN), at: 0 };
}

/** Adds an input. @returns the input n before it, NaN while there is none */
export function delayNext(delay: Delay, x: number): number {
  const old = delay.items[delay.at] as number;
  delay.items[delay.at] = x;
  delay.at = delay.at + 1 === delay.length ? 0 : delay.at + 1;
  return old;
}
