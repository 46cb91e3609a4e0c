import { AmountOutOfRange, exact, type Rounding } from '../money/units.ts';

// This is many times the relative error of the rounded products of five operands and one rounded division.
const ROUGH_ERROR = 2 ** -48;

/**
 * Computes `a · b · c / (d · e)`, rounded once, exact for whole operands with d, e > 0. Use it where `mulDiv` has too few
 * operands: for a value times a ratio, and for prices from margins.
 *
 * @param rounding as of `mulDiv`
 * @throws AmountOutOfRange when the result is outside the exact range
 */
export function quotient(a: number, b: number, c: number, d: number, e: number, rounding: Rounding): number {
  const rough = (a * b * c) / (d * e);
  if (Math.abs(rough) < 2 ** 47) {
    const floor = Math.floor(rough);
    const part = rough - floor;
    const error = Math.abs(rough) * ROUGH_ERROR;
    if (rounding === 'nearest') {
      if (Math.abs(part - 0.5) > error) return (part > 0.5 ? floor + 1 : floor) + 0;
    } else if (part > error && part < 1 - error) {
      return (rounding === 'down' ? floor : floor + 1) + 0;
    }
  }
  if (!Number.isFinite(rough)) throw new AmountOutOfRange(rough);
  const divisor = BigInt(d) * BigInt(e);
  const product = BigInt(a) * BigInt(b) * BigInt(c);
  const shifted = rounding === 'nearest' ? 2n * product + divisor : product;
  const scale = rounding === 'nearest' ? 2n * divisor : divisor;
  let result = shifted / scale;
  // BigInt division rounds towards zero.
  if (shifted % scale !== 0n) {
    if (shifted < 0n) result -= 1n;
    if (rounding === 'up') result += 1n;
  }
  return exact(Number(result));
}
