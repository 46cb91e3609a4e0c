/**
 * Moves a number by steps of a widget. The result is a multiple of the step above the minimum, and within the range.
 *
 * @param steps how many, negative for down
 * @returns a number that prints with no more decimals than the step and the minimum have
 */
export function stepped(value: number, [min, max, step]: readonly [number, number, number], steps: number): number {
  if (!Number.isFinite(value)) return min;
  const exact = (value - min) / step;
  // From a value between two steps, the first step leads to the nearest multiple in that direction.
  const near = Math.abs(exact - Math.round(exact)) < 1e-6 ? Math.round(exact) : null;
  const from = near ?? (steps > 0 ? Math.floor(exact) : steps < 0 ? Math.ceil(exact) : Math.round(exact));
  const moved = min + (from + steps) * step;
  return Number(Math.min(max, Math.max(min, moved)).toFixed(Math.max(decimals(min), decimals(step))));
}

function decimals(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}
