import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type CandleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { parseCandleArrow } from '@heron/exchanges/candles/arrow.ts';
import { candleArrow } from '@heron/exchanges/candles/writeArrow.ts';
import { csvOf, readNaive, readOwn, sumOfCloses } from './csv.ts';
import { type Figure, figureOf } from './figures.ts';
import { race } from './race.ts';

const NAIVE_ROWS = 200_000;
const LITTLE = 5_000;

/**
 * Loads candles from files that the machine has in memory already: Arrow and csv with every check, and csv the way one
 * writes it first.
 */
export async function loading(candles: CandleColumns): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'heron-bench-'));
  try {
    return await loadingIn(folder, candles);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function loadingIn(folder: string, candles: CandleColumns): Promise<Figure[]> {
  const write = async (name: string, bytes: Uint8Array): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return file;
  };
  const few = sliceCandles(candles, 0, LITTLE);
  const some = csvOf(sliceCandles(candles, 0, NAIVE_ROWS));
  const arrow = await write('all.arrow', candleArrow(candles, 2));
  const arrowFew = await write('few.arrow', candleArrow(few, 2));
  const csv = await write('all.csv', csvOf(candles));
  const csvFew = await write('few.csv', csvOf(few));
  const laps = await race({
    arrow: { amount: candles.length, run: () => readArrow(arrow), little: () => readArrow(arrowFew) },
    csv: { amount: candles.length, run: () => readCsv(csv), little: () => readCsv(csvFew) },
    naive: { amount: NAIVE_ROWS, run: () => readNaive(some), little: () => readNaive(csvOf(few)) },
  });
  const whole = sumOfCloses(candles, candles.length);
  for (const [name, sum, expected] of [
    ['Arrow', laps.arrow.result, whole],
    ['csv', laps.csv.result, whole],
    ['split', laps.naive.result, sumOfCloses(candles, NAIVE_ROWS)],
  ] as const) {
    if (sum !== expected) throw new Error(`${name} gave other closes than were written`);
  }
  const rows = `${candles.length.toLocaleString('en')} rows`;
  const against = (rate: number) => ({ 'split and Number': rate / laps.naive.rate });
  const time = (rate: number) => `${rows} checked in ${Math.round((1000 * candles.length) / rate)} ms`;
  return [
    figureOf('load arrow', laps.arrow.rate, 'rows/s', time(laps.arrow.rate), {
      ...against(laps.arrow.rate),
      'load csv': laps.arrow.rate / laps.csv.rate,
    }),
    figureOf('load csv', laps.csv.rate, 'rows/s', time(laps.csv.rate), against(laps.csv.rate)),
    figureOf('split and Number csv', laps.naive.rate, 'rows/s', 'nothing checked, nothing read from disk'),
  ];
}

function readCsv(file: string): number {
  return readOwn(readFileSync(file));
}

function readArrow(file: string): number {
  const { candles, bad } = parseCandleArrow(readFileSync(file));
  if (bad.length > 0) throw new Error(`row ${bad[0]?.line}: ${bad[0]?.reason}`);
  return sumOfCloses(candles, candles.length);
}
