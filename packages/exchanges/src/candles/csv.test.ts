import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCandleCsv, TooManyBadRows } from './csv.ts';

const parse = (text: string) => parseCandleCsv(new TextEncoder().encode(text));
const GOOD = '60000,10,12,9,11,5';
/** Rows for behind others: the last bytes of a file are read in another way than those before. */
const MORE = Array.from({ length: 10 }, (_, i) => `${1e13 + i},10,12,9,11,5`).join('\n');

describe('candle csv', () => {
  test('reads rows with or without a header, with any line end or none at the end', () => {
    for (const text of [GOOD, `${GOOD}\n`, `timestamp_ms,open,high,low,close,volume\r\n${GOOD}\r\n`, `\n${GOOD}\n\n`]) {
      const { candles, bad } = parse(text);
      expect(bad).toEqual([]);
      expect([...candles.time, ...candles.close, ...candles.volume]).toEqual([60000, 11, 5]);
    }
  });

  test('stops early in a file with almost no candles, before its reasons fill the memory', () => {
    expect(() => parse(`${GOOD}\n${'x\n'.repeat(2_000_000)}`)).toThrow(TooManyBadRows);
    expect(parse(`${'x\n'.repeat(100_000)}${GOOD}`)).toMatchObject({ candles: { length: 1 } });
  });

  test('names the line and the reason of every bad row and keeps the rest', () => {
    const { candles, bad } = parse(
      [
        'timestamp_ms,open,high,low,close,volume',
        GOOD,
        '120000,10,x,9,11,5',
        '180000,10,8,9,8.5,5',
        '60000,10,12,9,11,5',
        '30000,10,12,9,11,5',
        '240000,10,12,9,11',
        '300000,10,12,9,11,5,7',
        '360000,10,12,9,13,5',
        '420000,10,12,9,11,NaN',
        '480000,10,12,0,11,5',
        '540000,10,12,9,11,5',
      ].join('\n'),
    );
    expect(bad).toEqual([
      { line: 3, reason: 'high "x" is not a number' },
      { line: 4, reason: 'high 8 is below low 9' },
      { line: 5, reason: 'duplicate of the candle before (60000)' },
      { line: 6, reason: 'time goes back from 60000 to 30000' },
      { line: 7, reason: 'the row must have 6 columns: timestamp_ms,open,high,low,close,volume' },
      { line: 8, reason: 'the row must have 6 columns: timestamp_ms,open,high,low,close,volume' },
      { line: 9, reason: 'close 13 lies outside 9 to 12' },
      { line: 10, reason: 'volume "NaN" is not a number' },
      { line: 11, reason: 'low 0 is not above 0' },
    ]);
    expect([...candles.time]).toEqual([60000, 540000]);
  });

  test('reads every number exactly as Number() does', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-12, max: 1e15, noNaN: true }),
        fc.integer({ min: 0, max: 12 }),
        (value, decimals) => {
          for (const text of [String(value), value.toFixed(decimals), value.toExponential()]) {
            if (Number(text) === 0) continue;
            const row = `0,${text},${text},${text},${text},1`;
            expect(parse(row).candles.close[0]).toBe(Number(text));
            expect(parse(`${row}\n${MORE}`).candles.close[0]).toBe(Number(text));
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('reads a row at the end of a file as it does before others, whatever is in it', () => {
    const field = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 9, max: 12 }).map(String) },
      fc.constantFrom('', '-1', '+1', '.', '1.', '.5', '10.50', '1e1', '1e', '0x9', ' 10', '1..2', '10,', 'NaN', '١'),
      fc.constantFrom(
        '000000000000000010',
        '1234567890123456',
        '9007199254740993',
        '0.1234567890123456',
        `1${'0'.repeat(200)}`,
      ),
    );
    const row = fc.tuple(fc.constantFrom('0', '60000'), field, field, field, field, field);
    fc.assert(
      fc.property(row, fc.constantFrom('', '\r', ',1', ' '), (fields, end) => {
        const line = fields.join(',') + end;
        const alone = parse(`\n${line}`);
        const before = parse(`\n${line}\n${MORE}`);
        expect(before.bad).toEqual(alone.bad);
        expect(before.candles.length).toBe(alone.candles.length + 10);
        if (alone.candles.length === 0) return;
        for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
          expect(before.candles[name][0]).toBe(alone.candles[name][0]);
        }
        expect(before.priceDecimals).toBe(alone.priceDecimals);
      }),
      { numRuns: 5_000 },
    );
  });

  test('reads files whose rows grow longer or shorter', () => {
    const long = '.00000000';
    const rows = Array.from({ length: 6_000 }, (_, i) => `${i},1,1,1,1,1`);
    for (const lengthened of [(i: number) => i < 3_000, (i: number) => i >= 3_000]) {
      const text = rows.map((row, i) => (lengthened(i) ? row.replaceAll(',1', `,1${long}`) : row)).join('\n');
      const { candles, bad } = parse(text);
      expect(bad).toEqual([]);
      expect(candles.length).toBe(6_000);
      expect(candles.time[5_999]).toBe(5_999);
    }
  });

  test('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { candles, bad } = parseCandleCsv(bytes);
        expect(candles.length + bad.length).toBeLessThanOrEqual(301);
      }),
      { numRuns: 2_000 },
    );
  });

  test('finds the price grid of the file', () => {
    expect(parse('0,10.125,12,9.5,11,0.123456').priceDecimals).toBe(3);
  });

  test("reads Binance's dumps in milliseconds and in microseconds as the same candles", () => {
    const HEAD =
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
    const rows = Array.from({ length: 40 }, (_, i) => [
      Date.UTC(2025, 0, 1, 0, i),
      `10.25,12.5,9,${10 + i / 100},${i}.5`,
    ]);
    const plain = parse(rows.map((row) => row.join(',')).join('\n'));
    for (const end of ['\n', '\r\n']) {
      for (const unit of ['', '000']) {
        const dump = rows.map(([time, numbers]) => `${time}${unit},${numbers},${time}${unit || '9'},1.5,3,0.5,1,0`);
        for (const lines of [dump, [HEAD, ...dump]]) expect(parse(lines.join(end))).toEqual(plain);
      }
    }
    expect(plain.bad).toEqual([]);
  });

  test('names rows of a dump that are cut off, and times between two milliseconds', () => {
    const row = (time: string) => `${time},10,12,9,11,5,1,2,3,4,5,0`;
    const { bad, candles } = parse(
      [row('1735689600000000'), row('1735689660000500'), '1735689720000000,10,12,9,11,5,1,2'].join('\n'),
    );
    expect([...candles.time]).toEqual([1735689600000]);
    expect(bad).toEqual([
      { line: 2, reason: 'timestamp_ms 1735689660000.5 is not a time in milliseconds' },
      {
        line: 3,
        reason:
          "the row must have 12 columns: timestamp_ms,open,high,low,close,volume and the other six of Binance's dumps",
      },
    ]);
  });

  test('takes rows in any order when asked to', () => {
    const text = ['120000,1,1,1,1,1', '60000,1,1,1,1,1', '60000,2,2,2,2,2', '0,1,2,3,1,1'].join('\n');
    const { candles, bad } = parseCandleCsv(new TextEncoder().encode(text), undefined, true);
    expect([...candles.time]).toEqual([120000, 60000, 60000]);
    expect(bad.map(({ line }) => line)).toEqual([4]);
  });
});
