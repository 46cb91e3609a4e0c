import type { Trade } from '@heron/contract/bots/entities.ts';
import { periodStart } from '@heron/engine/market/period.ts';

/** A fill on the chart: one mark a candle and side, however many fills it stands for. */
export interface Mark {
  /** Open time of its candle, ms. */
  readonly time: number;
  readonly side: 'buy' | 'sell';
}

/** Marks of all fills whose candle is on the chart, oldest first. */
export function marksOf(trades: readonly Trade[], periodMs: number, from: number): Mark[] {
  const marks = new Map<string, Mark>();
  for (const { fills } of trades) {
    for (const { at, side } of fills) {
      const time = periodStart(at, periodMs);
      if (time >= from) marks.set(`${time} ${side}`, { time, side });
    }
  }
  return [...marks.values()].sort((a, b) => a.time - b.time);
}
