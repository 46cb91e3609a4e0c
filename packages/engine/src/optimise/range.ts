/**
 * Returns the numbers from `from` to `to` in steps of `step`, with `to` included when a step reaches it. The steps are exact in
 * decimals: 0.1 to 0.3 by 0.1 gives 0.1, 0.2 and 0.3.
 *
 * @throws RangeError when the step is not above 0, or `to` is below `from`
 */
export function rangeOf(from: number, to: number, step: number): number[] {
  if (!(step > 0)) throw new RangeError('the step must be above 0');
  if (!(to >= from)) throw new RangeError('the end lies before the beginning');
  const scale = 10 ** Math.max(decimalsOf(from), decimalsOf(step));
  const [first, by] = [Math.round(from * scale), Math.round(step * scale)];
  // The small constant compensates for rounding; a value may exceed the end by no more than that.
  const count = Math.floor((to * scale - first) / by + 1e-9) + 1;
  return Array.from({ length: count }, (_, i) => (first + i * by) / scale);
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}
