const DAY = 1440;
/** 1970-01-01 was a Thursday; the weeks of Binance begin on Monday. */
const MONDAY = 4 * DAY;

const FIXED: { [name: string]: number } = {
  '1m': 1,
  '3m': 3,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '2h': 120,
  '4h': 240,
  '6h': 360,
  '8h': 480,
  '12h': 720,
  '1d': DAY,
  '3d': 3 * DAY,
  '1w': 7 * DAY,
};

/**
 * A candle interval: the start of the candle that holds a minute, and the start of the next one. Minutes since the
 * epoch.
 */
export type Interval = { name: string; start(minute: number): number; next(start: number): number };

function fixed(name: string, length: number, origin: number): Interval {
  return {
    name,
    start: (minute) => Math.floor((minute - origin) / length) * length + origin,
    next: (start) => start + length,
  };
}

function monthStart(minute: number, ahead: number): number {
  const date = new Date(minute * 60_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1) / 60_000;
}

/** Every interval that can be built from minutes, so all of Binance's except `1s`. */
export const INTERVALS: ReadonlyMap<string, Interval> = new Map([
  ...Object.entries(FIXED).map(([name, length]): [string, Interval] => [
    name,
    fixed(name, length, name === '1w' ? MONDAY : 0),
  ]),
  ['1M', { name: '1M', start: (minute) => monthStart(minute, 0), next: (start) => monthStart(start, 1) }],
]);
