import { instantOf, zoneClock } from './zoneClock.ts';

/** A calendar month and its begin, ms since 1970. */
export interface Month {
  /** `2026-11`. */
  readonly name: string;
  readonly from: number;
}

/**
 * Lists the calendar months of a time zone, from the month of `first` to the month of `last`.
 *
 * @param zone IANA name
 * @returns null when there is no such zone
 */
export function monthsOf(first: number, last: number, zone: string): Month[] | null {
  const clock = zoneClock(zone);
  if (clock === null) return null;
  const begin = new Date(clock(first));
  const months: Month[] = [];
  for (let month = begin.getUTCMonth(); ; month += 1) {
    const wall = Date.UTC(begin.getUTCFullYear(), month, 1);
    const from = instantOf(wall, clock);
    if (months.length > 0 && from > last) return months;
    months.push({ name: new Date(wall).toISOString().slice(0, 7), from });
  }
}
