import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import * as apache from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCandleArrow } from './arrow.ts';
import { ArrowFault } from './arrowFault.ts';
import { parseCandleCsv } from './csv.ts';
import { candleArrow } from './writeArrow.ts';

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);
const NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Candles of a given number of price decimals, with gaps. */
const candleRows = (decimals: number) =>
  fc
    .array(
      fc.tuple(
        fc.integer({ min: 1, max: 5 }),
        fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 10 ** 9 }))),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
      ),
      { minLength: 1, maxLength: 50 },
    )
    .map((rows) => {
      const candles = candleColumns(rows.length);
      let time = START;
      rows.forEach(([gap, prices, volume], i) => {
        time += gap * MINUTE;
        const [open, close] = prices as [number, number, number, number];
        candles.time[i] = time;
        candles.open[i] = open / 10 ** decimals;
        candles.close[i] = close / 10 ** decimals;
        candles.high[i] = Math.max(...prices) / 10 ** decimals;
        candles.low[i] = Math.min(...prices) / 10 ** decimals;
        candles.volume[i] = volume;
      });
      return candles;
    });

function columns(candles: CandleColumns): Record<string, number[]> {
  return Object.fromEntries(NAMES.map((name) => [name, [...candles[name]]]));
}

/** A good file of `length` candles, as another program may write it. */
function made(length: number, change: Record<string, apache.Vector> = {}): apache.Table {
  const floats = (of: (i: number) => number) => apache.makeVector(Float64Array.from({ length }, (_, i) => of(i)));
  return new apache.Table({
    time: floats((i) => START + i * MINUTE),
    open: floats(() => 10.25),
    high: floats(() => 12),
    low: floats(() => 9),
    close: floats((i) => 11 + i / 1_000),
    volume: floats((i) => i),
    ...change,
  } as Record<string, apache.Vector>);
}

const written = (table: apache.Table, format: 'file' | 'stream' = 'file') => apache.tableToIPC(table, format);
const fault = (table: apache.Table) => () => parseCandleArrow(written(table));

