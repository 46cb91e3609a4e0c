const YEAR = 365 * 86_400_000;

/** Returns the compound yearly return: `(end/start)^(year/duration) − 1`; 0 without capital or duration, −1 after a total loss. */
export function annualReturn(start: number, end: number, durationMs: number): number {
  if (start <= 0 || durationMs <= 0) return 0;
  return (Math.max(0, end) / start) ** (YEAR / durationMs) - 1;
}
