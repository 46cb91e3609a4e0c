import type { PairMarket } from './pairMarket.ts';

/** An order of the account may be filled between these multiples of the reference price. */
const UP = 1.5;
const DOWN = 0.5;
/** The reference price averages the trades of these buckets. */
export const BUCKETS = { count: 300, widthMs: 1_000 } as const;

/** Prices in ticks between which an order may be filled. */
export type ExecutionRange = { low: number; high: number };

/** Returns how far from the reference price orders may be filled, as multiples of it; both sides have the same. */
export function executionRule(market: PairMarket): { up: number; down: number } {
  const away = market.conditions?.executionRange(market.pair.symbol);
  return away === undefined ? { up: UP, down: DOWN } : { up: 1 + away, down: 1 - away };
}

/**
 * Returns the average price of the trades of the last five minutes in ticks, rounded down; undefined when there were
 * none.
 */
export function referenceTick({ recent }: PairMarket, time: number): number | undefined {
  const trades = recent.slice(recent.firstAtLeast('time', time - BUCKETS.count * BUCKETS.widthMs));
  if (trades.length === 0) return undefined;
  return Math.floor(trades.reduce((sum, { tick }) => sum + tick, 0) / trades.length);
}

/** Returns the prices between which an order may be filled now; without a reference price there is no limit. */
export function executionRange(market: PairMarket, time: number): ExecutionRange {
  const reference = referenceTick(market, time);
  if (reference === undefined) return { low: 0, high: Infinity };
  const { up, down } = executionRule(market);
  return { low: reference * down, high: reference * up };
}
