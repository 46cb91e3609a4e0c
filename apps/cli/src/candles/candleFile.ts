import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type CandleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { parseCandleArrow } from '@heron/exchanges/candles/arrow.ts';
import { ArrowFault } from '@heron/exchanges/candles/arrowFault.ts';
import { type BadRow, type CandleFile, parseCandleCsv, TooManyBadRows } from '@heron/exchanges/candles/csv.ts';
import { ArchiveTooLarge, maxUnpackedBytes } from './archiveLimit.ts';
import { isZip, unzip } from './zip.ts';

/** Formats of candle files, for the help of options. */
export const CANDLE_FILE =
  "csv, csv.gz or zip with timestamp_ms,open,high,low,close,volume or as in Binance's dumps; or Arrow IPC (.arrow, .feather)";

const SHOWN = 10;

/**
 * Loads a file of candles: csv, gzipped or zipped csv, or Arrow IPC. Its first bytes decide which it is.
 *
 * @param repair skips bad rows instead of rejecting the file
 * @param progress called from time to time with the share of the file that is done, 0–1
 * @param anyOrder accepts rows of csv that go back in time or repeat one, in the order of the file
 * @throws Error naming the first bad rows and why, or why the file cannot be read
 */
export async function loadCandles(
  path: string,
  repair: boolean,
  progress: (share: number) => void = () => {},
  anyOrder = false,
): Promise<CandleFile> {
  const bytes = await readBytes(path);
  const arrow = beginsAsArrow(bytes);
  const file = arrow ? readArrow(path, bytes) : readCsv(path, bytes, progress, anyOrder);
  if (!repair) refuseBadRows(path, file.bad, arrow ? 'row' : 'line');
  if (file.candles.length === 0) throw new Error(`${path} contains no candles`);
  return file;
}

/** @throws Error naming the first bad rows of a file and why, when there are any */
export function refuseBadRows(path: string, bad: readonly BadRow[], unit: 'line' | 'row' = 'line'): void {
  if (bad.length === 0) return;
  const lines = bad.slice(0, SHOWN).map(({ line, reason }) => `  ${unit} ${line}: ${reason}`);
  const more = bad.length > SHOWN ? `\n  and ${bad.length - SHOWN} more` : '';
  throw new Error(
    `${path} has ${bad.length} bad row${bad.length === 1 ? '' : 's'} (skip them with --repair):\n${lines.join('\n')}${more}`,
  );
}

/** The bytes of a file, unpacked when it is gzip, or zip with one file inside. @throws Error why it cannot be read */
export async function readBytes(path: string): Promise<Uint8Array> {
  let bytes: Buffer;
  try {
    // Synchronous, because reading a large file in the background takes a tenth longer and a command has nothing else
    // to do.
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
  if (isZip(bytes)) return unzip(path, bytes);
  // gzip files begin with 1f 8b, whatever their name.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes(bytes.length) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new ArchiveTooLarge(path, bytes.length);
    throw new Error(`${path} is an incomplete or damaged gzip file: download it again`);
  }
}

/** Recognises the Arrow file format, its stream format, and Feather 1, for which the parser has an error of its own. */
function beginsAsArrow(bytes: Uint8Array): boolean {
  const mark = Buffer.from(bytes.subarray(0, 6)).toString('latin1');
  return mark === 'ARROW1' || mark.startsWith('\xff\xff\xff\xff') || mark.startsWith('FEA1');
}

function readCsv(path: string, bytes: Uint8Array, progress: (share: number) => void, anyOrder: boolean): CandleFile {
  try {
    return parseCandleCsv(bytes, (done) => progress(done / bytes.length), anyOrder);
  } catch (error) {
    if (error instanceof TooManyBadRows) throw new Error(`${path} is not a file of candles: ${error.message}`);
    throw error;
  }
}

function readArrow(path: string, bytes: Uint8Array): CandleFile {
  try {
    return parseCandleArrow(bytes);
  } catch (error) {
    if (error instanceof ArrowFault) throw new Error(`${path} ${error.message}`);
    throw error;
  }
}

/** Length of the candles of a file in ms: the shortest distance of two. Throws when that is no known period. */
export function candleLength(candles: CandleColumns): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < candles.length; i++) {
    shortest = Math.min(shortest, (candles.time[i] as number) - (candles.time[i - 1] as number));
  }
  const known = Object.values(PERIODS).find((ms) => ms === shortest);
  if (known === undefined) throw new Error(`the candles are ${shortest} ms apart, which is not a known period`);
  return known;
}

/** Returns the candles whose open time is at or after `from` and before `to`. */
export function clipCandles(candles: CandleColumns, from: number, to: number): CandleColumns {
  const start = lowerBound(candles.time, from);
  return sliceCandles(candles, start, Math.max(start, lowerBound(candles.time, to)));
}

function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
