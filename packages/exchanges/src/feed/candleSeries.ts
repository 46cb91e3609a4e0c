import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { ExchangeError } from '../errors.ts';
import type { PublicExchange } from '../exchange.ts';

/** How long after the end of a candle its closing must have arrived, else it is asked for. */
const OVERDUE_MS = 3_000;
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;

/** Closed candles of one pair and period, without gaps but those of the venue itself, each told once and in order. */
export interface CandleSeries {
  /** The newest `count` closed candles, oldest first; fewer when the venue has no more. */
  history(count: number): Promise<ClosedCandle[]>;
  /** A closed candle from the stream. */
  offer(candle: ClosedCandle): void;
  /** Asks the venue for what the stream may have missed. Never rejects; failures are tried again by `check`. */
  repair(): Promise<void>;
  /** To be called every second: repairs a candle that is overdue. */
  check(): void;
}

/**
 * @param exchange where history and missing candles come from
 * @param onClosed each candle after those that `history` has given
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
  /** Candles from the stream that cannot be placed until older ones have been read. */
  let waiting: ClosedCandle[] = [];
  let capacity = 0;
  /** The venue has nothing before the first candle held. */
  let complete = false;
  let work: Promise<unknown> = Promise.resolve();
  let repairing = false;
  let pauseMs = FIRST_PAUSE_MS;
  let tryAt = 0;

  const nextTime = () => (candles.at(-1)?.time ?? Number.NaN) + length;

  function append(candle: ClosedCandle): void {
    candles.push(candle);
    // Cut rarely: shifting a long array at every candle would be work for nothing.
    if (candles.length > capacity * 2 + 100) candles = candles.slice(-capacity);
    onClosed(candle);
  }

  /** One request at a time: history and repair both decide by what is held. */
  function enqueue<T>(action: () => Promise<T>): Promise<T> {
    const last = work.then(action, action);
    work = last.catch(() => {});
    return last;
  }

  async function readHistory(count: number): Promise<ClosedCandle[]> {
    const newestStart = periodStart(exchange.time(), length) - length;
    if (candles.length === 0) {
      candles = await exchange.candles(pair, period, newestStart - (count - 1) * length, newestStart + length);
      complete = candles.length < count;
    } else if (candles.length < count && !complete) {
      const first = (candles[0] as ClosedCandle).time;
      const older = await exchange.candles(pair, period, first - (count - candles.length) * length, first);
      complete = older.length < count - candles.length;
      candles = [...older, ...candles];
    }
    settleWaiting(true);
    return candles.slice(-count);
  }

  /** @param final accepts gaps: the venue has just been asked and has nothing for them */
  function settleWaiting(final: boolean): void {
    const held = waiting.sort((a, b) => a.time - b.time);
    waiting = [];
    for (const candle of held) {
      if (candle.time < nextTime()) continue;
      if (final || candle.time === nextTime()) append(candle);
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
      if (candles.length > 0 && candle.time === nextTime() && waiting.length === 0) {
        append(candle);
        return;
      }
      waiting.push(candle);
      if (candles.length > 0) void series.repair();
    },

    async repair() {
      if (repairing || candles.length === 0) return;
      repairing = true;
      try {
        await enqueue(async () => {
          const missing = await exchange.candles(pair, period, nextTime(), exchange.time());
          for (const candle of missing) if (candle.time >= nextTime()) append(candle);
          settleWaiting(true);
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
