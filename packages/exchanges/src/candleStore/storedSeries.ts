import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import { isPeriod } from '@heron/engine/market/period.ts';
import { parseCandleArrow } from '../candles/arrow.ts';
import { ArrowFault } from '../candles/arrowFault.ts';
import type { BadRow } from '../candles/csv.ts';
import type { Series } from './series.ts';
import { joinedSpans, type Span } from './span.ts';
import { writeAtomically } from './writeAtomically.ts';

/** Keys of the file's metadata. */
const SERIES = 'heron.series';
const ASKED = 'heron.asked';
const REDIRECT = 'heron.redirect';
const CHECKSUM = 'heron.crc32';

/** Candles of one series, with their origin. */
export interface StoredSeries {
  readonly candles: CandleColumns;
  /** Spans that were fetched completely: a candle missing inside is missing at the venue. */
  readonly fetched: readonly Span[];
  /** Address of a venue that replaces the exchange, such as the demo market; null for the exchange. */
  readonly redirect: string | null;
  readonly priceDecimals: number;
}

/** A stored series as it was read. */
export interface FoundSeries extends StoredSeries {
  /** Rows that are no candles. `candles` does not contain them. */
  readonly bad: readonly BadRow[];
  /** Series in the file's metadata; null for a file of another program. */
  readonly series: Series | null;
  /** Whether the checksum matches; null when there is none. */
  readonly unchanged: boolean | null;
  /** Size of the file. */
  readonly bytes: number;
}

export const NO_CANDLES: StoredSeries = { candles: candleColumns(0), fetched: [], redirect: null, priceDecimals: 0 };

/**
 * Reads a file of the store.
 *
 * @returns null when the file is missing
 * @throws ArrowFault when the file is damaged
 */
export async function readSeries(file: string): Promise<FoundSeries | null> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const { candles, bad, priceDecimals, metadata } = parseCandleArrow(bytes);
  const checksum = metadata.get(CHECKSUM);
  return {
    candles,
    bad,
    priceDecimals,
    series: seriesIn(metadata.get(SERIES)),
    fetched: askedIn(metadata.get(ASKED)),
    redirect: metadata.get(REDIRECT) ?? null,
    unchanged: checksum === undefined ? null : bad.length === 0 && checksum === checksumOf(candles),
    bytes: bytes.length,
  };
}

/** Replaces a file of the store atomically. */
export async function writeSeries(file: string, series: Series, stored: StoredSeries): Promise<void> {
  // The library takes 100 ms to load, which only writers need.
  const { candleArrow } = await import('../candles/writeArrow.ts');
  const { exchange, pair, period } = series;
  const metadata = new Map([
    [SERIES, `${exchange} ${pair} ${period}`],
    [ASKED, JSON.stringify(stored.fetched.map(({ from, to }) => [from, to]))],
    [CHECKSUM, checksumOf(stored.candles)],
  ]);
  if (stored.redirect !== null) metadata.set(REDIRECT, stored.redirect);
  await writeAtomically(file, candleArrow(stored.candles, stored.priceDecimals, metadata));
}

function seriesIn(text: string | undefined): Series | null {
  const [exchange, pair, period] = (text ?? '').split(' ');
  return exchange && pair && isPeriod(period) ? { exchange, pair, period } : null;
}

/** @throws ArrowFault */
function askedIn(text: string | undefined): Span[] {
  if (text === undefined) return [];
  try {
    return joinedSpans((JSON.parse(text) as [number, number][]).map(([from, to]) => spanOf(from, to)));
  } catch (cause) {
    throw new ArrowFault('is damaged: what was asked of the venue cannot be read', { cause });
  }
}

function spanOf(from: number, to: number): Span {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) throw new TypeError('no times');
  return { from, to };
}

function checksumOf({ time, open, high, low, close, volume }: CandleColumns): string {
  let sum = 0;
  for (const { buffer, byteOffset, byteLength } of [time, open, high, low, close, volume]) {
    sum = crc32(new Uint8Array(buffer, byteOffset, byteLength), sum);
  }
  return sum.toString(16).padStart(8, '0');
}
