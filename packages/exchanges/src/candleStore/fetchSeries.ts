import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import { isCandle, mayFollow } from '../candles/faultOfCandle.ts';
import { priceDecimalsOf } from '../candles/priceDecimals.ts';
import { ExchangeError } from '../errors.ts';
import { CLOSED_AFTER_MS, type PublicExchange } from '../exchange.ts';
import { gapsOf } from './gaps.ts';
import { mergedColumns } from './mergedColumns.ts';
import { type RetryOptions, retryWithBackoff } from './retryWithBackoff.ts';
import type { Series } from './series.ts';
import { joinedSpans, remainingSpans, type Span } from './span.ts';
import { NO_CANDLES, readSeries, type StoredSeries, writeSeries } from './storedSeries.ts';
import { gridAfter, gridBefore, type TimeGrid, timeGrid } from './timeGrid.ts';

/** A missing candle younger than this may still be published; an older one is a gap of the venue. */
const SETTLED_MS = 3_600_000;
/** With more pages than this before the first known candle, the start of the venue's candles is searched first. */
const MIN_PAGES_TO_SAVE = 4;
/** Number of gaps that are read a second time before they count as gaps of the venue. */
const MAX_GAPS_RETRIED = 50;
/** Fetched candles are written at least this often, while writing takes at most a twentieth of the time. */
const SAVE_EVERY_MS = 5_000;
const SAVE_SHARE = 20;

export interface FetchDeps extends RetryOptions {
  /** The exchange, with loaded markets, so that it knows the venue's clock. */
  readonly exchange: PublicExchange;
  /** Most candles in one response of the venue. */
  readonly page: number;
  /** File of the candles, see `seriesFile`. The caller holds its lock. */
  readonly file: string;
  /** Address of a venue that replaces the exchange; null for the exchange. */
  readonly redirect: string | null;
  /** Resolves when one more page may be requested. */
  readonly acquire: () => Promise<void>;
  /** Is called with the number of processed candles and the number of all. */
  readonly onProgress: (done: number, all: number) => void;
  /** Monotonic ms, for the intervals of writing. */
  readonly clock: () => number;
}

/** Result of a fetch. */
export interface FetchResult {
  readonly stored: StoredSeries;
  /** The requested span, limited to closed candles. */
  readonly requested: Span;
  /** New candles, and candles whose values changed at the venue. */
  readonly added: number;
  readonly changed: number;
  /** Number of rows that are no candles. */
  readonly invalidRows: number;
  /** Number of responses. */
  readonly pages: number;
  /** Missing spans inside `requested`; `venue` when the venue has no candles there. */
  readonly gaps: readonly (Span & { readonly venue: boolean })[];
  /** Whether the fetch was completed. */
  readonly complete: boolean;
}

/** The file holds candles of another venue. */
class OtherVenue extends Error {
  override readonly name = 'OtherVenue';
}

/** A fetch failed before its end; the candles until then are saved. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly savedCandles: number;

  constructor(cause: ExchangeError, kept: number) {
    super(cause.message, { cause });
    this.savedCandles = kept;
  }
}

/**
 * Fetches the candles of a series that are not in its file yet, page by page. Candles in the file and known gaps of the venue
 * are not requested again. The file is written at intervals, at the end, and when stopped, each time as a whole. A kill
 * loses the pages since the last write, which the next run fetches.
 *
 * @param span requested span, ms
 * @throws FetchFailed when the venue does not respond or refuses; OtherVenue; ArrowFault when the file is damaged
 */
