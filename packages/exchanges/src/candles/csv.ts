import { type CandleColumns, candleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { faultOfCandle, isCandle, mayFollow } from './faultOfCandle.ts';

/** Why a row of a candle file was not taken. */
export interface BadRow {
  /** 1 is the first line of the file. */
  line: number;
  reason: string;
}

export interface CandleFile {
  candles: CandleColumns;
  bad: BadRow[];
  /** Most decimals of any price: the price grid that the file was written with. */
  priceDecimals: number;
}

/** More bad rows mean that a file holds no candles. Each is kept with its reason. */
const MAX_BAD_ROWS = 100_000;

/** Almost nothing in a file is a candle. */
export class TooManyBadRows extends Error {
  override readonly name = 'TooManyBadRows';
  constructor(first: BadRow) {
    super(`more than ${MAX_BAD_ROWS} rows are none, the first in line ${first.line}: ${first.reason}`);
  }
}

const NEWLINE = 10;
const RETURN = 13;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
const COLUMNS = 6;
/** Columns of Binance's public dumps; the six that are read come first. */
const DUMP_COLUMNS = 12;
/** Times from here on are in microseconds, as in Binance's dumps since 2025: in milliseconds this is the year 5138. */
const FIRST_MICROSECOND = 1e14;
/** 10^0 … 10^22, all exact. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
/** Digits that always fit into 32 bits, and into a whole float64; times have one more, and are below 2^53. */
const DIGITS_OF_INT = 9;
const DIGITS_OF_WHOLE = 15;
const DIGITS_OF_TIME = 16;
/** More bytes than a row of {@link DIGITS_OF_WHOLE} digits a column, points and commas can have. */
const LONGEST_PLAIN_ROW = 128;
/** Bytes of the shortest row that is a candle, its end included. */
const SHORTEST_ROW = 12;
/** Lines between two reports of progress. */
const REPORT = 0x10000;

/**
 * Reads candles from `timestamp_ms,open,high,low,close,volume` rows, with or without a header line. It also reads
 * Binance's public dumps, whose rows have six more columns, and since 2025 times in microseconds. Rows that are not
 * numeric, have a high below the low, go back in time or repeat one are reported and left out.
 *
 * It uses no library because a million rows must load in 250 ms; numbers are read exactly as `Number()` does.
 *
 * @param progress is called at intervals with the number of processed bytes
 * @param anyOrder takes rows that go back in time or repeat one, in the order of the file
 * @throws TooManyBadRows
 */
export function parseCandleCsv(
  bytes: Uint8Array,
  progress: (bytes: number) => void = () => {},
  anyOrder = false,
): CandleFile {
  let candles = candleColumns(rowsIn(bytes));
  const bad: BadRow[] = [];
  const fields = new Float64Array(COLUMNS);
  const reader: Reader = { bytes, at: 0, decimals: 0, priceDecimals: 0, columns: columnsIn(bytes) };
  let rows = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let line = 1; reader.at < bytes.length; line++) {
    if (line % REPORT === 0) progress(reader.at);
    const start = reader.at;
    const unread = readPlainRow(reader, fields) ? null : readRow(reader, fields);
    const time = (fields[0] as number) < FIRST_MICROSECOND ? (fields[0] as number) : (fields[0] as number) / 1_000;
    const open = fields[1] as number;
    const high = fields[2] as number;
    const low = fields[3] as number;
    const close = fields[4] as number;
    const volume = fields[5] as number;
    if (unread !== null || !mayFollow(time, last) || !isCandle(open, high, low, close, volume)) {
      skipLine(reader);
      if (isBlank(bytes, start, reader.at) || (line === 1 && isHeader(bytes, start))) continue;
      bad.push({ line, reason: unread ?? faultOfCandle({ time, open, high, low, close, volume }, last) });
      if (bad.length > MAX_BAD_ROWS) throw new TooManyBadRows(bad[0] as BadRow);
      continue;
    }
    if (bytes[reader.at] === NEWLINE) reader.at += 1;
    else skipLine(reader);
    if (rows === candles.length) candles = longer(candles);
    candles.time[rows] = time;
    candles.open[rows] = open;
    candles.high[rows] = high;
    candles.low[rows] = low;
    candles.close[rows] = close;
    candles.volume[rows] = volume;
    if (!anyOrder) last = time;
    rows += 1;
  }
  return { candles: sliceCandles(candles, 0, rows), bad, priceDecimals: reader.priceDecimals };
}

