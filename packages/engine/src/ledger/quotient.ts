import { AmountOutOfRange, exact, type Rounding } from '../money/units.ts';

// Many times what five operands' rounded products and one rounded division can be off, relative to the quotient.
const ROUGH_ERROR = 2 ** -48;

/**
 * `a · b · c / (d · e)`, rounded once, exact for whole operands with d, e > 0. What money needs beyond `mulDiv`: a value
 * times a ratio, and prices out of margins.
 *
 * @param rounding as of `mulDiv`
 * @throws AmountOutOfRange when the result is not exactly held
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
  // BigInt division is towards zero.
  if (shifted % scale !== 0n) {
    if (shifted < 0n) result -= 1n;
    if (rounding === 'up') result += 1n;
  }
  return exact(Number(result));
}
