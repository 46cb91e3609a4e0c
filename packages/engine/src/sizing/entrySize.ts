import { type Market, meetsMinimums, quantityFor } from '../market/market.ts';
import { mulDivDown, mulDivUp, type Price, type Quantity, type Quote, type Ratio, SCALE } from '../money/units.ts';

/** Result of sizing: how much to enter within which budget, or why not. */
export type Size =
  | { ok: true; quantity: Quantity; budget: Quote; value: Quote }
  | { ok: false; gate: 'insufficient_balance' | 'below_minimum'; value: Quote };

/** Limits of the order value of an entry. */
export interface EntryBudget {
  /** Free cash (spot) or available margin (futures). */
  available: Quote;
  /** `buy_pct` or `short_buy_pct` as a ratio. */
  share: Ratio;
  /** Maker or taker fee as a ratio. */
  fee: Ratio;
  /** 1 on spot. */
  leverage: number;
  /** `min_buy_size`. */
  min: Quote;
  /** `max_buy_size`, 0 for no limit. */
  max: Quote;
}

/**
 * Returns the size of an entry. The budget bounds the order value plus its fee; on spot it never exceeds `available`.
 *
 * @param price first order price (maker) or worst accepted price (taker)
 * @see docs/entries.md#size
 */
export function entrySize(market: Market, price: Price, limits: EntryBudget): Size {
  const { available, fee, leverage } = limits;
  const found = entryValue(limits);
  const { value } = found;
  if (!found.ok) return { ok: false, gate: 'insufficient_balance', value };
  const quantity = quantityFor(market, value, price);
  if (!meetsMinimums(market, price, quantity)) {
    return { ok: false, gate: available <= 0 ? 'insufficient_balance' : 'below_minimum', value };
  }
  // The fee rounds up, which must not reach beyond the last unit of cash.
  const budget = value + mulDivUp(value, fee, SCALE);
  return { ok: true, quantity, budget: leverage === 1 ? Math.min(available, budget) : budget, value };
}

/**
 * Returns the order value of an entry or of a whole order plan; not ok when even all that is available is below the minimum.
 *
 * @see docs/entries.md#size
 */
export function entryValue({ available, share, fee, leverage, min, max }: EntryBudget): { ok: boolean; value: Quote } {
  let value = orderValue(mulDivDown(available, share, SCALE), fee, leverage);
  if (max > 0 && value > max) value = max;
  if (value >= min) return { ok: true, value };
  return orderValue(available, fee, leverage) < min ? { ok: false, value } : { ok: true, value: min };
}

/**
 * Returns the order value that `gross` (cash or margin) pays for with its fee: `value/leverage + fee·value = gross`. It is at
 * most the largest exact amount, far beyond what brackets allow.
 *
 * @see docs/entries.md#size
 */
export function orderValue(gross: Quote, fee: Ratio, leverage: number): Quote {
  const whole = SCALE * leverage;
  const divisor = SCALE + fee * leverage;
  if ((gross * whole) / divisor >= LARGEST) return LARGEST;
  return mulDivDown(gross, whole, divisor);
}

/** A little less than 2^53, with room for rounding. */
const LARGEST = 9e15;
