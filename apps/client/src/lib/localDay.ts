const DAY_MS = 86_400_000;

/** Returns the start of the next local day, which may be 23 or 25 hours away. */
export function nextLocalDay(start: number): number {
  return new Date(start + DAY_MS + DAY_MS / 4).setHours(0, 0, 0, 0);
}

/** Returns the start of the local day of a time, ms. */
export function localDayStart(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Returns a local day as a date field needs it: "2026-03-09". */
export function formatLocalDay(at: number): string {
  const day = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  // A year that is being typed has fewer digits at first.
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Returns the start of a local day that a date field holds, ms; null when it holds none. */
export function parseLocalDay(day: string): number | null {
  const at = Date.parse(`${day}T00:00`);
  return Number.isNaN(at) ? null : at;
}
