import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { addPart, type ColumnParts, joinedColumns } from '@heron/exchanges/candleStore/columnParts.ts';
import { mergedColumns } from '@heron/exchanges/candleStore/mergedColumns.ts';
import { seriesFile } from '@heron/exchanges/candleStore/series.ts';
import { lockSeries } from '@heron/exchanges/candleStore/seriesLock.ts';
import { type SortedCandles, sortCandles } from '@heron/exchanges/candleStore/sortCandles.ts';
import { NO_CANDLES, readSeries, writeSeries } from '@heron/exchanges/candleStore/storedSeries.ts';
import { gridBefore, timeGrid } from '@heron/exchanges/candleStore/timeGrid.ts';
import { writeAtomically } from '@heron/exchanges/candleStore/writeAtomically.ts';
import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { CANDLE_FILE, candleLength, loadCandles } from './candleFile.ts';
import { counted, dataOption, instantText, readExchange, readPair, readPeriod, storeIn } from './store.ts';

interface Flags {
  out?: string;
  pair?: string;
  exchange: string;
  period?: string;
  data: string;
  repair?: true;
  json?: true;
}

/** `heron candles import`: files of candles as one Arrow file, in the store or elsewhere. */
export function importCommand(): Command {
  return new Command('import')
    .description(
      'Convert candles to an Arrow file, which loads many times faster than csv and works with pandas and polars.',
    )
    .argument('<file...>', `${CANDLE_FILE}; or folders of such files`)
    .option('--out <file>', 'the Arrow file to write, such as BTC-USDT-1m.arrow')
    .option('--pair <pair>', 'instead of --out: add the candles to the stored ones of this pair, such as BTC-USDT')
    .option('--exchange <name>', 'with --pair: exchange of the candles', 'binance')
    .option('--period <period>', 'period of the candles, if a folder contains several')
    .addOption(dataOption())
    .option('--repair', 'skip bad rows and count them')
    .option('--json', 'print one JSON document')
    .action(importCandles);
}

/** Candles of all files, each time once. */
interface Gathered {
  readonly candles: CandleColumns;
  readonly priceDecimals: number;
  readonly files: number;
  /** Rows left out because they are no candles. */
  readonly bad: number;
  /** Rows that stood before earlier ones. */
  readonly disordered: number;
  /** Rows whose time was read before: identical ones, and others, of which the last one read wins. */
  readonly doubled: number;
  readonly contradicting: number;
}

async function importCandles(sources: string[], flags: Flags): Promise<void> {
  if ((flags.out === undefined) === (flags.pair === undefined)) {
    throw new Error('set the destination: --out FILE, or --pair BTC-USDT for the store');
  }
  const pair = flags.pair === undefined ? null : readPair(flags.pair);
  const exchange = readExchange(flags.exchange);
  const wanted = flags.period === undefined ? null : readPeriod(flags.period);
  const files = sources.flatMap((source) => filesIn(source, pair, wanted));
  const gathered = await gather(files, flags.repair === true);
  checkTimes(gathered.candles, wanted);
  const written = pair === null ? await writeOut(flags.out as string, gathered) : await store(pair);
  if (flags.json) {
    const { candles, priceDecimals: _, ...counts } = gathered;
    console.log(JSON.stringify({ ...counts, candles: candles.length, ...written }));
  } else console.log(textOf(gathered, written));

  async function store(name: string): Promise<Written> {
    const period = wanted ?? periodOf(gathered.candles);
    const series = { exchange, pair: name, period };
    const file = seriesFile(storeIn(flags.data), series);
    return unlessUnwritable(file, async () => {
      const release = await lockSeries(file);
      try {
        const before = (await readSeries(file)) ?? NO_CANDLES;
        if (before.redirect !== null)
          throw new Error(`${file} contains candles of ${before.redirect}, not of ${exchange}: move it away first`);
        const { candles, added, changed } = mergedColumns(before.candles, gathered.candles);
        const priceDecimals = Math.max(before.priceDecimals, gathered.priceDecimals);
        await writeSeries(file, series, { ...before, candles, priceDecimals });
        return { file, stored: candles.length, added, changed };
      } finally {
        await release();
      }
    });
  }
}

interface Written {
  readonly file: string;
  /** Candles in the file after writing, and the difference from before; null outside the store. */
  readonly stored: number | null;
  readonly added: number;
  readonly changed: number;
}

async function writeOut(file: string, { candles, priceDecimals }: Gathered): Promise<Written> {
  const { candleArrow } = await import('@heron/exchanges/candles/writeArrow.ts');
  await unlessUnwritable(file, () => writeAtomically(file, candleArrow(candles, priceDecimals)));
  return { file, stored: null, added: candles.length, changed: 0 };
}

async function unlessUnwritable<Answer>(file: string, write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`cannot write ${file}: ${code}`);
  }
}

