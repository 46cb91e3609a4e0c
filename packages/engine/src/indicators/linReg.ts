import { type Wma, wmaInit, wmaNext } from './wma.ts';

export type LinReg = Wma;

export function linRegInit(length: number): LinReg {
  return wmaInit(length);
}

/**
 * Value at the newest point of the least-squares line through the last n inputs, which is `3·WMA − 2·SMA`.
 *
 * @returns NaN before index n − 1
 * @see strategies.md 2 LinReg end
 */
export function linRegNext(line: LinReg, x: number): number {
  const weighted = wmaNext(line, x);
  return line.same >= line.length ? weighted : 3 * weighted - (2 * line.sum) / line.length;
}
