/** Returns a function that gives the local time of a zone, encoded as UTC; null when the zone does not exist. */
export function zoneClock(zone: string): ((at: number) => number) | null {
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
export function instantOf(wall: number, clock: (at: number) => number): number {
  const guess = wall - (clock(wall) - wall);
  return wall - (clock(guess) - guess);
}
