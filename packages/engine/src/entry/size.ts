import { type Market, meetsMinimums, quantityFor } from '../market/market.ts';
import { mulDiv, type Price, type Quantity, type Quote, type Ratio, SCALE } from '../money/units.ts';

/** Result of sizing: how much to buy within which budget, or why not. */
export type Size =
  | { ok: true; quantity: Quantity; budget: Quote }
  | { ok: false; gate: 'insufficient_balance' | 'below_minimum'; value: Quote };

/**
 * Size of a spot entry.
 *
 * @param available free cash
 * @param share `buy_pct` as a ratio
 * @param price first order price (maker) or worst accepted price (taker)
 * @param fee maker or taker fee as a ratio
 * @param least `min_buy_size`; @param most `max_buy_size`, 0 for no cap
 * @see options.md 3.3
 */
export function entrySize(
  market: Market,
  available: Quote,
  share: Ratio,
  price: Price,
  fee: Ratio,
  least: Quote,
  most: Quote,
): Size {
  let value = withoutFee(mulDiv(available, share, SCALE, 'down'), fee);
  if (most > 0 && value > most) value = most;
  if (value < least) {
    if (withoutFee(available, fee) < least) return { ok: false, gate: 'insufficient_balance', value };
    value = least;
  }
  const quantity = quantityFor(market, value, price);
  if (!meetsMinimums(market, price, quantity)) {
    return { ok: false, gate: available <= 0 ? 'insufficient_balance' : 'below_minimum', value };
  }
  // The fee rounds up, which must not reach beyond the last unit of cash.
  return { ok: true, quantity, budget: Math.min(available, mulDiv(value, SCALE + fee, SCALE, 'up')) };
}

/** Largest order value whose fee still fits into `gross`. @see options.md 3.3 */
function withoutFee(gross: Quote, fee: Ratio): Quote {
  return gross <= 0 ? 0 : mulDiv(gross, SCALE, SCALE + fee, 'down');
}
