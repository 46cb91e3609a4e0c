import type { BacktestDocument } from '@heron/engine/report/document.ts';
import type { MarkedTrade } from '../../entities/bot/slots.ts';

/**
 * Returns the fills of a pair for the marks on its chart.
 *
 * @param until start of the first candle that the chart does not show, ms; its library would mark later fills on the last one
 */
export function markedTrades(fills: BacktestDocument['fills'], pair: string, until: number): MarkedTrade[] {
  return fills.flatMap((fill, place) => {
    if (fill.pair !== pair || fill.time >= until) return [];
    const { kind, time, side, price, quantity, reason } = fill;
    const one = { id: String(place), at: time, side, price: String(price), quantity: String(quantity), reason };
    return [{ kind, fills: [one] }];
  });
}
