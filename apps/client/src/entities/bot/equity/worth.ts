import type { EquityHistory } from '@heron/contract/bots/entities.ts';

/** The equity of a bot at a moment, as a point of the curve. */
export interface Worth {
  readonly at: number;
  readonly total: number;
  /**
   * How far below the best so far, in percent; what was paid in or taken out is left aside.
   *
   * @see docs/accounting.md#drawdown
   */
  readonly drawdown: number;
}

/** The moments of a history with how far each lies below the best before it. */
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
