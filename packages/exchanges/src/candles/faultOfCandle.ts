import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';

/**
 * Returns whether a row may follow the one before: its time is whole, in ms, and later.
 *
 * @param last open time of the candle before; −Infinity for the first
 */
export function mayFollow(time: number, last: number): boolean {
  return time > last && time >= 0 && time <= Number.MAX_SAFE_INTEGER && Math.floor(time) === time;
}

/** Returns whether the values of a row are those of a candle: prices above 0 inside low and high, no negative volume. */
export function isCandle(open: number, high: number, low: number, close: number, volume: number): boolean {
  return (
    low > 0 &&
    open >= low &&
    open <= high &&
    close >= low &&
    close <= high &&
    high < Number.POSITIVE_INFINITY &&
    volume >= 0 &&
    volume < Number.POSITIVE_INFINITY
  );
}

/** Returns why {@link mayFollow} or {@link isCandle} rejects a row. @param last as of `mayFollow` */
export function faultOfCandle({ time, open, high, low, close, volume }: ClosedCandle, last: number): string {
  if (!Number.isSafeInteger(time) || time < 0) return `timestamp_ms ${time} is not a time in milliseconds`;
  for (const [name, value] of Object.entries({ open, high, low, close, volume })) {
    if (!Number.isFinite(value)) return `${name} ${value} is not a number`;
  }
  if (!(low > 0)) return `low ${low} is not above 0`;
  if (high < low) return `high ${high} is below low ${low}`;
  if (open > high || open < low) return `open ${open} lies outside ${low} to ${high}`;
  if (close > high || close < low) return `close ${close} lies outside ${low} to ${high}`;
  if (!(volume >= 0)) return `volume ${volume} is below 0`;
  if (time === last) return `duplicate of the candle before (${time})`;
  return `time goes back from ${last} to ${time}`;
}
