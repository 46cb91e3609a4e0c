/**
 * Exact amounts of money. Prices and quote amounts are whole numbers of 1e-8 quote units, quantities are whole numbers of the
 * market's asset unit. All are float64 values inside ±2^53. Products use `mulDiv`, which is exact.
 */

/** A whole number of 1e-8 quote units; also a price (quote units per one asset) times 1e8. */
export type Quote = number;
/** A price: quote per one whole asset, times 1e8. */
export type Price = number;
/** A whole number of the market's asset units (`10 ** -assetDecimals`). */
export type Quantity = number;
/** A ratio times 1e8: 0.1 % is 100,000. */
export type Ratio = number;

export const SCALE = 1e8;
export const SCALE_DECIMALS = 8;

/** An amount left the range in which whole numbers are exact (±2^53 units). Trade a smaller amount or a coarser market. */
export class AmountOutOfRange extends RangeError {
  readonly amount: number;

  constructor(amount: number) {
    super(`amount ${amount} cannot be held exactly`);
    this.name = 'AmountOutOfRange';
    this.amount = amount;
  }
}

/** @returns `value` if it is an exactly held whole number; throws {@link AmountOutOfRange} otherwise. */
export function exact(value: number): number {
  // The comparisons are inlined because the hottest loops call this; NaN fails every comparison.
  const whole = value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER && Math.floor(value) === value;
  if (!whole) throw new AmountOutOfRange(value);
  // Adding 0 turns -0 into 0, which would be stored and compared as another value (docs/invariants.md#ledger, I-37).
  return value + 0;
}

/**
 * Zero, added to the result of a rare call. V8 allocates an object for a value that comes either from arithmetic or from a call.
 * The addition makes it a plain number in both cases.
 */
export const KEEP_UNBOXED = 0;

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** Returns `10 ** exponent` for whole exponents from 0 to 22, all exact. The table is many times faster than the operator. */
export function powerOfTen(exponent: number): number {
  return POWERS_OF_TEN[exponent] as number;
}

/**
 * The float64 before 0.5. Added before rounding down, it gives the result of `Math.round` for all values above -0.5. It avoids the
 * branch of `Math.round`, which processors predict wrongly for half of all prices. Adding 0.5 itself would turn 0.49999999999999994
 * into 1, and round every whole number above 2^52 to an even one.
 */
export const BELOW_HALF = 0.5 - 2 ** -54;

/** Returns the nearest whole number of `10 ** -decimals` units for a decimal value such as 42283.58. */
export function toUnits(value: number, decimals: number = SCALE_DECIMALS): number {
  const scaled = value * (decimals === SCALE_DECIMALS ? SCALE : powerOfTen(decimals));
  const near = Math.floor(scaled + BELOW_HALF);
  return near > 0 && near <= Number.MAX_SAFE_INTEGER ? near : exact(Math.round(scaled)) + KEEP_UNBOXED;
}

/** Returns the float64 nearest to the decimal value of `units`; it prints as that decimal. */
export function fromUnits(units: number, decimals: number = SCALE_DECIMALS): number {
  return units / powerOfTen(decimals);
}

