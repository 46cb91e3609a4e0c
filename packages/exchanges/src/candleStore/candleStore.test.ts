import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { candleArrow } from '../candles/writeArrow.ts';
import { ExchangeRefused, RateLimited } from '../errors.ts';
import { candleAt, scriptedExchange } from '../testing/scriptedExchange.ts';
import { type FetchDeps, fetchSeries } from './fetchSeries.ts';
import { mergedColumns } from './mergedColumns.ts';
import { type Series, seriesFile } from './series.ts';
import { lockSeries } from './seriesLock.ts';
import { sortCandles } from './sortCandles.ts';
import { readSeries, writeSeries } from './storedSeries.ts';
import { isRepairable, repairSeries, verifySeries } from './verifySeries.ts';

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);
const NOW = START + 10 * 86_400_000;
const SERIES: Series = { exchange: 'scripted', pair: 'BTC-USDT', period: '1m' };
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A file of the store that nobody has used. */
async function freshFile(): Promise<string> {
  made += 1;
  const file = seriesFile(path.join(folder, String(made)), SERIES);
  const release = await lockSeries(file);
  await release();
  return file;
}

const minute = (index: number) => START + index * MINUTE;

function columns(rows: readonly (readonly number[])[]): CandleColumns {
  const candles = candleColumns(rows.length);
  rows.forEach((row, i) => {
    for (const [at, name] of COLUMNS.entries()) candles[name][i] = row[at] as number;
  });
  return candles;
}

const rowsOf = (candles: CandleColumns) =>
  Array.from(candles.time, (_, i) => COLUMNS.map((name) => candles[name][i] as number));

const rowAt = (index: number) => {
  const { time, open, high, low, close, volume } = candleAt(minute(index));
  return [time, open, high, low, close, volume];
};

function partsOf(file: string, change: Partial<FetchDeps> = {}): FetchDeps {
  return {
    exchange: scriptedExchange(() => NOW),
    file,
    redirect: null,
    page: 10,
    acquire: async () => {},
    signal: new AbortController().signal,
    now: () => NOW,
    clock: () => 0,
    onProgress: () => {},
    onWait: () => {},
    ...change,
  };
}

