import { instantOf, zoneClock } from './zoneClock.ts';

/** A calendar day and its begin, ms since 1970. */
export interface Day {
  /** `2026-11-27`. */
  readonly name: string;
  readonly from: number;
}

const DAY_MS = 86_400_000;

/**
 * Lists the calendar days of a time zone, from the day of `first` to the day of `last`. A day has 23 to 25 hours where clocks change.
 *
 * @param zone IANA name
 * @returns null when there is no such zone
 */
export function daysOf(first: number, last: number, zone: string): Day[] | null {
  const clock = zoneClock(zone);
  if (clock === null) return null;
  const begin = clock(first);
  const days: Day[] = [];
  for (let wall = begin - (((begin % DAY_MS) + DAY_MS) % DAY_MS); ; wall += DAY_MS) {
    const from = instantOf(wall, clock);
    if (days.length > 0 && from > last) return days;
    days.push({ name: new Date(wall).toISOString().slice(0, 10), from });
  }
}
