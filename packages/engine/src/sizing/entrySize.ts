import { type Market, meetsMinimums, quantityFor } from '../market/market.ts';
import { mulDivDown, mulDivUp, type Price, type Quantity, type Quote, type Ratio, SCALE } from '../money/units.ts';

/** Result of sizing: how much to enter within which budget, or why not. */
export type Size =
  | { ok: true; quantity: Quantity; budget: Quote; value: Quote }
  | { ok: false; gate: 'insufficient_balance' | 'below_minimum'; value: Quote };

/**
 * Size of an entry. The budget bounds the order value plus its fee; on spot it never exceeds `available`.
 *
 * @param available free cash (spot) or available margin (futures)
 * @param share `buy_pct` or `short_buy_pct` as a ratio
 * @param price first order price (maker) or worst accepted price (taker)
 * @param fee maker or taker fee as a ratio
 * @param leverage 1 on spot
 * @param least `min_buy_size`; @param most `max_buy_size`, 0 for no cap
 * @see docs/entries.md#size
 */
export function entrySize(
  market: Market,
  available: Quote,
  share: Ratio,
  price: Price,
  fee: Ratio,
  leverage: number,
  least: Quote,
  most: Quote,
): Size {
  const found = entryValue(available, share, fee, leverage, least, most);
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
 * Order value of an entry, or of a whole ladder; not ok when even all that is available is below the least.
 *
 * @see docs/entries.md#size
 */
export function entryValue(
  available: Quote,
  share: Ratio,
  fee: Ratio,
  leverage: number,
  least: Quote,
  most: Quote,
): { ok: boolean; value: Quote } {
  let value = orderValue(mulDivDown(available, share, SCALE), fee, leverage);
  if (most > 0 && value > most) value = most;
  if (value >= least) return { ok: true, value };
  return orderValue(available, fee, leverage) < least ? { ok: false, value } : { ok: true, value: least };
}

/**
 * Order value that `gross` (cash or margin) pays for with its fee: `value/leverage + fee·value = gross`; at most what can be held exactly,
 * which is far beyond what brackets allow.
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
