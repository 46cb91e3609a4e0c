import type { BacktestDocument } from '@heron/engine/report/document.ts';
import type { MarkedTrade } from '../../entities/bot/slots.ts';

/** Returns the fills of a pair for the marks on its chart. */
export function markedTrades(fills: BacktestDocument['fills'], pair: string): MarkedTrade[] {
  return fills.flatMap((fill, place) => {
    if (fill.pair !== pair) return [];
    const { kind, time, side, price, quantity, reason } = fill;
    const one = { id: String(place), at: time, side, price: String(price), quantity: String(quantity), reason };
    return [{ kind, fills: [one] }];
  });
}