/** Reads one file after the other. @throws Error naming the file and its bad rows, unless they are to be left out */
async function gather(files: readonly string[], repair: boolean): Promise<Gathered> {
  const bar = process.stderr.isTTY ? new SingleBar({ clearOnComplete: true }, Presets.shades_classic) : null;
  bar?.start(100 * files.length, 0);
  const parts: ColumnParts = [];
  const sums = { priceDecimals: 0, bad: 0, disordered: 0, doubled: 0, contradicting: 0 };
  try {
    for (const [at, file] of files.entries()) {
      const loaded = await loadCandles(file, repair, (share) => bar?.update(Math.floor(100 * (at + share))), true);
      const ordered: SortedCandles = sortCandles(loaded.candles);
      const merged = addPart(parts, ordered.candles);
      const again = ordered.candles.length - merged.added;
      sums.priceDecimals = Math.max(sums.priceDecimals, loaded.priceDecimals);
      sums.bad += loaded.bad.length;
      sums.disordered += ordered.disordered;
      sums.doubled += ordered.doubled + again - merged.changed;
      sums.contradicting += ordered.contradicting + merged.changed;
    }
  } finally {
    bar?.stop();
  }
  return { candles: joinedColumns(parts), files: files.length, ...sums };
}

/** Binance's dumps: BTCUSDT-1m-2024-01.zip, BTCUSDT-1m-2024-01-31.csv. */
const DUMP = /^([A-Z0-9]+)-(\d+[a-z])-\d{4}-\d{2}(-\d{2})?\.(zip|csv|csv\.gz)$/;
const READABLE = /\.(csv|csv\.gz|zip|arrow|feather)$/i;

/**
 * A file, or the files of a folder in order of their names; of dumps only those of the pair and period.
 *
 * @throws Error when there are none
 */
function filesIn(source: string, pair: string | null, period: Period | null): string[] {
  if (statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) return [source];
  const symbol = pair?.replace('-', '') ?? null;
  const names = readdirSync(source)
    .filter((name) => READABLE.test(name))
    .filter((name) => {
      const match = DUMP.exec(name);
      if (match === null) return true;
      return (symbol === null || match[1] === symbol) && (period === null || match[2] === period);
    })
    .sort();
  if (names.length === 0) throw new Error(`${source} contains no candles${pair === null ? '' : ` of ${pair}`}`);
  return names.map((name) => path.join(source, name));
}

function periodOf(candles: CandleColumns): Period {
  const length = candleLength(candles);
  // `candleLength` knows the same lengths.
  return Object.entries(PERIODS).find(([, ms]) => ms === length)?.[0] as Period;
}

/** Times below are seconds: as milliseconds they lie before March 1973, when nothing traded that candles are made of. */
const MILLISECONDS_FROM = 1e11;

/**
 * Checks that times are milliseconds and are open times of candles of a period.
 *
 * @param wanted the period that the user named; null: the one that the distances show
 * @throws Error saying what is wrong with the times, and what to do
 */
function checkTimes(candles: CandleColumns, wanted: Period | null): void {
  const { time, length } = candles;
  const newest = time[length - 1] as number;
  if (newest < MILLISECONDS_FROM) {
    throw new Error(
      `the times look like seconds: ${newest} would be ${instantText(newest)} UTC: convert them to milliseconds or microseconds`,
    );
  }
  // A single candle shows no period.
  if (wanted === null && length === 1) return;
  const period = wanted ?? periodOf(candles);
  const grid = timeGrid(period, time[0] ?? null);
  const odd = time.find((open) => gridBefore(grid, open) !== open);
  if (odd === undefined) return;
  throw new Error(
    `a candle opens at ${new Date(odd).toISOString()}, which does not fit ${period}: set their period with --period`,
  );
}

function textOf(gathered: Gathered, { file, stored, added, changed }: Written): string {
  const { candles, files, bad, disordered, doubled, contradicting } = gathered;
  const notes = [
    files > 1 ? `from ${files} files` : '',
    bad > 0 ? `${counted(bad, 'bad row')} skipped` : '',
    disordered > 0 ? `${counted(disordered, 'row')} sorted` : '',
    doubled > 0 ? `${counted(doubled, 'duplicate row')}` : '',
    contradicting > 0
      ? `${counted(contradicting, 'row')} with different values for the same time, of which the last was used`
      : '',
    stored === null
      ? ''
      : `${added.toLocaleString('en')} new${changed > 0 ? `, ${changed.toLocaleString('en')} changed` : ''}`,
  ].filter((note) => note !== '');
  const span = `${instantText(candles.time[0] as number)} to ${instantText(candles.time[candles.length - 1] as number)} UTC`;
  const all = stored === null ? '' : `, which now contains ${stored.toLocaleString('en')}`;
  return [`${counted(candles.length, 'candle')}`, span, ...notes, `written to ${file}${all}`].join(', ');
}
