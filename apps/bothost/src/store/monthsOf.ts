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
  const format = localFormat(zone);
  if (format === null) return null;
  const begin = new Date(format(first));
  const months: Month[] = [];
  for (let month = begin.getUTCMonth(); ; month += 1) {
    const wall = Date.UTC(begin.getUTCFullYear(), month, 1);
    const from = instantOf(wall, format);
    if (months.length > 0 && from > last) return months;
    months.push({ name: new Date(wall).toISOString().slice(0, 7), from });
  }
}

/** Returns a function that gives the local time of a zone, encoded as UTC; null when the zone does not exist. */
function localFormat(zone: string): ((at: number) => number) | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    return (at) => {
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
      const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
      return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the time at which local clocks show `wall`. Corrects it twice, because the offset may change close to it. */
function instantOf(wall: number, format: (at: number) => number): number {
  const guess = wall - (format(wall) - wall);
  return wall - (format(guess) - guess);
}
