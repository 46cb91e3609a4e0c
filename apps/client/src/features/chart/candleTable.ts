import type { CandleBar, CandleHistory } from '@heron/contract/bots/entities.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import { createIndicatorRun, type IndicatorRun } from './indicatorRun.ts';

type CandleMessage = Extract<StreamMessage, { type: 'candle' }>;

/** Holds the candles of one chart: closed ones with the strategy's values, and the forming one; and the user's indicators. */
export interface CandleTable {
  readonly periodMs: number;
  /** Max number of candles, within a tenth. */
  limit: number;
  readonly series: readonly Pick<CandleHistory['series'][number], 'name' | 'pane' | 'kind'>[];
  /** Oldest first; the last may be forming. */
  readonly candles: CandleBar[];
  /** Values of `series` by candle; null for a forming candle. */
  readonly values: (readonly (number | null)[] | null)[];
  /** Indicators that the user has added. */
  indicators: IndicatorRun;
}

/**
 * Describes the effect of a message on the candles. `cut`: a candle was added and the oldest were dropped. `gap`: candles
 * are missing in between, so the history must be fetched again.
 */
export type Change = 'updated' | 'added' | 'cut' | 'gap' | 'old';

/** Max number of candles of a chart that stays open. */
const MAX_CANDLES = 5_000;
/** The oldest tenth is dropped at once, because each cut redraws the whole chart. */
const SLACK = 1.1;

/**
 * Creates a book from a history.
 *
 * @param before the previous book. Its older candles are kept if the history continues them, without their values if the
 *   series differ
 */
export function createCandleTable(history: CandleHistory, periodMs: number, before?: CandleTable): CandleTable {
  const table: CandleTable = {
    periodMs,
    // A bot may be configured to keep more candles.
    limit: Math.max(MAX_CANDLES, history.time.length),
    series: history.series.map(({ name, pane, kind }) => ({ name, pane, kind })),
    candles: barsOf(history),
    values: history.time.map((_, row) => history.series.map(({ values }) => values[row] ?? null)),
    indicators: before?.indicators ?? createIndicatorRun([]),
  };
  const [first] = history.time;
  const known = before?.candles.findIndex(({ time }) => time === first) ?? -1;
  if (before && known > 0) {
    table.limit = Math.max(table.limit, before.limit);
    const from = Math.max(0, known - (table.limit - history.time.length));
    const values = before.values.slice(from, known);
    table.candles.unshift(...before.candles.slice(from, known));
    table.values.unshift(...(haveSameSeries(table, before) ? values : values.map(() => null)));
  }
  table.indicators.follow(table.candles);
  return table;
}

/** Replaces the indicators of the user. */
export function setIndicators(table: CandleTable, parts: Parameters<typeof createIndicatorRun>[0]): void {
  table.indicators = createIndicatorRun(parts);
  table.indicators.follow(table.candles);
}

/** Returns the value of a line in a candle: its column counts the strategy's series first, then those of the indicators. */
export function valueAt({ series, values, indicators }: CandleTable, row: number, column: number): number | null {
  const value = column < series.length ? values[row]?.[column] : indicators.rows[row]?.[column - series.length];
  return value ?? null;
}

function haveSameSeries(one: CandleTable, other: CandleTable): boolean {
  const names = ({ series }: CandleTable) => series.map(({ name, pane, kind }) => `${name} ${pane} ${kind}`).join();
  return names(one) === names(other);
}

/**
 * Prepends older candles and raises the limit of the book accordingly. They have no values of the strategy.
 *
 * @returns the number of added candles
 */
export function prependCandles(table: CandleTable, older: CandleHistory): number {
  const first = table.candles[0]?.time ?? Number.POSITIVE_INFINITY;
  const bars = barsOf(older).filter(({ time }) => time < first);
  table.candles.unshift(...bars);
  table.values.unshift(...bars.map(() => null));
  table.limit = Math.max(table.limit, table.candles.length);
  table.indicators.follow(table.candles);
  return bars.length;
}

function barsOf(history: CandleHistory): CandleBar[] {
  const at = (column: readonly number[], row: number) => column[row] as number;
  return history.time.map((time, row) => ({
    time,
    open: at(history.open, row),
    high: at(history.high, row),
    low: at(history.low, row),
    close: at(history.close, row),
    volume: at(history.volume, row),
  }));
}

/** Adds a pushed candle to the book. */
export function addCandle(table: CandleTable, message: Pick<CandleMessage, 'candle' | 'values'>): Change {
  const change = putCandle(table, message);
  table.indicators.follow(table.candles);
  return change;
}

function putCandle(table: CandleTable, { candle, values }: Pick<CandleMessage, 'candle' | 'values'>): Change {
  const last = table.candles.at(-1);
  if (last && candle.time < last.time) return 'old';
  if (last && candle.time === last.time) {
    table.candles[table.candles.length - 1] = candle;
    table.values[table.values.length - 1] = values ?? table.values.at(-1) ?? null;
    return 'updated';
  }
  if (last && candle.time > last.time + table.periodMs) return 'gap';
  table.candles.push(candle);
  table.values.push(values);
  if (table.candles.length <= table.limit * SLACK) return 'added';
  const extra = table.candles.length - table.limit;
  table.candles.splice(0, extra);
  table.values.splice(0, extra);
  return 'cut';
}
