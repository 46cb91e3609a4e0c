/**
 * The numbers from `from` to `to` in steps of `step`, both ends included where a step meets them. Decimal: 0.1 to 0.3 by
 * 0.1 are 0.1, 0.2 and 0.3.
 *
 * @throws RangeError when the step is not above 0, or the end lies before the beginning
 */
export function rangeOf(from: number, to: number, step: number): number[] {
  if (!(step > 0)) throw new RangeError('the step must be above 0');
  if (!(to >= from)) throw new RangeError('the end lies before the beginning');
  const scale = 10 ** Math.max(decimalsOf(from), decimalsOf(step));
  const [first, by] = [Math.round(from * scale), Math.round(step * scale)];
  // What rounding of the end takes away is given back; no value may exceed it by more.
  const count = Math.floor((to * scale - first) / by + 1e-9) + 1;
  return Array.from({ length: count }, (_, i) => (first + i * by) / scale);
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}
