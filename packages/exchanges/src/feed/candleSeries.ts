import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { ExchangeError } from '../errors.ts';
import type { PublicExchange } from '../exchange.ts';

/** A closed candle that has not arrived this long after its end is read from the venue. */
const OVERDUE_MS = 3_000;
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;

/** Closed candles of one pair and period. Each is reported once and in order; gaps are the venue's own. */
export interface CandleSeries {
  /** Returns the newest `count` closed candles, oldest first; fewer when the venue has no more. */
  history(count: number): Promise<ClosedCandle[]>;
  /** Accepts a closed candle from the stream. */
  offer(candle: ClosedCandle): void;
  /** Reads candles that the stream may have missed. Never rejects; `check` retries after a failure. */
  repair(): Promise<void>;
  /** Repairs an overdue candle. The feed calls it every second. */
  check(): void;
}

/**
 * @param exchange where history and missing candles come from
 * @param onClosed is called with each candle after those of `history`
 */
export function candleSeries(
  exchange: PublicExchange,
  pair: string,
  period: Period,
  onClosed: (candle: ClosedCandle) => void,
  onError: (error: ExchangeError) => void,
): CandleSeries {
  const length = PERIODS[period];
  let candles: ClosedCandle[] = [];
  /** End of the first history that was read, ms; NaN before. The series is known from then on, also without a candle. */
  let readUntil = Number.NaN;
  /** Candles from the stream that wait for older ones to be read. */
  let waiting: ClosedCandle[] = [];
  let capacity = 0;
  /** The venue has no candle before the first one here. */
  let complete = false;
  let work: Promise<unknown> = Promise.resolve();
  let repairing = false;
  let pauseMs = FIRST_PAUSE_MS;
  let tryAt = 0;

  const nextTime = () => {
    const newest = candles.at(-1);
    return newest === undefined ? readUntil : newest.time + length;
  };
  const isKnown = () => !Number.isNaN(readUntil);

  function append(candle: ClosedCandle): void {
    candles.push(candle);
    // Cut rarely, because shifting a long array at every candle is expensive.
    if (candles.length > capacity * 2 + 100) candles = candles.slice(-capacity);
    onClosed(candle);
  }

  /** Runs one request at a time: `history` and `repair` both depend on the candles here. */
  function enqueue<T>(action: () => Promise<T>): Promise<T> {
    const last = work.then(action, action);
    work = last.catch(() => {});
    return last;
  }

  async function readHistory(count: number): Promise<ClosedCandle[]> {
    const startedAt = exchange.time();
    if (candles.length === 0) {
      const end = periodStart(startedAt, length);
      const found = await exchange.candles(pair, period, end - count * length, end);
      if (!isKnown()) readUntil = end;
      // The stream may have appended the first candles meanwhile.
      const first = candles[0]?.time ?? readUntil;
      const older = found.filter(({ time }) => time < first);
      const newer = found.filter(({ time }) => time >= nextTime());
      candles = [...older, ...candles];
      complete = older.length < count;
      for (const candle of newer) append(candle);
      settleWaiting(startedAt);
    } else if (candles.length < count && !complete) {
      const first = (candles[0] as ClosedCandle).time;
      const older = await exchange.candles(pair, period, first - (count - candles.length) * length, first);
      complete = older.length < count - candles.length;
      candles = [...older, ...candles];
    }
    return candles.slice(-count);
  }

  /**
   * Reports the waiting candles that come next. A gap is accepted where the venue has just been read and has no candle.
   *
   * @param readAt time of the read, ms by the venue's clock
   */
  function settleWaiting(readAt: number): void {
    const held = waiting.sort((a, b) => a.time - b.time);
    waiting = [];
    for (const candle of held) {
      if (candles.length > 0 && candle.time < nextTime()) continue;
      // The candle before ends when this one begins.
      const wasRead = candle.time + OVERDUE_MS <= readAt;
      if (candles.length === 0 || candle.time === nextTime() || wasRead) append(candle);
      else waiting.push(candle);
    }
  }

  const series: CandleSeries = {
    history(count) {
      capacity = Math.max(capacity, count);
      return enqueue(() => readHistory(count));
    },

    offer(candle) {
      if (candles.length > 0 && candle.time < nextTime()) return;
      if (isKnown() && candle.time === nextTime() && waiting.length === 0) {
        append(candle);
        return;
      }
      waiting.push(candle);
      if (isKnown()) void series.repair();
    },

    async repair() {
      if (repairing || !isKnown()) return;
      repairing = true;
      try {
        await enqueue(async () => {
          const startedAt = exchange.time();
          const missing = await exchange.candles(pair, period, nextTime(), startedAt);
          for (const candle of missing) if (candle.time >= nextTime()) append(candle);
          settleWaiting(startedAt);
          pauseMs = missing.length > 0 ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        });
      } catch (error) {
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        onError(error as ExchangeError);
      } finally {
        repairing = false;
        tryAt = exchange.time() + pauseMs;
      }
    },

    check() {
      if (!isKnown()) return;
      const now = exchange.time();
      const overdue = nextTime() + length + OVERDUE_MS;
      if (now < overdue) {
        pauseMs = FIRST_PAUSE_MS;
        return;
      }
      if (now >= tryAt) void series.repair();
    },
  };
  return series;
}
