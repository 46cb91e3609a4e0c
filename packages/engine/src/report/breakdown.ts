import type { RunRecord, TradeRecord } from '../backtest/runRecord.ts';
import { exact, type Quote } from '../money/units.ts';

/** Number of exits and net result of one row of a breakdown. */
export interface Share {
  /** Exits. */
  trades: number;
  /** Net result in 1e-8 quote units. All shares of a breakdown add up to the realised total. */
  net: Quote;
}

/** One amount of the realised total. */
interface Part {
  pair: string;
  at: number;
  reason: string;
  net: Quote;
  exit: boolean;
}

/** Returns the net results by pair. */
export function byPair(trades: Iterable<TradeRecord>, record: RunRecord): Record<string, Share> {
  return sharesOf(trades, record, ({ pair }) => pair);
}

/** Returns the net results by reason: reasons of trades (on futures with the fees of entries), funding, liquidation. */
export function byReason(trades: Iterable<TradeRecord>, record: RunRecord): Record<string, Share> {
  return sharesOf(trades, record, ({ reason }) => reason);
}

/** Returns the net results by UTC month, such as `2024-03`. */
export function byMonth(trades: Iterable<TradeRecord>, record: RunRecord): Record<string, Share> {
  return sharesOf(trades, record, ({ at }) => new Date(at).toISOString().slice(0, 7));
}

function sharesOf(
  trades: Iterable<TradeRecord>,
  record: RunRecord,
  keyOf: (part: Part) => string,
): Record<string, Share> {
  const shares: Record<string, Share> = {};
  const add = (part: Part) => {
    if (!part.exit && part.net === 0) return;
    const key = keyOf(part);
    const share = shares[key] ?? { trades: 0, net: 0 };
    if (part.exit) share.trades += 1;
    share.net = exact(share.net + part.net);
    shares[key] = share;
  };
  for (const { pair, closedAt, reason, realised, kind } of trades) {
    add({ pair, at: closedAt, reason, net: realised, exit: kind === 'exit' });
  }
  for (const { pair, at, amount } of record.funding) add({ pair, at, reason: 'funding', net: amount, exit: false });
  for (const { pair, at, realised } of record.liquidations) {
    add({ pair, at, reason: 'liquidation', net: realised, exit: true });
  }
  return shares;
}
