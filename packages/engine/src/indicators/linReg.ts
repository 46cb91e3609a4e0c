import { type Wma, wmaInit, wmaPut } from './wma.ts';

export type LinReg = Wma;

export function linRegInit(length: number): LinReg {
  return wmaInit(length);
}

/**
 * Returns the value at the newest point of the least-squares line through the last n inputs, which is `3·WMA − 2·SMA`. The result
 * is the same to the last bit wherever the history began.
 *
 * @returns NaN before index n − 1
 * @see docs/indicators.md#linear-regression
 */
export function linRegNext(line: LinReg, x: number): number {
  const { length } = line;
  if (!wmaPut(line, x)) return endOf(line, x);
  return (3 * line.weighted - (length + 1) * line.sum) / (line.weights * line.scale);
}

function endOf({ items, at, length, weights }: LinReg, newest: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    const weight = 3 * (i + 1) - (length + 1);
    sum += weight * ((items[(at + i) % length] as number) - newest);
  }
  return newest + sum / weights;
}
