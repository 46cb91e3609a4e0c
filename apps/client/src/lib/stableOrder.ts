const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;
/** Bit of the sign in the highest digit. */
const SIGN = 0x8000;

/**
 * Returns the indexes of numbers in ascending or descending order; equal numbers keep their order. A sort by digits takes a tenth of
 * the time of a sort by comparisons, which matters for a hundred thousand rows.
 *
 * @param values without NaN
 */
export function stableOrder(values: ArrayLike<number>, descending: boolean): Uint32Array {
  const size = values.length;
  const keys = keysOf(values, descending);
  let order = Uint32Array.from({ length: size }, (_, index) => index);
  let next = new Uint32Array(size);
  const counts = new Uint32Array(DIGITS);
  for (let digit = 0; digit < 4; digit++) {
    counts.fill(0);
    for (let at = 0; at < size; at++)
      counts[keys[4 * at + digit] as number] = (counts[keys[4 * at + digit] as number] as number) + 1;
    // Where all numbers have the same digit, nothing moves.
    if (size > 0 && counts[keys[digit] as number] === size) continue;
    let sum = 0;
    for (let value = 0; value < DIGITS; value++) {
      const count = counts[value] as number;
      counts[value] = sum;
      sum += count;
    }
    for (let at = 0; at < size; at++) {
      const index = order[at] as number;
      const value = keys[4 * index + digit] as number;
      const place = counts[value] as number;
      counts[value] = place + 1;
      next[place] = index;
    }
    [order, next] = [next, order];
  }
  return order;
}

/**
 * Returns four digits a number, the lowest first, in which the numbers have the order of unsigned integers: floating-point numbers
 * have it already, except that negative ones are reversed.
 */
function keysOf(values: ArrayLike<number>, descending: boolean): Uint16Array {
  // Adding 0 turns -0 into 0, which has other bits.
  const numbers = Float64Array.from(values, (value) => value + 0);
  const keys = new Uint16Array(numbers.buffer);
  for (let at = 0; at < keys.length; at += 4) {
    const isNegative = (keys[at + 3] as number) >= SIGN;
    // Positive numbers get the higher half; the magnitudes of negative ones are reversed.
    if (!isNegative) keys[at + 3] = (keys[at + 3] as number) | SIGN;
    if (isNegative !== descending) for (let digit = at; digit < at + 4; digit++) keys[digit] = ~(keys[digit] as number);
  }
  return keys;
}
