import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { MarketTerms, PastCandles } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { stepAt } from '@heron/engine/backtest/backtestTimeline.ts';
import { type CandleColumns, candleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { fromUnits } from '@heron/engine/money/units.ts';
import { columnsOf } from '@heron/engine/session/columnsOf.ts';
import { FetchFailed, type FetchResult, fetchSeries } from '@heron/exchanges/candleStore/fetchSeries.ts';
import { listSeries } from '@heron/exchanges/candleStore/listSeries.ts';
import { type Series, seriesFile } from '@heron/exchanges/candleStore/series.ts';
import { lockSeries } from '@heron/exchanges/candleStore/seriesLock.ts';
import type { Span } from '@heron/exchanges/candleStore/span.ts';
import { ExchangeError, ExchangeUnreachable, RateLimited } from '@heron/exchanges/errors.ts';
import type { FundingPayment, PublicExchange, PublicFutures } from '@heron/exchanges/exchange.ts';
import type { RateBudget } from '@heron/exchanges/http/rateBudget.ts';
import { createKeyedMutex } from '@heron/runtime/keyedMutex.ts';
import type { Logger } from '../log.ts';

/** Maximum number of candles in one response. */
const MAX_CANDLES = 10_000;
/** Older candles, counted back from now, are not returned. */
const FARTHEST = 600_000;

/** Payments are read in stretches of time that begin at multiples of this. A stretch of hourly payments has three pages. */
const STRETCH_MS = 3_000 * 3_600_000;
/** Older payments, in stretches back from now, are not returned. No perpetual future of these venues is older. */
const FARTHEST_STRETCHES = 24;
/**
 * Budget weight of a request for payments. Binance limits these requests separately, to 500 in five minutes per IP address, and
 * bots with open positions send them too. With this weight at most 60 a minute are sent here.
 *
 * @see https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Get-Funding-Rate-History
 */
const PAYMENTS_WEIGHT = 20;
/** Maximum number of payments in one response of the venue. */
const PAYMENTS_PAGE = 1_000;
/** The current stretch is read again after this time. */
const PAYMENTS_FOR_MS = 300_000;
/** Largest number of stretches in the cache. */
const MAX_STRETCHES = 300;

export interface PastReaderDeps {
  readonly exchange: PublicExchange | PublicFutures;
  /** Maximum number of candles in one response of the venue, and the weight of its request. */
  readonly venue: { readonly page: number; readonly weight: number };
  readonly budget: RateBudget;
  /** Id of the venue, under which its series are stored. */
  readonly series: string;
  /** Folder of the store. */
  readonly store: string;
  /** Size limit of the store, in bytes. Above it no new series is stored, because any user could fill the disk. */
  readonly maxBytes: number;
  /** Address of the server that replaces the venue; null for the venue itself. */
  readonly redirect: string | null;
  /** Time limit of a read, shorter than that of its caller. The result contains the candles that were fetched until then. */
  readonly timeoutMs: number;
  readonly log: Logger;
  now(): number;
}

/** Reads historical data of a venue's pairs. */
export interface PastReader {
  /** @throws ExchangeError, CallError `too_many_requests` */
  candles(pair: string, period: Period, span: Span): Promise<PastCandles>;
  /** Returns the funding payments of a future; null on spot. @throws ExchangeError, CallError `too_many_requests` */
  funding(pair: string, span: Span): Promise<MarketTerms['funding']>;
}

/**
 * Opens the reader of historical candles and funding payments for backtests. Fetched candles are stored where `heron candles`
 * and `heron backtest` find them. A demo market may restart with other candles, so its candles are stored apart, and a
 * process deletes them before its first read.
 */
export function openPast(parts: PastReaderDeps): PastReader {
  const { exchange, venue, series: name, budget, store, maxBytes, redirect, timeoutMs, log, now } = parts;
  /** One read at a time of each file, and of the payments of each pair. */
  const mutex = createKeyedMutex();
  /** Cached stretches by pair and start. The one that was read longest ago comes first. */
  const stretches = new Map<string, Stretch>();
  let emptied: Promise<void> | null = null;

  async function emptyOnce(): Promise<void> {
    if (redirect === null) return;
    emptied ??= rm(path.join(store, name), { recursive: true, force: true });
    await emptied;
  }

  async function isStored(file: string): Promise<boolean> {
    if (await sizeOf(file)) return true;
    const files = await listSeries(store);
    const sizes = await Promise.all(files.map((each) => sizeOf(each.file)));
    return sizes.reduce((sum, size) => sum + size, 0) < maxBytes;
  }

  /** Starts the time limit of a call, which includes its wait for other calls. */
  function begin(): Deadline {
    const stop = AbortSignal.timeout(timeoutMs);
    const ended = new ExchangeUnreachable(exchange.name, 'not in time');
    const late = new Promise<never>((_, reject) => stop.addEventListener('abort', () => reject(ended)));
    late.catch(() => {});
    return { stop, ended, late };
  }

  async function fetch(
    series: Series,
    file: string,
    span: Span,
    { stop, ended, late }: Deadline,
  ): Promise<FetchResult> {
    let away: ExchangeError | null = null;
    const release = await lockSeries(file);
    try {
      const fetched = await fetchSeries(series, span, {
        ...{ exchange, file, redirect, signal: stop, now },
        page: venue.page,
        clock: () => performance.now(),
        acquire: () => Promise.race([budget.acquire(venue.weight, 'bulk'), late]),
        onProgress() {},
        onWait(why) {
          if (why !== ended) away = why;
        },
      });
      // Nothing was fetched, because of a fault and not only because of the time limit.
      if (away !== null && knownUntil(fetched, span) === span.from) throw away;
      return fetched;
    } catch (error) {
      throw error instanceof FetchFailed ? error.cause : error;
    } finally {
      await release();
    }
  }

  /** @param retryAt ms */
  function exceedsBudget(retryAt: number): CallError {
    return new CallError('too_many_requests', { seconds: Math.ceil(Math.max(1_000, retryAt - now()) / 1_000) });
  }

  /** Returns the payments of a stretch. Past payments do not change, so a finished stretch is read once. */
  async function paymentsFrom(futures: PublicFutures, pair: string, start: number, deadline: Deadline): Promise<Paid> {
    const key = `${pair} ${start}`;
    const held = stretches.get(key);
    const end = start + STRETCH_MS;
    // A payment is published a moment after its time.
    if (held && (held.requestedAt > end + PAYMENTS_FOR_MS || now() - held.requestedAt < PAYMENTS_FOR_MS))
      return held.paid;
    const retryAt = budget.retryAt();
    if (retryAt !== null) throw new RateLimited(exchange.name, retryAt);
    if (deadline.stop.aborted) throw deadline.ended;
    await Promise.race([budget.acquire(PAYMENTS_WEIGHT, 'bulk'), deadline.late]);
    const requestedAt = now();
    const paid = await futures.fundingHistory(pair, start, Math.min(end, requestedAt));
    stretches.delete(key);
    stretches.set(key, { requestedAt, paid });
    for (const oldest of stretches.keys()) {
      if (stretches.size <= MAX_STRETCHES) break;
      stretches.delete(oldest);
    }
    // The number of pages is known only now. Hourly payments take more than one request.
    const more = Math.floor(paid.length / PAYMENTS_PAGE);
    if (more > 0) await Promise.race([budget.acquire(PAYMENTS_WEIGHT * more, 'bulk'), deadline.late]);
    return paid;
  }

  return {
    async candles(pair, period, { from, to }) {
      // This call also synchronises the clock with the venue.
      await exchange.markets();
      const step = PERIODS[period];
      const first = Math.max(from, now() - FARTHEST * step);
      const span = { from: first, to: Math.min(to, first + MAX_CANDLES * step) };
      if (span.to <= first) return toPastCandles(candleColumns(0), from, Math.max(from, to));
      const deadline = begin();
      const series = { exchange: name, pair, period };
      const file = seriesFile(store, series);
      await emptyOnce();
      try {
        if (await isStored(file)) {
          const fetched = await mutex.run(file, () => fetch(series, file, span, deadline));
          return toPastCandles(fetched.stored.candles, span.from, knownUntil(fetched, span));
        }
      } catch (error) {
        if (error instanceof RateLimited) throw exceedsBudget(error.retryAt);
        if (error instanceof ExchangeError) throw error;
        // The file is in use, damaged or of another venue. The candles are then read without it.
        log.warn({ err: error, file }, 'candles of the store cannot be used');
      }
      const pages = Math.ceil((span.to - span.from) / step / venue.page);
      await Promise.race([budget.acquire(venue.weight * pages, 'bulk'), deadline.late]);
      return { ...columnsOf(await exchange.candles(pair, period, span.from, span.to)), until: span.to };
    },

    async funding(pair, { from, to }) {
      if (!('fundingHistory' in exchange)) return null;
      const until = Math.min(to, now());
      const since = Math.max(from, now() - FARTHEST_STRETCHES * STRETCH_MS);
      const deadline = begin();
      const paid: FundingPayment[] = [];
      try {
        for (let start = since - (since % STRETCH_MS); start < until; start += STRETCH_MS) {
          const read = () => paymentsFrom(exchange, pair, start, deadline);
          paid.push(...(await mutex.run(`payments of ${pair}`, read)));
        }
      } catch (error) {
        // The stretches that were read are cached, so a repeated call gets further.
        if (error === deadline.ended) throw exceedsBudget(0);
        throw error instanceof RateLimited ? exceedsBudget(error.retryAt) : error;
      }
      return columnsOfPayments(paid.filter(({ time }) => time >= since && time < until));
    },
  };
}

type Paid = readonly FundingPayment[];

/** Payments of one pair in one stretch of time. */
interface Stretch {
  /** ms */
  readonly requestedAt: number;
  readonly paid: Paid;
}

function columnsOfPayments(paid: readonly FundingPayment[]): MarketTerms['funding'] {
  return {
    time: paid.map(({ time }) => time),
    rate: paid.map(({ rate }) => rate),
    mark: paid.map(({ mark }) => fromUnits(mark)),
  };
}

/** The time limit of a call. */
interface Deadline {
  readonly stop: AbortSignal;
  /** The error with which `late` rejects at the time limit. */
  readonly ended: ExchangeError;
  readonly late: Promise<never>;
}

/** Returns the size of a file in bytes; 0 when it does not exist. */
async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** Returns the end of the span up to which all candles are known. */
function knownUntil({ complete, gaps, requested: wanted }: FetchResult, span: Span): number {
  if (complete) return span.to;
  const open = gaps.find(({ venue }) => !venue);
  return Math.max(span.from, open?.from ?? wanted.to);
}

function toPastCandles(candles: CandleColumns, from: number, until: number): PastCandles {
  const { time, open, high, low, close, volume } = sliceCandles(
    candles,
    stepAt(candles.time, from),
    stepAt(candles.time, until),
  );
  return {
    time: [...time],
    open: [...open],
    high: [...high],
    low: [...low],
    close: [...close],
    volume: [...volume],
    until,
  };
}
