import {
  exact,
  mulDiv,
  mulDivDown,
  type Price,
  powerOfTen,
  type Quantity,
  type Quote,
  remainder,
  toUnits,
} from '../money/units.ts';

/** Trading rules of a pair; amounts are in the units of `money/units.ts`. */
export interface Market {
  /** `BTC-USDT` */
  readonly pair: string;
  readonly base: string;
  readonly quote: string;
  /** Tick size. */
  readonly tick: Price;
  /** Step size, in asset units. */
  readonly step: Quantity;
  readonly minQuantity: Quantity;
  readonly maxQuantity: Quantity;
  /** Minimum order value. */
  readonly minNotional: Quote;
  /** Maximum number of open orders of one account; absent where there is no limit. */
  readonly maxOrders?: number;
  /** Type of order that a triggered stop order becomes; absent where the exchange has no stop orders. */
  readonly stop?: 'market' | 'limit';
  /** Decimals of an asset unit. They never change, because bots save quantities in this unit. */
  readonly assetDecimals: number;
}

/** A market as exchanges describe it, in plain decimals. */
export interface MarketFilters {
  pair: string;
  tickSize: number;
  stepSize: number;
  minQuantity: number;
  maxQuantity: number;
  minNotional: number;
  stop?: Market['stop'];
  /** Decimals of the unit in which the pair is counted already; absent for a new pair. */
  assetDecimals?: number;
}

/** Returns the decimals of an asset unit for a new pair: enough for the step and a fee of 0.01 % of it, at most 8. */
export function newAssetDecimals(stepSize: number): number {
  return Math.min(8, decimalsOf(stepSize) + 4);
}

/**
 * Converts the decimals of an exchange into units. Throws when the pair is not `ASSET-CURRENCY`, a size is not positive, or the
 * step size is finer than the asset unit.
 *
 * @see docs/accounting.md#exact-amounts
 */
export function marketOf(filters: MarketFilters): Market {
  const [base, quote, rest] = filters.pair.split('-');
  if (!base || !quote || rest !== undefined) throw new TypeError(`pair ${filters.pair} is not ASSET-CURRENCY`);
  const { assetDecimals = newAssetDecimals(filters.stepSize) } = filters;
  if (decimalsOf(filters.stepSize) > assetDecimals) {
    throw new RangeError(`the step size ${filters.stepSize} of ${filters.pair} is finer than its unit`);
  }
  const tick = toUnits(filters.tickSize);
  const step = toUnits(filters.stepSize, assetDecimals);
  if (!(tick > 0) || !(step > 0)) throw new RangeError(`${filters.pair} has no tick or step size`);
  const largest = Number.MAX_SAFE_INTEGER / 10 ** assetDecimals;
  return {
    pair: filters.pair,
    base,
    quote,
    tick,
    step,
    minQuantity: toUnits(filters.minQuantity, assetDecimals),
    maxQuantity: filters.maxQuantity >= largest ? Number.MAX_SAFE_INTEGER : toUnits(filters.maxQuantity, assetDecimals),
    minNotional: toUnits(filters.minNotional),
    assetDecimals,
    ...(filters.stop === undefined ? {} : { stop: filters.stop }),
  };
}

/** Returns the number of decimals of a tick or step size such as 0.001 (3) or 1e-7 (7). */
function decimalsOf(grid: number): number {
  const [mantissa = '', exponent] = String(grid).split('e');
  const fraction = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent ?? 0));
}

/** Returns the order value of `quantity` at `price`. @see docs/orders.md#quantities-and-prices */
export function notional(market: Market, price: Price, quantity: Quantity): Quote {
  return mulDiv(price, quantity, powerOfTen(market.assetDecimals));
}

/**
 * Returns the largest multiple of the step size, within the limit of the exchange, whose value at `price` is at most `value`.
 *
 * @see docs/orders.md#quantities-and-prices, docs/entries.md#size
 */
export function quantityFor(market: Market, value: Quote, price: Price): Quantity {
  if (price <= 0) return 0;
  // At tiny prices the quotient can leave the exact range before the limit of the exchange applies.
  if ((value / price) * powerOfTen(market.assetDecimals) >= market.maxQuantity * (1 - 1e-12)) {
    return floorStep(market, market.maxQuantity);
  }
  return floorStep(market, mulDivDown(value, powerOfTen(market.assetDecimals), price));
}

/** Rounds a quantity down to the step size. @see docs/orders.md#quantities-and-prices */
export function floorStep({ step }: Market, quantity: Quantity): Quantity {
  // Most quantities fit into 32 bits, and the processor divides 32-bit integers in a third of the time.
  if (quantity >= 0 && quantity === (quantity | 0) && step === (step | 0)) return quantity - (quantity % step);
  return exact(quantity - remainder(quantity, step));
}

/** Rounds a price down to the tick size, as for BUY. @see docs/orders.md#quantities-and-prices */
export function floorTick(market: Market, price: Price): Price {
  return exact(price - remainder(price, market.tick));
}

/** Rounds a price up to the tick size, as for SELL. @see docs/orders.md#quantities-and-prices */
export function ceilTick(market: Market, price: Price): Price {
  const over = remainder(price, market.tick);
  return exact(over === 0 ? price : price - over + market.tick);
}

/** Returns whether the exchange accepts an order of this size. @see docs/fills.md#parts-below-the-minimum */
export function meetsMinimums(market: Market, price: Price, quantity: Quantity): boolean {
  return quantity >= market.minQuantity && quantity > 0 && isWorth(market, price, quantity, market.minNotional);
}

/** Returns whether an order value is at least `min`. The float64 product usually decides without the exact division. */
function isWorth(market: Market, price: Price, quantity: Quantity, min: Quote): boolean {
  const product = price * quantity;
  const unit = powerOfTen(market.assetDecimals);
  // Four units exceed the rounding errors of both sides. `notional` throws for products outside the exact range.
  if (product >= (min + 4) * unit && product <= 2 ** 52 * unit) return true;
  return notional(market, price, quantity) >= min;
}