describe('a fetch of candles', () => {
  test('stores each candle of the venue once, despite earlier files and interruptions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 30 }),
        fc.array(
          fc.record({
            from: fc.integer({ min: 0, max: 99 }),
            length: fc.integer({ min: 1, max: 60 }),
            pages: fc.integer({ min: 0, max: 6 }),
            saves: fc.boolean(),
          }),
          { maxLength: 4 },
        ),
        async (holes, imported, runs) => {
          const file = await freshFile();
          const exchange = scriptedExchange(() => NOW);
          for (const hole of holes) exchange.holes.add(minute(hole));
          const there = imported.filter((index) => !holes.includes(index)).sort((a, b) => a - b);
          if (there.length > 0) {
            const stored = { fetched: [], redirect: null, priceDecimals: 0 };
            await writeSeries(file, SERIES, { ...stored, candles: columns(there.map(rowAt)) });
          }
          for (const { from, length, pages, saves } of runs) {
            const stop = new AbortController();
            let left = pages;
            let clock = 0;
            const turn = async () => {
              left -= 1;
              if (left === 0) stop.abort();
            };
            const span = { from: minute(from), to: minute(Math.min(100, from + length)) };
            // Six seconds a look: every page is written at once.
            const rhythm = saves ? () => (clock += 6_000) : () => 0;
            await fetchSeries(
              SERIES,
              span,
              partsOf(file, { exchange, acquire: turn, signal: stop.signal, clock: rhythm }),
            );
          }
          const span = { from: minute(0), to: minute(100) };
          const { gaps, complete, requested: wanted } = await fetchSeries(SERIES, span, partsOf(file, { exchange }));
          expect({ complete, wanted }).toEqual({ complete: true, wanted: span });
          const rest = Array.from({ length: 100 }, (_, i) => i).filter((index) => !holes.includes(index));
          const found = await readSeries(file);
          expect(rowsOf(found?.candles ?? candleColumns(0))).toEqual(rest.map(rowAt));
          expect(gaps.every(({ venue }) => venue)).toBe(true);
          expect(gaps.reduce((sum, { from, to }) => sum + (to - from) / MINUTE, 0)).toBe(holes.length);
          if (found !== null) {
            expect((await verifySeries(file, SERIES)).faults).toEqual([]);
            // Nothing is asked for twice.
            const asked = exchange.requests.length;
            await fetchSeries(SERIES, span, partsOf(file, { exchange }));
            expect(exchange.requests.length).toBe(asked);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('requests missing candles a second time before it reports a gap of the venue', async () => {
    const file = await freshFile();
    const exchange = scriptedExchange(() => NOW);
    exchange.holes.add(minute(25));
    const whole = exchange.candles;
    let first = true;
    exchange.candles = async (...args) => {
      const candles = await whole(...args);
      if (!first) return candles;
      first = false;
      return candles.filter(({ time }) => time !== minute(3));
    };
    const { gaps, stored } = await fetchSeries(
      SERIES,
      { from: START, to: minute(30) },
      partsOf(file, { exchange, page: 30 }),
    );
    expect(stored.candles.length).toBe(29);
    expect(gaps).toEqual([{ from: minute(25), to: minute(26), venue: true }]);
  });

  test('finds the first candle of a venue by days, and requests no earlier minute', async () => {
    const file = await freshFile();
    const exchange = scriptedExchange(() => NOW);
    const begins = START + 8 * 86_400_000 + 90 * MINUTE;
    const whole = exchange.candles;
    exchange.candles = async (pair, period, from, to) =>
      (await whole(pair, period, from, to)).filter(
        ({ time }) => time >= (period === '1d' ? begins - 90 * MINUTE : begins),
      );
    const parts = partsOf(file, { exchange: { ...exchange, periods: new Set(['1m', '1d']) }, page: 100 });
    const {
      stored,
      gaps,
      requested: wanted,
    } = await fetchSeries(SERIES, { from: 0, to: begins + 500 * MINUTE }, parts);
    expect([stored.candles.time[0], stored.candles.length]).toEqual([begins, 500]);
    expect(gaps).toEqual([{ from: wanted.from, to: begins, venue: true }]);
    const minutes = exchange.requests.filter(({ period }) => period === '1m');
    expect(Math.min(...minutes.map(({ from }) => from))).toBe(begins - 90 * MINUTE);
    expect(exchange.requests.length - minutes.length).toBeLessThan(250);
  });

  test('does not treat a late candle as one that the venue lacks', async () => {
    const file = await freshFile();
    let now = minute(60) + 2_000;
    const exchange = scriptedExchange(() => now);
    exchange.holes.add(minute(59));
    const span = { from: START, to: NOW };
    const early = await fetchSeries(SERIES, span, partsOf(file, { exchange }));
    expect(early.gaps).toEqual([{ from: minute(59), to: minute(60), venue: false }]);
    exchange.holes.clear();
    now += MINUTE;
    const later = await fetchSeries(SERIES, span, partsOf(file, { exchange }));
    expect([later.stored.candles.length, later.gaps]).toEqual([61, []]);
  });

  test('waits as requested, keeps candles after a rejection, and continues from there', async () => {
    const file = await freshFile();
    const exchange = scriptedExchange(() => NOW);
    const whole = exchange.candles;
    let asked = 0;
    exchange.candles = async (...args) => {
      asked += 1;
      if (asked === 2) throw new RateLimited('scripted', NOW + 20);
      if (asked === 5) throw new ExchangeRefused('scripted', 'no');
      return whole(...args);
    };
    const waits: number[] = [];
    const span = { from: START, to: minute(100) };
    const failed = fetchSeries(SERIES, span, partsOf(file, { exchange, onWait: (_, ms) => waits.push(ms) }));
    await expect(failed).rejects.toMatchObject({ name: 'FetchFailed', savedCandles: 30 });
    expect(waits).toEqual([120]);
    const { stored, added } = await fetchSeries(SERIES, span, partsOf(file, { exchange }));
    expect([added, rowsOf(stored.candles)]).toEqual([70, Array.from({ length: 100 }, (_, i) => rowAt(i))]);
  });

  test('leaves out invalid candles, and reports how many rows they were', async () => {
    const file = await freshFile();
    const exchange = scriptedExchange(() => NOW);
    exchange.candles = async () => [
      candleAt(minute(0)),
      { ...candleAt(minute(1)), high: 1 },
      { ...candleAt(minute(2)), time: minute(2) + 1 },
      { ...candleAt(minute(3)), volume: Number.NaN },
      candleAt(minute(4)),
      candleAt(minute(4)),
    ];
    const { invalidRows: refused, stored } = await fetchSeries(
      SERIES,
      { from: START, to: minute(5) },
      partsOf(file, { exchange }),
    );
    expect([...stored.candles.time]).toEqual([minute(0), minute(4)]);
    expect(refused).toBeGreaterThanOrEqual(4);
  });

  test('mixes no candles of a demo market into those of the exchange', async () => {
    const file = await freshFile();
    const span = { from: START, to: minute(10) };
    await fetchSeries(SERIES, span, partsOf(file, { redirect: 'http://127.0.0.1:1' }));
    await expect(fetchSeries(SERIES, span, partsOf(file))).rejects.toThrow('candles of http://127.0.0.1:1');
  });
});

describe('the store', () => {
  test('allows one writer per file, and takes over a file from a killed one', async () => {
    const file = await freshFile();
    const release = await lockSeries(file);
    await expect(lockSeries(file)).rejects.toThrow(`process ${process.pid}`);
    await release();
    // No process has this number.
    await writeFile(`${file}.lock`, '4194999');
    await (await lockSeries(file))();
    expect(await readdir(path.dirname(file))).toEqual([]);
  });

  test('finds a changed bit, a cut file and another name, and repairs none of them', async () => {
    const file = await freshFile();
    await fetchSeries(SERIES, { from: START, to: minute(50) }, partsOf(file));
    const good = await readFile(file);
    const prices = good.indexOf(new Uint8Array(new Float64Array([candleAt(minute(7)).close]).buffer));
    const bytes = Buffer.from(good);
    // The last digits of a price: still a candle by every rule.
    bytes[prices] = 1;
    await writeFile(file, bytes);
    const changed = await verifySeries(file, SERIES);
    expect(changed.faults.map(({ kind }) => kind)).toEqual(['changed']);
    expect(isRepairable(changed)).toBe(false);
    await writeFile(file, good.subarray(0, 1_000));
    expect((await verifySeries(file, SERIES)).faults.map(({ kind }) => kind)).toEqual(['unreadable']);
    await writeFile(file, good);
    const misnamed = await verifySeries(file, { ...SERIES, pair: 'ETH-USDT' });
    expect(misnamed.faults.map(({ kind }) => kind)).toEqual(['misnamed']);
  });

  test('leaves out wrong rows of another program, and a fetch adds the right ones', async () => {
    const file = await freshFile();
    const rows = [rowAt(0), rowAt(1), [minute(1) + 5, 1, 1, 1, 1, 1], [minute(2), 5, 1, 2, 3, 1], rowAt(3)];
    await writeFile(file, candleArrow(columns(rows), 0));
    const verified = await verifySeries(file, SERIES);
    expect(verified.faults.map(({ kind }) => kind)).toEqual(['row', 'off_grid']);
    expect(isRepairable(verified)).toBe(true);
    if (verified.found === null) throw new Error('it was found');
    expect(await repairSeries(file, SERIES, verified.found)).toBe(2);
    expect((await verifySeries(file, SERIES)).faults).toEqual([]);
    const { stored, added } = await fetchSeries(SERIES, { from: START, to: minute(4) }, partsOf(file));
    expect([added, rowsOf(stored.candles)]).toEqual([1, [0, 1, 2, 3].map(rowAt)]);
  });

  test('merges like a table of times', () => {
    const side = fc
      .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 25 })
      .chain((times) =>
        fc.tuple(
          ...times.sort((a, b) => a - b).map((time) => fc.constantFrom([time, 5, 5, 5, 5, 5], [time, 6, 6, 6, 6, 6])),
        ),
      );
    fc.assert(
      fc.property(side, side, (older, newer) => {
        const table = new Map([...older, ...newer].map((row) => [row[0] as number, row]));
        const before = new Map(older.map((row) => [row[0], row]));
        const { candles, added, changed } = mergedColumns(columns(older), columns(newer));
        expect(rowsOf(candles)).toEqual([...table.values()].sort((a, b) => (a[0] as number) - (b[0] as number)));
        expect(added).toBe(newer.filter(([time]) => !before.has(time)).length);
        expect(changed).toBe(newer.filter((row) => before.has(row[0]) && before.get(row[0])?.[1] !== row[1]).length);
      }),
    );
  });

  test('puts rows in order; of several of one time the last counts', () => {
    const row = fc
      .tuple(fc.integer({ min: 0, max: 15 }), fc.constantFrom(5, 6))
      .map(([time, price]) => [time, price, price, price, price, price]);
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const { candles, doubled, contradicting } = sortCandles(columns(rows));
        const table = new Map(rows.map((one) => [one[0] as number, one]));
        expect(rowsOf(candles)).toEqual([...table.values()].sort((a, b) => (a[0] as number) - (b[0] as number)));
        expect(candles.length + doubled + contradicting).toBe(rows.length);
      }),
    );
  });
});