describe('candles in Arrow', () => {
  test('are read as they were written, with the decimals of their prices', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8 }).chain((decimals) => fc.tuple(fc.constant(decimals), candleRows(decimals))),
        ([decimals, candles]) => {
          const { candles: read, bad, priceDecimals } = parseCandleArrow(candleArrow(candles, decimals));
          expect(bad).toEqual([]);
          expect(columns(read)).toEqual(columns(candles));
          expect(read.length).toBe(candles.length);
          expect(priceDecimals).toBe(decimals);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('of one batch share the memory of the file', () => {
    const bytes = written(made(3));
    const { candles } = parseCandleArrow(bytes);
    expect(candles.close.buffer).toBe(bytes.buffer);
  });

  test('are read from several batches, a stream, unordered columns and extra columns', () => {
    const { batches } = made(5);
    const parts = [made(2), made(5).slice(2, 3), made(5).slice(3, 5)].flatMap((table) => table.batches);
    const several = new apache.Table(batches[0]?.schema as apache.Schema, parts);
    expect(several.batches.length).toBe(3);
    const whole = columns(parseCandleArrow(written(made(5))).candles);
    expect(columns(parseCandleArrow(written(several)).candles)).toEqual(whole);
    expect(columns(parseCandleArrow(written(several, 'stream')).candles)).toEqual(whole);
    const { volume, close, ...rest } = Object.fromEntries(NAMES.map((name) => [name, made(5).getChild(name)]));
    const mixed = new apache.Table({
      volume,
      symbol: apache.vectorFromArray(['a', 'b', 'c', 'd', 'e']),
      close,
      ...rest,
    } as Record<string, apache.Vector>);
    expect(columns(parseCandleArrow(written(mixed)).candles)).toEqual(whole);
  });

  test.each([
    ['Int64 in ms', new apache.Int64(), 1n, 1n],
    ['timestamps in s', new apache.TimestampSecond(), 1n, 1_000n],
    ['timestamps in ms', new apache.TimestampMillisecond('UTC'), 1n, 1n],
    ['timestamps in µs', new apache.TimestampMicrosecond(), 1_000n, 1n],
    ['timestamps in ns', new apache.TimestampNanosecond('UTC'), 1_000_000n, 1n],
  ])('have times that are %s', (_, type, times, over) => {
    const data = BigInt64Array.from({ length: 3 }, (_, i) => (BigInt(START + i * MINUTE) * times) / over);
    const time = new apache.Vector([apache.makeData({ type: type as apache.Int64, data })]);
    const { candles, bad } = parseCandleArrow(written(made(3, { time })));
    expect(bad).toEqual([]);
    expect([...candles.time]).toEqual([START, START + MINUTE, START + 2 * MINUTE]);
  });

  test('a time between two milliseconds is no time of a candle', () => {
    const data = BigInt64Array.of(BigInt(START) * 1_000n + 1n);
    const time = new apache.Vector([apache.makeData({ type: new apache.TimestampMicrosecond(), data })]);
    expect(parseCandleArrow(written(made(1, { time }))).bad).toEqual([
      { line: 1, reason: 'timestamp_ms NaN is not a time in milliseconds' },
    ]);
  });

  test('bad rows are found for the same reasons as in csv, and the rest is kept', () => {
    const number = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 9, max: 12 }) },
      fc.constantFrom(-1, 0, 8.5, 1e300),
    );
    const row = fc.tuple(fc.integer({ min: 0, max: 30 }), number, number, number, number, number);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const csv = parseCandleCsv(new TextEncoder().encode(rows.map((fields) => fields.join(',')).join('\n')));
        const table = new apache.Table(
          Object.fromEntries(
            NAMES.map((name, i) => [name, apache.makeVector(Float64Array.from(rows, (fields) => fields[i] as number))]),
          ) as Record<string, apache.Vector>,
        );
        const arrow = parseCandleArrow(written(table));
        expect(arrow.bad).toEqual(csv.bad);
        expect(columns(arrow.candles)).toEqual(columns(csv.candles));
      }),
      { numRuns: 1_000 },
    );
    const prices = apache.makeVector(Float64Array.of(11, Number.NaN, Number.POSITIVE_INFINITY));
    expect(parseCandleArrow(written(made(3, { close: prices }))).bad).toEqual([
      { line: 2, reason: 'close NaN is not a number' },
      { line: 3, reason: 'close Infinity is not a number' },
    ]);
  });

  test('the decimals of prices are counted where the file does not state them', () => {
    expect(parseCandleArrow(written(made(2))).priceDecimals).toBe(3);
    expect(parseCandleArrow(written(made(1))).priceDecimals).toBe(2);
  });

  test('says what is wrong with columns', () => {
    const { time, open } = { time: made(2).getChild('time'), open: made(2).getChild('open') };
    expect(fault(new apache.Table({ time, open } as Record<string, apache.Vector>))).toThrow(
      new ArrowFault('has no column high; its columns: time, open'),
    );
    expect(fault(made(2, { close: apache.vectorFromArray(['a', 'b']) }))).toThrow('holds a dictionary in column close');
    expect(fault(made(2, { close: apache.makeVector(Float32Array.of(1, 2)) }))).toThrow(
      'holds Float32 in column close; write Float64',
    );
    expect(fault(made(2, { volume: apache.vectorFromArray([1, null], new apache.Float64()) }))).toThrow(
      'has 1 empty values in column volume',
    );
    expect(fault(made(2, { time: apache.vectorFromArray(['2024', '2025']) }))).toThrow(
      'in column time; write a timestamp, Int64 or Float64 (ms)',
    );
    expect(() => parseCandleArrow(new TextEncoder().encode('FEA1 and so on'))).toThrow('is Feather version 1');
  });

  test('a damaged file is read or rejected with one line, whatever the damage', () => {
    const good = written(made(20));
    const damage = fc.oneof(
      fc.record({ cut: fc.integer({ min: 0, max: good.length - 1 }) }),
      fc.record({ at: fc.integer({ min: 0, max: good.length - 1 }), byte: fc.integer({ min: 0, max: 255 }) }),
    );
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let bytes = good.slice();
        for (const one of damages) {
          if ('cut' in one) bytes = bytes.slice(0, one.cut);
          else if (one.at < bytes.length) bytes[one.at] = one.byte;
        }
        try {
          const { candles } = parseCandleArrow(bytes);
          for (const name of NAMES) expect(candles[name].length).toBe(candles.length);
        } catch (error) {
          expect(error).toBeInstanceOf(ArrowFault);
          expect((error as Error).message).not.toContain('\n');
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
