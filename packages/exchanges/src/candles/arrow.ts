import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import { ArrowFault } from './arrowFault.ts';
import {
  type ArrowField,
  type ArrowTable,
  FLOATING_POINT,
  INT,
  readArrowTable,
  TIMESTAMP,
  typeOf,
} from './arrowTable.ts';
import type { BadRow, CandleFile } from './csv.ts';
import { faultOfCandle, isCandle, mayFollow } from './faultOfCandle.ts';
import { priceDecimalsOf } from './priceDecimals.ts';

/** Key of the file's metadata under which the decimals of its prices stand. */
export const PRICE_DECIMALS = 'heron.price_decimals';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

type Column = (typeof COLUMNS)[number];

/** `FEA1`, with which a file of another format begins. */
const FEATHER_1 = [0x46, 0x45, 0x41, 0x31];

/** Candles of an Arrow file, and the metadata of the file. */
export interface CandleArrow extends CandleFile {
  readonly metadata: ReadonlyMap<string, string>;
}

/**
 * Reads candles from uncompressed Arrow IPC, as pandas (`to_feather`) and polars (`write_ipc`) write it. The columns may
 * have any order, the file any number of record batches. `time` is a timestamp of any unit, or Int64 or Float64 in ms.
 * `open`, `high`, `low`, `close` and `volume` are Float64. Columns of a file with one batch share memory with `bytes`.
 * Rows are checked as those of csv; the lines of bad ones count from 1.
 *
 * @throws ArrowFault
 */
export function parseCandleArrow(bytes: Uint8Array): CandleArrow {
  if (FEATHER_1.every((byte, i) => bytes[i] === byte)) {
    throw new ArrowFault('is Feather version 1; write version 2, which is Arrow, uncompressed');
  }
  const table = readArrowTable(bytes);
  const candles = columnsOf(table);
  const { kept, bad } = withoutBadRows(candles);
  const { metadata } = table;
  const noted = metadata.get(PRICE_DECIMALS);
  const known = noted !== undefined && /^(\d|1\d|2[0-2])$/.test(noted);
  return { candles: kept, bad, priceDecimals: known ? Number(noted) : priceDecimalsOf(kept), metadata };
}

function columnsOf(table: ArrowTable): CandleColumns {
  return {
    length: table.batches.reduce((sum, batch) => sum + batch.length, 0),
    time: columnOf(table, 'time'),
    open: columnOf(table, 'open'),
    high: columnOf(table, 'high'),
    low: columnOf(table, 'low'),
    close: columnOf(table, 'close'),
    volume: columnOf(table, 'volume'),
  };
}

function columnOf({ fields, batches }: ArrowTable, name: Column): Float64Array {
  const at = fields.findIndex((field) => field.name === name);
  if (at < 0) {
    const found = fields.map((field) => field.name).join(', ') || 'none';
    throw new ArrowFault(`has no column ${name}; its columns: ${found}`);
  }
  const read = readerOf(fields[at] as ArrowField, name === 'time');
  return joined(
    batches.map(({ length, columns }) => {
      const { missing, values } = columns[at] as (typeof columns)[number];
      if (missing > 0) throw new ArrowFault(`has ${missing} empty values in column ${name}`);
      if (values.length < 8 * length) throw new ArrowFault(`is damaged: column ${name} ends early`);
      // Values stand at multiples of 8 bytes in most files; elsewhere they are moved.
      const aligned = values.byteOffset % 8 === 0 ? values : values.slice();
      return read(aligned.buffer as ArrayBuffer, aligned.byteOffset, length);
    }),
  );
}

type Reader = (buffer: ArrayBuffer, at: number, length: number) => Float64Array;

function readerOf(field: ArrowField, isTime: boolean): Reader {
  const { type, detail } = field;
  if (type === FLOATING_POINT && detail === 2) return (buffer, at, length) => new Float64Array(buffer, at, length);
  if (isTime && type === INT && detail === 64) return (...place) => timesOf(...place, 1);
  if (isTime && type === TIMESTAMP) {
    if (detail === 0) return (...place) => timesOf(...place, 1_000);
    if (detail === 1) return (...place) => timesOf(...place, 1);
    if (detail === 2) return (...place) => fineTimesOf(...place, 1_000n);
    return (...place) => fineTimesOf(...place, 1_000_000n);
  }
  const wanted = isTime ? 'a timestamp, Int64 or Float64 (ms)' : 'Float64';
  throw new ArrowFault(`holds ${typeOf(field)} in column ${field.name}; write ${wanted}`);
}

/** Times of a unit of `ms` milliseconds. Both halves as plain numbers: a million bigints take longer than all the rest. */
function timesOf(buffer: ArrayBuffer, at: number, length: number, ms: number): Float64Array {
  const halves = new Int32Array(buffer, at, 2 * length);
  const times = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    times[i] = ms * ((halves[2 * i + 1] as number) * 2 ** 32 + ((halves[2 * i] as number) >>> 0));
  }
  return times;
}

/** Times in units of which a millisecond has `parts`; NaN where one falls between two milliseconds. */
function fineTimesOf(buffer: ArrayBuffer, at: number, length: number, parts: bigint): Float64Array {
  const values = new BigInt64Array(buffer, at, length);
  return Float64Array.from({ length }, (_, i) => {
    const value = values[i] as bigint;
    return value % parts === 0n ? Number(value / parts) : Number.NaN;
  });
}

function joined(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0] as Float64Array;
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The rows that are candles; the very same columns when all are. */
function withoutBadRows(candles: CandleColumns): { kept: CandleColumns; bad: BadRow[] } {
  const bad = badRowsOf(candles);
  if (bad.length === 0) return { kept: candles, bad };
  const kept = candleColumns(candles.length - bad.length);
  let from = 0;
  let to = 0;
  for (const { line } of [...bad, { line: candles.length + 1 }]) {
    for (const name of COLUMNS) kept[name].set(candles[name].subarray(from, line - 1), to);
    to += line - 1 - from;
    from = line;
  }
  return { kept, bad };
}

function badRowsOf({ length, time, open, high, low, close, volume }: CandleColumns): BadRow[] {
  const bad: BadRow[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < length; i++) {
    const t = time[i] as number;
    const o = open[i] as number;
    const h = high[i] as number;
    const l = low[i] as number;
    const c = close[i] as number;
    const v = volume[i] as number;
    if (mayFollow(t, last) && isCandle(o, h, l, c, v)) {
      last = t;
      continue;
    }
    const candle = { time: t, open: o, high: h, low: l, close: c, volume: v };
    bad.push({ line: i + 1, reason: faultOfCandle(candle, last) });
  }
  return bad;
}