interface Reader {
  bytes: Uint8Array;
  at: number;
  /** Columns that a row has; more than six are passed over. */
  columns: number;
  /** Decimals of the number read last. */
  decimals: number;
  priceDecimals: number;
}

const NAMES = ['timestamp_ms', 'open', 'high', 'low', 'close', 'volume'];

/**
 * Reads a row of {@link COLUMNS} plain numbers without sign or exponent, as almost every row is, and stops at its end.
 *
 * @returns false, with nothing changed but `fields`, when the row has anything else or the end of the file is near
 */
function readPlainRow(reader: Reader, fields: Float64Array): boolean {
  const { bytes } = reader;
  let { at } = reader;
  if (at + LONGEST_PLAIN_ROW > bytes.length) return false;
  let max = reader.priceDecimals;
  const wide = reader.columns > COLUMNS;
  for (let column = 0; column < COLUMNS; column++) {
    // Each run of digits is a whole number of 32 bits, which is faster than float64. Only times are longer than one run.
    const start = at;
    let front = 0;
    let digit = (bytes[at] as number) - ZERO;
    for (; digit >= 0 && digit <= 9 && at - start < DIGITS_OF_INT; digit = (bytes[++at] as number) - ZERO) {
      front = (10 * front + digit) | 0;
    }
    let back = 0;
    const middle = at;
    let later = 0;
    const pointed = digit === POINT - ZERO;
    if (pointed) {
      digit = (bytes[++at] as number) - ZERO;
      for (; digit >= 0 && digit <= 9 && at - middle <= DIGITS_OF_INT; digit = (bytes[++at] as number) - ZERO) {
        back = (10 * back + digit) | 0;
      }
      later = at - middle - 1;
    } else {
      for (; digit >= 0 && digit <= 9 && at - middle < DIGITS_OF_INT; digit = (bytes[++at] as number) - ZERO) {
        back = (10 * back + digit) | 0;
      }
      later = at - middle;
    }
    const end = digit + ZERO;
    const ended = column === COLUMNS - 1 && !wide ? end === NEWLINE || end === RETURN : end === COMMA;
    const digits = middle - start + later;
    if (!ended || digits === 0 || digits > (column === 0 ? DIGITS_OF_TIME : DIGITS_OF_WHOLE)) return false;
    const whole = later === 0 ? front : front * (POWERS[later] as number) + back;
    const decimals = pointed ? later : 0;
    // Whole numbers below 2^53 divided by an exact power of ten are rounded once, as Number() does.
    fields[column] = decimals === 0 ? whole : whole / (POWERS[decimals] as number);
    if (column > 0 && column < COLUMNS - 1 && decimals > max) max = decimals;
    if (column < COLUMNS - 1) at += 1;
  }
  reader.at = at;
  reader.priceDecimals = max;
  return true;
}

function readRow(reader: Reader, fields: Float64Array): string | null {
  let decimals = 0;
  const wide = reader.columns > COLUMNS;
  for (let column = 0; column < COLUMNS; column++) {
    const start = reader.at;
    const value = readNumber(reader);
    const end = reader.bytes[reader.at];
    const atEnd = end === undefined || end === NEWLINE || end === RETURN;
    if (Number.isNaN(value) || !(atEnd || end === COMMA)) {
      return `${NAMES[column]} ${JSON.stringify(fieldText(reader.bytes, start))} is not a number`;
    }
    if (atEnd !== (column === COLUMNS - 1 && !wide)) return columnsWanted(reader.columns);
    if (!atEnd) reader.at += 1;
    fields[column] = value;
    if (column > 0 && column < 5 && reader.decimals > decimals) decimals = reader.decimals;
  }
  if (wide && !hasColumns(reader, reader.columns - COLUMNS)) return columnsWanted(reader.columns);
  if (decimals > reader.priceDecimals) reader.priceDecimals = decimals;
  return null;
}