/** Formats `units` as exact decimal text without trailing zeros: `formatUnits(332667, 7)` is "0.0332667". */
export function formatUnits(units: number, decimals: number = SCALE_DECIMALS): string {
  const digits = String(Math.abs(exact(units))).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${units < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Parses a decimal text into units; null when it is not a plain decimal number or has more than `decimals` decimals. */
export function parseUnits(text: string, decimals: number = SCALE_DECIMALS): number | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  const units = Number(`${match[1]}${match[2]}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(units) ? units + 0 : null;
}

/** Converts a percent option (0.1 for 0.1 %) to a ratio times 1e8. */
export function percentRatio(percent: number): Ratio {
  return Math.round(percent * 1e6);
}

// This is four times the relative error of a rounded product and a rounded quotient.
const ROUGH_ERROR = 4 * 2 ** -51;

// The constant of Veltkamp splits a float64 into two halves of 26 bits whose products are exact.
const SPLIT = 134217729;

/** Rounding direction of {@link mulDiv}; operands are never negative where the direction matters. */
export type Rounding = 'down' | 'up' | 'nearest';

/**
 * Computes `a · b / d`, rounded, exact for whole |a|, |b| ≤ 2^53 and 0 < d ≤ 2^53 (two-product by Dekker, 1971).
 *
 * @param rounding `down` is towards −∞, `up` towards +∞, `nearest` rounds halves up
 * @throws AmountOutOfRange when the result is outside the exact range
 */
export function mulDiv(a: number, b: number, d: number, rounding: Rounding = 'nearest'): number {
  return rounding === 'nearest'
    ? mulDivNearest(a, b, d)
    : rounding === 'down'
      ? mulDivDown(a, b, d)
      : mulDivUp(a, b, d);
}

/** {@link mulDiv} with halves rounded up. It is a separate function because the hottest loops call it. */
export function mulDivNearest(a: number, b: number, d: number): number {
  // The float64 quotient nearly always determines the whole number, even with its maximum rounding error.
  const rough = (a * b) / d;
  // Adding a half rounds without a branch that the processor cannot predict.
  const near = Math.floor(rough + 0.5);
  const error = Math.abs(rough) * ROUGH_ERROR;
  if (Math.abs(rough - near) < 0.5 - error) return near + 0;
  if (error < 0.5 && d < LEFT_OVER) {
    const twice = 2 * leftOver(a, b, near, d);
    return twice >= d ? near + 1 : twice < -d ? near - 1 : near + 0;
  }
  return mulDivExact(a, b, d, 'nearest') + KEEP_UNBOXED;
}

/** {@link mulDiv} rounded towards −∞. */
export function mulDivDown(a: number, b: number, d: number): number {
  const rough = (a * b) / d;
  const floor = Math.floor(rough);
  const part = rough - floor;
  const error = Math.abs(rough) * ROUGH_ERROR;
  if (part > error && part < 1 - error) return floor + 0;
  if (error < 0.5 && error * d < LEFT_OVER) {
    const near = Math.floor(rough + 0.5);
    return leftOver(a, b, near, d) < 0 ? near - 1 : near;
  }
  return mulDivExact(a, b, d, 'down') + KEEP_UNBOXED;
}

/** {@link mulDiv} rounded towards +∞. */
export function mulDivUp(a: number, b: number, d: number): number {
  const rough = (a * b) / d;
  const floor = Math.floor(rough);
  const part = rough - floor;
  const error = Math.abs(rough) * ROUGH_ERROR;
  if (part > error && part < 1 - error) return floor + 1;
  if (error < 0.5 && error * d < LEFT_OVER) {
    const near = Math.floor(rough + 0.5);
    return leftOver(a, b, near, d) > 0 ? near + 1 : near;
  }
  return mulDivExact(a, b, d, 'up') + KEEP_UNBOXED;
}

/** Upper limit of `error · d` for {@link leftOver}, whose result is at most twice as large. */
const LEFT_OVER = 2 ** 29;

/**
 * Computes `a · b − near · d` of whole numbers, exact inside ±2^31. Integer multiplication modulo 2^32 then gives all bits of the
 * result. The case is common: prices on a tick, shifted by a few decimals of a percent, are whole numbers again.
 */
function leftOver(a: number, b: number, near: number, d: number): number {
  return (Math.imul(a | 0, b | 0) - Math.imul(near | 0, d | 0)) | 0;
}

function mulDivExact(a: number, b: number, d: number, rounding: Rounding): number {
  const product = a * b;
  // The limit is half the exact range, because rounding towards −∞ can make `quotient · d` larger than the product.
  if (product <= 2 ** 52 && product >= -(2 ** 52)) return divideExact(product, d, rounding);
  return divideInexact(product, productError(a, b, product), d, rounding);
}

/** Divides a product that is held exactly. */
function divideExact(product: number, d: number, rounding: Rounding): number {
  const quotient = Math.floor(product / d);
  const remainder = product - quotient * d;
  // The division may round up to the next whole number, or the multiplication may slightly leave the exact range.
  if (remainder < 0) return roundQuotient(quotient - 1, remainder + d, d, rounding);
  if (remainder >= d) return roundQuotient(quotient + 1, remainder - d, d, rounding);
  return roundQuotient(quotient, remainder, d, rounding);
}

/** Divides the product `product + low`, which no float64 holds exactly. */
function divideInexact(product: number, low: number, d: number, rounding: Rounding): number {
  let quotient = Math.floor(product / d);
  // Beyond 2^53 adjacent whole numbers are the same float64, so the correction below would never end.
  if (Math.abs(quotient) > Number.MAX_SAFE_INTEGER) throw new AmountOutOfRange(quotient);
  for (;;) {
    const back = quotient * d;
    // Both differences are exact: the high parts nearly cancel, and the low parts are rounding errors of whole numbers.
    const remainder = product - back + (low - productError(quotient, d, back));
    if (remainder < 0 || remainder >= d) quotient += Math.floor(remainder / d);
    else return roundQuotient(quotient, remainder, d, rounding);
  }
}

function roundQuotient(quotient: number, remainder: number, d: number, rounding: Rounding): number {
  const up = remainder > 0 && (rounding === 'up' || (rounding === 'nearest' && remainder * 2 >= d));
  return exact(up ? quotient + 1 : quotient);
}

/** Computes `value % step` of whole numbers. The operator itself would be a call out of compiled code. */
export function remainder(value: number, step: number): number {
  // Below 2^52 `quotient · step` is exact even when the quotient was rounded up to the next whole number.
  if (!(value >= 0 && value <= 2 ** 52)) return value % step;
  const rest = value - Math.floor(value / step) * step;
  return rest < 0 ? rest + step : rest;
}

/** Shifts `price` by a ratio of it; the ratio may be negative. */
export function shiftPriceBy(price: Price, ratio: Ratio, rounding: Rounding): Price {
  return mulDiv(price, SCALE + ratio, SCALE, rounding);
}

function productError(a: number, b: number, product: number): number {
  const aBig = SPLIT * a;
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = SPLIT * b;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
