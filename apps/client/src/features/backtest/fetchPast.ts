import type { MarketTerms, PastCandles } from '@heron/contract/bots/entities.ts';
import type { BacktestPair } from '@heron/engine/backtest/backtestPair.ts';
import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { ApiError, NoAnswer } from '../../lib/api.ts';
import type { BacktestPlan } from './backtestPlan.ts';

/** Provides candles, market terms and the delay between two requests. */
export interface PastSource {
  candles(pair: string, period: BacktestPlan['period'], from: number, to: number): Promise<PastCandles>;
  terms(pair: string, from: number, to: number): Promise<MarketTerms>;
  pause(ms: number): Promise<void>;
}

/** Number of consecutive empty responses after which the exchange counts as unavailable. */
const MAX_EMPTY = 8;
const PAUSE_MS = 1_000;
/** Max attempts while the server is unavailable: it starts the worker of an exchange at the first request. */
const MAX_ABSENCES = 4;
const ABSENCE_MS = 3_000;

/**
 * Fetches the candles and terms of a backtest, pair by pair, in the pages that the server returns.
 *
 * @param progress receives the number of candles of the plan that are done
 * @throws ApiError, NoAnswer; the reason of `stop` when it is stopped
 */
export async function fetchPast(
  plan: BacktestPlan,
  source: PastSource,
  stop: AbortSignal,
  progress: (done: number) => void,
): Promise<BacktestPair[]> {
  const { pairs, period, from, to } = plan;
  const stepMs = PERIODS[period];
  const found: BacktestPair[] = [];
  for (const [index, pair] of pairs.entries()) {
    const parts: PastCandles[] = [];
    let empty = 0;
    for (let at = from; at < to; ) {
      const part = await inTime(() => source.candles(pair, period, at, to));
      parts.push(part);
      if (part.until > at) empty = 0;
      else if (++empty === MAX_EMPTY) throw new NoAnswer('timeout');
      else await source.pause(PAUSE_MS);
      stop.throwIfAborted();
      at = Math.max(at, part.until);
      progress((index * (to - from) + Math.min(at, to) - from) / stepMs);
    }
    const { market, funding } = await inTime(() => source.terms(pair, from, to));
    found.push({
      market,
      candles: joined(parts),
      candleMs: stepMs,
      ...(funding && {
        funding: {
          time: Float64Array.from(funding.time),
          rate: Float64Array.from(funding.rate),
          mark: Float64Array.from(funding.mark),
        },
      }),
    });
  }
  return found;

  /** Retries after the delay that the server gives, and a few times while the server is unavailable. */
  async function inTime<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    for (let absences = 0; ; ) {
      stop.throwIfAborted();
      try {
        return await question();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { seconds } = error.details;
        if (error.code === 'too_many_requests' && typeof seconds === 'number') await source.pause(seconds * 1_000);
        else if (error.code === 'unavailable' && ++absences < MAX_ABSENCES) await source.pause(ABSENCE_MS);
        else throw error;
      }
    }
  }
}

function joined(parts: readonly PastCandles[]): CandleColumns {
  const all = candleColumns(parts.reduce((sum, { time }) => sum + time.length, 0));
  let at = 0;
  for (const part of parts) {
    for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) all[name].set(part[name], at);
    at += part.time.length;
  }
  return all;
}