function columnsWanted(columns: number): string {
  const names = columns === COLUMNS ? NAMES.join(',') : `${NAMES.join(',')} and the other six of Binance's dumps`;
  return `the row must have ${columns} columns: ${names}`;
}

/** Whether the rest of the line has so many columns. */
function hasColumns({ bytes, at }: Reader, columns: number): boolean {
  let commas = 0;
  for (let i = at; i < bytes.length && bytes[i] !== NEWLINE; i++) if (bytes[i] === COMMA) commas += 1;
  return commas === columns - 1;
}

/** Columns of the file by its first line that is not empty: six, or those of a dump. */
function columnsIn(bytes: Uint8Array): number {
  const start = bytes.findIndex((byte) => byte > 32);
  const end = bytes.indexOf(NEWLINE, Math.max(start, 0));
  const line = bytes.subarray(Math.max(start, 0), end < 0 ? bytes.length : end);
  let commas = 0;
  for (const byte of line) if (byte === COMMA) commas += 1;
  return commas === DUMP_COLUMNS - 1 ? DUMP_COLUMNS : COLUMNS;
}

/** Reads one decimal number and stops behind it; NaN when there is none. */
function readNumber(reader: Reader): number {
  const { bytes } = reader;
  let { at } = reader;
  const start = at;
  const negative = bytes[at] === 45;
  if (negative) at += 1;
  let mantissa = 0;
  let digits = 0;
  let point = -1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte >= ZERO && byte <= ZERO + 9) {
      mantissa = mantissa * 10 + (byte - ZERO);
      digits += 1;
    } else if (byte === POINT && point < 0) {
      point = digits;
    } else {
      break;
    }
  }
  const byte = bytes[at];
  const plain = byte === undefined || byte === COMMA || byte === NEWLINE || byte === RETURN;
  reader.at = at;
  reader.decimals = point < 0 ? 0 : digits - point;
  // Whole numbers below 2^53 divided by an exact power of ten are rounded once, as Number() does.
  if (plain && digits > 0 && mantissa <= Number.MAX_SAFE_INTEGER && reader.decimals <= 22) {
    const value = mantissa / (POWERS[reader.decimals] as number);
    return negative ? -value : value;
  }
  const text = fieldText(bytes, start);
  reader.at = start + text.length;
  const value = /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

function fieldText(bytes: Uint8Array, start: number): string {
  let end = start;
  while (end < bytes.length && end - start < 40) {
    const byte = bytes[end];
    if (byte === COMMA || byte === NEWLINE || byte === RETURN) break;
    end += 1;
  }
  return new TextDecoder().decode(bytes.subarray(start, end));
}

function skipLine(reader: Reader): void {
  const end = reader.bytes.indexOf(NEWLINE, reader.at);
  reader.at = end < 0 ? reader.bytes.length : end + 1;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if ((bytes[at] as number) > 32) return false;
  }
  return true;
}

function isHeader(bytes: Uint8Array, start: number): boolean {
  return /^\uFEFF?[a-z_]/i.test(fieldText(bytes, start));
}

/** About how many rows there are, judging by the first ones. */
function rowsIn(bytes: Uint8Array): number {
  const looked = Math.min(bytes.length, 0x10000);
  let lines = 1;
  for (let at = 0; at < looked; at++) if (bytes[at] === NEWLINE) lines += 1;
  if (looked === bytes.length) return lines;
  // Empty lines hold no candles.
  return Math.ceil(Math.min((1.02 * lines * bytes.length) / looked, bytes.length / SHORTEST_ROW));
}

function longer(candles: CandleColumns): CandleColumns {
  const whole = candleColumns(Math.ceil(1.25 * candles.length) + 1);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) whole[name].set(candles[name]);
  return whole;
}
