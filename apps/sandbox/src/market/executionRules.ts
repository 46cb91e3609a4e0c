import type { PairMarket } from './pairMarket.ts';

/** An order of the account may be filled up to this many times, or this part of, the reference price. */
const UP = 1.5;
const DOWN = 0.5;
/** The reference price is the average of the trades of so many buckets. */
export const BUCKETS = { count: 300, widthMs: 1_000 } as const;

/** Prices in ticks between which an order may be filled. */
export type ExecutionRange = { low: number; high: number };

/** How far from the reference price orders may be filled, as parts of it; both sides have the same. */
export function executionRule(market: PairMarket): { up: number; down: number } {
  const away = market.conditions?.executionRange(market.pair.symbol);
  return away === undefined ? { up: UP, down: DOWN } : { up: 1 + away, down: 1 - away };
}

/** Average price of the trades of the last five minutes in ticks, rounded down; undefined when there were none. */
export function referenceTick({ recent }: PairMarket, time: number): number | undefined {
  const trades = recent.slice(recent.firstAtLeast('time', time - BUCKETS.count * BUCKETS.widthMs));
  if (trades.length === 0) return undefined;
  return Math.floor(trades.reduce((sum, { tick }) => sum + tick, 0) / trades.length);
}

/** Where an order that enters the book now may be filled; without a reference price anywhere. */
export function executionRange(market: PairMarket, time: number): ExecutionRange {
  const reference = referenceTick(market, time);
  if (reference === undefined) return { low: 0, high: Infinity };
  const { up, down } = executionRule(market);
  return { low: reference * down, high: reference * up };
}
