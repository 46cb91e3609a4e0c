import { exact, type Quote } from '../money/units.ts';
import type { TradeRecord } from '../simulate/runRecord.ts';

/** Sums of the exits of one kind. */
export interface Share {
  trades: number;
  /** Net result in 1e-8 quote units. */
  net: Quote;
}

/** Net results of exits by why they were made. */
export function byReason(trades: readonly TradeRecord[]): Record<string, Share> {
  return sharesOf(trades, ({ reason }) => reason);
}

/** Net results of exits by UTC month of their end, such as `2024-03`. */
export function byMonth(trades: readonly TradeRecord[]): Record<string, Share> {
  return sharesOf(trades, ({ closedAt }) => new Date(closedAt).toISOString().slice(0, 7));
}

function sharesOf(trades: readonly TradeRecord[], keyOf: (trade: TradeRecord) => string): Record<string, Share> {
  const shares: Record<string, Share> = {};
  for (const trade of trades) {
    if (trade.kind !== 'exit') continue;
    const key = keyOf(trade);
    const share = shares[key] ?? { trades: 0, net: 0 };
    share.trades += 1;
    share.net = exact(share.net + trade.realised);
    shares[key] = share;
  }
  return shares;
}
