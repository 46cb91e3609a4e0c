/** Returns `value` with NaN for every null: JSON has no NaN, which indicators use for "undefined". */
export function reviveNaN(value: unknown): unknown {
  if (value === null) return Number.NaN;
  if (Array.isArray(value)) return value.map(reviveNaN);
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, reviveNaN(inner)]));
  }
  return value;
}
