import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { formatLocalDay } from '../../lib/localDay.ts';

/** A day of a month with its closed positions; `sums` is null where none closed. */
export interface CalendarDay {
  /** `2026-11-27`. */
  readonly day: string;
  readonly sums: PortfolioGroup['days'][number] | null;
  /** How strong its colour is: 0 for no result, 1 to 4 by its size beside the largest of the month. */
  readonly strength: 0 | 1 | 2 | 3 | 4;
}

const DAY_MS = 86_400_000;
const WEEK = 7;
/** 1 January 1970 was a Thursday, the fourth day of a week that begins on Monday. */
const FIRST_WEEKDAY = 3;

/**
 * Arranges the days of a month in weeks that begin on Monday. Places outside of the month are null.
 *
 * @param month `2026-11`
 */
export function monthCalendar(month: string, days: PortfolioGroup['days']): (CalendarDay | null)[][] {
  const own = new Map(days.filter(({ day }) => day.startsWith(month)).map((sums) => [sums.day, sums]));
  const largest = Math.max(0, ...[...own.values()].map(({ net }) => Math.abs(Number(net))));
  const first = Date.parse(`${month}-01`);
  const before = weekday(first);
  const places: (CalendarDay | null)[] = Array.from({ length: before }, () => null);
  for (let at = first; nameOf(at).startsWith(month); at += DAY_MS) {
    const day = nameOf(at);
    const sums = own.get(day) ?? null;
    places.push({ day, sums, strength: strengthOf(sums === null ? 0 : Number(sums.net), largest) });
  }
  while (places.length % WEEK > 0) places.push(null);
  return Array.from({ length: places.length / WEEK }, (_, week) => places.slice(week * WEEK, (week + 1) * WEEK));
}

function strengthOf(net: number, largest: number): CalendarDay['strength'] {
  if (net === 0) return 0;
  const quarter = Math.ceil((4 * Math.abs(net)) / largest);
  return quarter <= 1 ? 1 : quarter === 2 ? 2 : quarter === 3 ? 3 : 4;
}

const nameOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const weekday = (at: number) => (Math.floor(at / DAY_MS) + FIRST_WEEKDAY) % WEEK;

/** Returns the month before or after `2026-11`. */
export function neighbourMonth(month: string, step: 1 | -1): string {
  const at = new Date(`${month}-01`);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + step, 1)).toISOString().slice(0, 7);
}

/** Returns the current month of this device's time zone: `2026-11`. */
export function currentMonth(at: number): string {
  return formatLocalDay(at).slice(0, 7);
}
