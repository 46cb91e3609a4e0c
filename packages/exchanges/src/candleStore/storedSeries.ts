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

/** Candles of one series, and what is known of how they came here. */
export interface StoredSeries {
  readonly candles: CandleColumns;
  /** When the venue was asked for all its candles: a candle missing inside is missing there too. */
  readonly fetched: readonly Span[];
  /** Address of the venue where it is not the exchange itself but one that speaks as it, such as the demo market. */
  readonly redirect: string | null;
  readonly priceDecimals: number;
}

/** A stored series as it was found. */
export interface FoundSeries extends StoredSeries {
  /** Rows that are no candles; they are not among `candles`. */
  readonly bad: readonly BadRow[];
  /** What the file says that it holds; null when it does not say, because another program wrote it. */
  readonly series: Series | null;
  /** Whether candles are those that were written; null when that is not known. */
  readonly unchanged: boolean | null;
  /** Size of the file. */
  readonly bytes: number;
}

export const NO_CANDLES: StoredSeries = { candles: candleColumns(0), fetched: [], redirect: null, priceDecimals: 0 };

/**
 * Reads a file of the store.
 *
 * @returns null when there is none
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

/** Puts a file of the store in the place of an older one, at once or not at all. */
export async function writeSeries(file: string, series: Series, stored: StoredSeries): Promise<void> {
  // The library takes a tenth of a second to load: only who writes waits for it.
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
