import type { Trade } from '@heron/contract/bots/entities.ts';
import { periodStart } from '@heron/engine/market/period.ts';
import type { MarkedTrade } from '../../entities/bot/slots.ts';

/** Names the effect of a fill: entry or exit of a long, entry or exit of a short. */
export type MarkKind = 'buy' | 'sell' | 'buyShort' | 'sellShort';

type Fill = Pick<Trade['fills'][number], 'id' | 'at' | 'price' | 'quantity' | 'reason'>;

/** Marks the fills of one candle and kind on the chart. */
export interface Mark {
  /** Open time of its candle, ms. */
  readonly time: number;
  readonly kind: MarkKind;
  readonly side: 'buy' | 'sell';
  /** Oldest first. */
  readonly fills: readonly Fill[];
}

/** Returns the marks of all fills whose candle is on the chart, oldest first. */
export function marksOf(trades: readonly MarkedTrade[], periodMs: number, from: number): Mark[] {
  const marks = new Map<string, Mark & { fills: Fill[] }>();
  for (const trade of trades) {
    for (const { id, at, side, price, quantity, reason } of trade.fills) {
      const time = periodStart(at, periodMs);
      if (time < from) continue;
      const kind = markKind(trade.kind, side);
      const key = `${time} ${kind}`;
      const mark = marks.get(key) ?? { time, kind, side, fills: [] };
      mark.fills.push({ id, at, price, quantity, reason });
      marks.set(key, mark);
    }
  }
  for (const { fills } of marks.values()) fills.sort((a, b) => a.at - b.at);
  return [...marks.values()].sort((a, b) => a.time - b.time);
}

function markKind(trade: Trade['kind'], side: 'buy' | 'sell'): MarkKind {
  if (trade === 'entry') return side === 'buy' ? 'buy' : 'buyShort';
  return side === 'sell' ? 'sell' : 'sellShort';
}