export async function fetchSeries(series: Series, span: Span, parts: FetchDeps): Promise<FetchResult> {
  const { exchange, file } = parts;
  const before = (await readSeries(file)) ?? NO_CANDLES;
  if (before.candles.length > 0 && before.redirect !== parts.redirect) {
    const of = (address: string | null) => address ?? `${series.exchange} itself`;
    throw new OtherVenue(
      `${file} holds candles of ${of(before.redirect)}, not of ${of(parts.redirect)}; choose another folder with --data`,
    );
  }
  let stored: StoredSeries = { ...before, redirect: parts.redirect };
  let fresh: ClosedCandle[] = [];
  let asked: Span[] = [];
  let added = 0;
  let changed = 0;
  let refused = 0;
  let pages = 0;
  let savedAt = parts.clock();
  let saveTook = 0;

  async function save(): Promise<void> {
    if (asked.length === 0) return;
    const began = parts.clock();
    const newer = columnsOf(fresh);
    const merged = mergedColumns(stored.candles, newer);
    stored = {
      ...stored,
      candles: merged.candles,
      fetched: joinedSpans([...stored.fetched, ...asked]),
      priceDecimals: Math.max(stored.priceDecimals, priceDecimalsOf(newer)),
    };
    await writeSeries(file, series, stored);
    added += merged.added;
    changed += merged.changed;
    fresh = [];
    asked = [];
    savedAt = parts.clock();
    saveTook = savedAt - began;
  }

  /** Reads one page with retries; null when stopped. */
  async function answer(period: Series['period'], { from, to }: Span): Promise<ClosedCandle[] | null> {
    const candles = await retryWithBackoff(async () => {
      await parts.acquire();
      return exchange.candles(series.pair, period, from, to);
    }, parts);
    if (candles !== null) pages += 1;
    return candles;
  }

  async function fetchPage(page: Span): Promise<boolean> {
    const candles = await answer(series.period, page);
    if (candles === null) return false;
    let last = Number.NEGATIVE_INFINITY;
    for (const candle of candles) {
      const { time, open, high, low, close, volume } = candle;
      const placed = time >= page.from && time < page.to && gridBefore(gridFor(time), time) === time;
      if (placed && mayFollow(time, last) && isCandle(open, high, low, close, volume)) {
        fresh.push(candle);
        last = time;
      } else refused += 1;
    }
    const settled = Math.min(page.to, exchange.time() - SETTLED_MS);
    const to = Math.max(settled, last + PERIODS[series.period]);
    if (to > page.from) asked.push({ from: page.from, to });
    return true;
  }

  function gridFor(first: number): TimeGrid {
    const known = stored.candles.time[0] ?? fresh[0]?.time ?? first;
    return timeGrid(series.period, known);
  }

  const grid = timeGrid(series.period, stored.candles.time[0] ?? null);
  const wanted = {
    from: gridAfter(grid, Math.max(0, span.from)),
    to: gridBefore(grid, Math.min(span.to, exchange.time() - CLOSED_AFTER_MS)),
  };
  const step = PERIODS[series.period];
  let complete = false;
  try {
    complete = await run();
  } catch (error) {
    await save();
    if (error instanceof ExchangeError) throw new FetchFailed(error, added);
    throw error;
  }
  await save();
  return { stored, requested: wanted, added, changed, invalidRows: refused, pages, gaps: remainingGaps(), complete };

  async function run(): Promise<boolean> {
    if (wanted.to <= wanted.from) return true;
    const missing = await withoutTimeBefore(remainingSpans(wanted, covered()));
    const all = missing.reduce((sum, { from, to }) => sum + (to - from) / step, 0);
    let done = 0;
    parts.onProgress(done, all);
    for (const whole of missing) {
      for (const page of pagesOf(whole)) {
        if (!(await fetchPage(page))) return false;
        done += (page.to - page.from) / step;
        parts.onProgress(done, all);
        if (parts.clock() - savedAt >= Math.max(SAVE_EVERY_MS, SAVE_SHARE * saveTook)) await save();
      }
    }
    await save();
    return fetchGapsAgain(missing);
  }

  /** A response may be incomplete: a gap is read separately before it counts as a gap of the venue. */
  async function fetchGapsAgain(spans: readonly Span[]): Promise<boolean> {
    const gaps = spans.flatMap((whole) => gapsOf(stored.candles.time, gridFor(0), whole));
    for (const gap of gaps.filter(({ from }) => from > (stored.candles.time[0] ?? 0)).slice(0, MAX_GAPS_RETRIED)) {
      for (const page of pagesOf(gap)) if (!(await fetchPage(page))) return false;
    }
    return true;
  }

  /** Returns the spans that have candles or were requested. */
  function covered(): Span[] {
    const { candles } = stored;
    const [first] = candles.time;
    if (first === undefined) return [...stored.fetched];
    const held = { from: first, to: (candles.time[candles.length - 1] as number) + step };
    return joinedSpans([...stored.fetched, ...remainingSpans(held, gapsOf(candles.time, grid, held))]);
  }

  /** Cuts the time before the venue's first candle, which a few long candles show. */
  async function withoutTimeBefore(missing: Span[]): Promise<Span[]> {
    const [first, ...others] = missing;
    const earlier = stored.candles.time[0] ?? Number.POSITIVE_INFINITY;
    const long = PERIODS['1d'];
    if (first === undefined || first.from > earlier || step >= long || !exchange.periods.has('1d')) return missing;
    if (first.to - first.from <= MIN_PAGES_TO_SAVE * parts.page * step) return missing;
    const from = gridBefore(timeGrid('1d', null), first.from);
    for (const page of pagesOf({ from, to: first.to }, long)) {
      const days = await answer('1d', page);
      if (days === null) return [];
      const [day] = days;
      // The current day has no closed candle yet, but its minutes have.
      const closed = gridBefore(timeGrid('1d', null), exchange.time() - CLOSED_AFTER_MS);
      const empty = day === undefined ? Math.min(page.to, closed) : day.time;
      if (empty > first.from) asked.push({ from: first.from, to: empty });
      if (day === undefined) continue;
      return [{ from: Math.max(first.from, day.time), to: first.to }, ...others];
    }
    return remainingSpans(first, asked).concat(others);
  }

  function pagesOf(whole: Span, length = step): Span[] {
    const size = parts.page * length;
    return Array.from({ length: Math.ceil((whole.to - whole.from) / size) }, (_, i) => ({
      from: whole.from + i * size,
      to: Math.min(whole.from + (i + 1) * size, whole.to),
    }));
  }

  function remainingGaps(): FetchResult['gaps'] {
    return gapsOf(stored.candles.time, gridFor(0), wanted).flatMap((gap) => {
      const open = remainingSpans(gap, stored.fetched).map((part) => ({ ...part, venue: false }));
      const known = remainingSpans(gap, open).map((part) => ({ ...part, venue: true }));
      return [...open, ...known].sort((a, b) => a.from - b.from);
    });
  }
}

function columnsOf(rows: ClosedCandle[]): CandleColumns {
  const inOrder = rows.toSorted((a, b) => a.time - b.time);
  const candles = candleColumns(inOrder.length);
  inOrder.forEach(({ time, open, high, low, close, volume }, i) => {
    candles.time[i] = time;
    candles.open[i] = open;
    candles.high[i] = high;
    candles.low[i] = low;
    candles.close[i] = close;
    candles.volume[i] = volume;
  });
  return candles;
}
