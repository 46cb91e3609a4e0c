import { AmountOutOfRange, exact } from '../money/units.ts';

// This is many times the relative error of the rounded products of five operands and one rounded division.
const ROUGH_ERROR = 2 ** -48;

/** Largest result, in absolute value, that is known without integers of any size when it is far enough from a whole number. */
const ROUGH_LIMIT = 2 ** 47;

/**
 * Computes `a · b · c / (d · e)`, rounded once towards −∞, exact for whole operands with d, e > 0. Use it where `mulDiv` has too
 * few operands: for a value times a ratio, and for prices from margins.
 *
 * @throws AmountOutOfRange when the result is outside the exact range
 */
export function quotientDown(a: number, b: number, c: number, d: number, e: number): number {
  const rough = (a * b * c) / (d * e);
  const floor = Math.floor(rough);
  if (Math.abs(rough) < ROUGH_LIMIT && isFraction(rough, floor)) return floor + 0;
  if (!Number.isFinite(rough)) throw new AmountOutOfRange(rough);
  return exact(Number(floorOf(BigInt(a) * BigInt(b) * BigInt(c), BigInt(d) * BigInt(e))));
}

/** Computes as {@link quotientDown} does, rounded towards +∞. */
export function quotientUp(a: number, b: number, c: number, d: number, e: number): number {
  const rough = (a * b * c) / (d * e);
  const floor = Math.floor(rough);
  if (Math.abs(rough) < ROUGH_LIMIT && isFraction(rough, floor)) return floor + 1;
  if (!Number.isFinite(rough)) throw new AmountOutOfRange(rough);
  return exact(Number(-floorOf(-BigInt(a) * BigInt(b) * BigInt(c), BigInt(d) * BigInt(e))));
}

/** Computes as {@link quotientDown} does, rounded to the nearest whole number, and up from a half. */
export function quotientNearest(a: number, b: number, c: number, d: number, e: number): number {
  const rough = (a * b * c) / (d * e);
  if (Math.abs(rough) < ROUGH_LIMIT) {
    const floor = Math.floor(rough);
    const part = rough - floor;
    if (Math.abs(part - 0.5) > Math.abs(rough) * ROUGH_ERROR) return (part > 0.5 ? floor + 1 : floor) + 0;
  }
  if (!Number.isFinite(rough)) throw new AmountOutOfRange(rough);
  const divisor = BigInt(d) * BigInt(e);
  return exact(Number(floorOf(2n * BigInt(a) * BigInt(b) * BigInt(c) + divisor, 2n * divisor)));
}

/** Returns whether a rough result certainly lies between two whole numbers. */
function isFraction(rough: number, floor: number): boolean {
  const part = rough - floor;
  const error = Math.abs(rough) * ROUGH_ERROR;
  return part > error && part < 1 - error;
}

/** Divides by a positive divisor and rounds towards −∞, where BigInt division rounds towards zero. */
function floorOf(dividend: bigint, divisor: bigint): bigint {
  const result = dividend / divisor;
  return dividend < 0n && dividend % divisor !== 0n ? result - 1n : result;
}
