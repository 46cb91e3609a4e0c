import type { Market } from '../market/market.ts';
import { type Price, type Ratio, shiftPriceBy } from '../money/units.ts';
import type { Dca } from './dca.ts';
import type { DcaRules } from './dcaRules.ts';
import { dcaTakeProfitPrice } from './safetyOrders.ts';

/** Prices of a trailing take-profit at entry price E. */
export interface Trail {
  /** Never worse than `E·(1 + 2f)`. */
  readonly activationPrice: Price;
  /** Once it is activated; infinite (of a short: 0) means never. */
  readonly triggerPrice: Price;
}

/**
 * Returns the prices of a trailing take-profit: it activates at T and triggers at `best·(1 − trailing/100)`, both not below
 * `E·(1 + 2f)`.
 *
 * @param fee taker fee as a ratio
 * @see docs/strategies.md#dca-averaging
 */
export function trailOf(dca: Dca, rules: DcaRules, market: Market, entry: Price, fee: Ratio): Trail {
  const { side } = dca;
  const target = dcaTakeProfitPrice(rules, market, side, entry);
  const even = shiftPriceBy(entry, side * 2 * fee, side === 1 ? 'up' : 'down');
  const back = shiftPriceBy(dca.best, -side * rules.trailing, side === 1 ? 'down' : 'up');
  return side === 1
    ? { activationPrice: Math.max(target, even), triggerPrice: Math.max(back, even) }
    : { activationPrice: Math.min(target, even), triggerPrice: Math.min(back, even) };
}

/** Market, average entry price and taker fee of a position with a trailing take-profit. */
export interface TrailInput {
  readonly market: Market;
  readonly entry: Price;
  readonly fee: Ratio;
}

/**
 * Applies one reference price to a trailing take-profit: activates it and stores the best price.
 *
 * @returns true when the whole position is to be exited by taker orders
 * @see docs/strategies.md#dca-averaging
 */
export function trailPrice(dca: Dca, rules: DcaRules, { market, entry, fee }: TrailInput, price: Price): boolean {
  if (rules.trailing === 0 || dca.phase !== 'averaging') return false;
  const { side } = dca;
  if (!dca.armed) {
    if (side * (price - trailOf(dca, rules, market, entry, fee).activationPrice) < 0) return false;
    dca.armed = true;
    dca.best = price;
    return false;
  }
  if (side * (price - dca.best) > 0) dca.best = price;
  return side * (price - trailOf(dca, rules, market, entry, fee).triggerPrice) <= 0;
}
