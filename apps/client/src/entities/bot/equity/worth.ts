import type { EquityHistory } from '@heron/contract/bots/entities.ts';

/** Holds the equity of a bot at one time, as a point of the curve. */
export interface Worth {
  readonly at: number;
  readonly total: number;
  /**
   * Drawdown from the high-water mark, in percent, without deposits and withdrawals.
   *
   * @see docs/accounting.md#drawdown
   */
  readonly drawdown: number;
}

/** Returns the points of an equity history with the drawdown of each. */
export function worthOf({ at, total, start }: EquityHistory): Worth[] {
  let [growth, peak] = [1, 1];
  return at.map((moment, index) => {
    const [now, before] = [Number(total[index]), Number(total[index - 1] ?? total[index])];
    const paidIn = Number(start[index]) - Number(start[index - 1] ?? start[index]);
    if (before > 0) growth *= Math.max(0, (now - paidIn) / before);
    peak = Math.max(peak, growth);
    return { at: moment, total: now, drawdown: 100 * (1 - growth / peak) };
  });
}
