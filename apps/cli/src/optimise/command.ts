import os from 'node:os';
import { faultText } from '@heron/contract/locales/optionFaultText.ts';
import { type BacktestTimeline, createBacktestTimeline } from '@heron/engine/backtest/backtestTimeline.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { allCombinations } from '@heron/engine/optimise/allCombinations.ts';
import type { Figures } from '@heron/engine/optimise/figures.ts';
import { sampleOf } from '@heron/engine/optimise/sample.ts';
import type { Metric } from '@heron/engine/optimise/score.ts';
import { pointAt, type Space, setupAt, sizeOf, spaceOf } from '@heron/engine/optimise/space.ts';
import { type TimeRange, windowsOf } from '@heron/engine/optimise/walkForward.ts';
import { type BotOptions, defaultOptions } from '@heron/engine/options/table.ts';
import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { loadPairs, namedPairs, type PairFlags, priceSourceOf, quoteOf } from '../backtest/pairs.ts';
import { CANDLE_FILE } from '../candles/candleFile.ts';
import { dataOption } from '../candles/store.ts';
import { exchangeOption, STORED_CANDLES } from '../candles/storedCandles.ts';
import { collect } from '../flags/assignments.ts';
import { type OptionFlags, optionsFromFlags } from '../flags/botOptions.ts';
import { readNumber } from '../flags/number.ts';
import { paramsFromFlags } from '../flags/strategyParams.ts';
import { optimiseDocument, type Search } from './document.ts';
import { openPool, SetFailed } from './pool.ts';
import { shareCourse, sharePairs } from './sharedMemory.ts';
import { textReport } from './textReport.ts';
import { axesFrom } from './vary.ts';

interface Flags extends PairFlags, OptionFlags {
  readonly param: readonly string[];
  readonly vary: readonly string[];
  readonly sample?: string;
  readonly seed: string;
  readonly by: string;
  readonly minTrades: string;
  readonly walkForward?: string;
  readonly workers?: string;
  readonly top: string;
  /** False for `--no-detail`. */
  readonly detail: boolean;
  readonly json?: true;
}

/** Metrics by their names on the command line. */
const BY: Readonly<Record<string, Metric>> = {
  net_profit: 'netProfit',
  sharpe: 'sharpe',
  sortino: 'sortino',
  calmar: 'calmar',
  profit_factor: 'profitFactor',
};

/** More combinations than this are not listed one by one. */
const LARGEST_GRID = 1_000_000;
const MAX_WORKERS = 256;
/** Exit code of shells for a program that Ctrl-C has stopped. */
const STOPPED = 130;

/** `heron optimise`: tries many sets of parameters and options on the same candles. */
export function optimiseCommand(): Command {
  return new Command('optimise')
    .description('Backtest many combinations of parameters and options, with the engine of paper and live bots.')
    .option('--candles <pair=file>', `${STORED_CANDLES}; ${CANDLE_FILE}; repeated for several pairs`, collect, [])
    .addOption(exchangeOption())
    .addOption(dataOption())
    .option('--pair <pair>', 'pair of a single file of --candles, such as BTC-USDT')
    .option(
      '--funding <pair=file>',
      'funding payments of a future, csv or csv.gz with time_ms,rate[,mark]',
      collect,
      [],
    )
    .option('--strategy <id>', 'strategy (default: that of a new bot)')
    .option(
      '--vary <name=values>',
      'parameter to vary: fast=5:20:1 or fast=5,8,13; or an option: option:buy_pct=10,20',
      collect,
      [],
    )
    .option('--param <name=value>', 'fixed parameter, may be repeated', collect, [])
    .option('--option <name=value>', 'fixed bot option, may be repeated', collect, [])
    .option('--period <period>', 'period to trade on; not shorter than that of the files')
    .option('--no-detail', 'do not simulate fills and exits with the shorter candles inside each period')
    .option('--capital <amount>', 'start capital in the quote currency')
    .option('--from <time>', 'first candle, ISO 8601 in UTC')
    .option('--to <time>', 'end, ISO 8601 in UTC; the candle that opens then is excluded')
    .option('--tick <size>', 'tick size, or BTC-USDT=size (default: from the decimals of the file)', collect, [])
    .option('--step <size>', 'step size, likewise (default: worth at most one unit of quote)', collect, [])
    .option('--min-notional <value>', 'minimum order value, likewise (default: 5)', collect, [])
    .option('--repair', 'skip bad rows')
    .option('--sample <count>', 'try this many random combinations instead of all')
    .option('--seed <number>', 'seed of --sample; the same seed selects the same combinations', '1')
    .option('--by <metric>', `rank by ${Object.keys(BY).join(', ')}`, 'sharpe')
    .option('--min-trades <count>', 'rank sets with fewer trades last', '10')
    .option(
      '--walk-forward <train/test>',
      'select on each training window, report on the test window after it, such as 90d/30d',
    )
    .option('--workers <count>', 'number of threads (default: one for each core)')
    .option('--top <count>', 'number of best sets to print', '10')
    .option('--json', 'print one JSON document')
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  const files = namedPairs(flags);
  const pairNames = files.map(({ pair }) => pair);
  const options: Record<string, unknown> = {
    ...optionsFromFlags(flags),
    watch_pairs: pairNames.join(','),
    product_currency: quoteOf(pairNames[0] ?? ''),
  };
  const strategy = flags.strategy ?? defaultOptions().strategy;
  const space = spaceOf({ options, params: paramsFromFlags(flags.param) }, axesFrom(flags.vary, strategy));
  const by = Object.hasOwn(BY, flags.by) ? BY[flags.by] : undefined;
  if (by === undefined) throw new Error(`--by ${flags.by} must be one of ${Object.keys(BY).join(', ')}`);
  const aim = { by, minTrades: wholeNumber(flags.minTrades, '--min-trades') };
  const top = wholeNumber(flags.top, '--top');
  const seed = wholeNumber(flags.seed, '--seed');
  const sample = flags.sample === undefined ? null : { count: wholeNumber(flags.sample, '--sample', 1), seed };
  const lengths = flags.walkForward === undefined ? null : readWalkForward(flags.walkForward);
  const wanted = flags.workers === undefined ? os.availableParallelism() : wholeNumber(flags.workers, '--workers', 1);
  const selection = select(space, sample);

  const courses = await loadCourses(flags, files, space, selection.indices[0] as number);
  const span = spanOf([...courses.values()]);
  const windows = lengths === null ? [] : windowsOf(span.from, span.to, lengths.train, lengths.test);
  if (lengths !== null && windows.length === 0) {
    throw new Error(
      `the candles span ${((span.to - span.from) / 86_400_000).toFixed(1)} days, which is too short for --walk-forward ${flags.walkForward}`,
    );
  }
  const search: Search = {
    pairs: pairNames,
    venue: String(options.exchange),
    prices: priceSourceOf(files),
    strategy,
    span,
    space,
    selection,
    sample,
    aim,
    by: flags.by,
    windows,
  };

  const workers = Math.min(wanted, MAX_WORKERS, selection.indices.length);
  const began = performance.now();
  const { found, stopped } = await tryAll(search, courses, workers);
  const seconds = (performance.now() - began) / 1_000;
  const document = optimiseDocument(search, found, top);
  console.log(flags.json ? JSON.stringify(document) : textReport(document));
  if (!flags.json) {
    console.log(`${found.size} sets in ${seconds.toFixed(1)} s on ${workers} worker${workers === 1 ? '' : 's'}`);
  }
  if (stopped) {
    console.error(`heron: stopped; ${found.size} of ${selection.indices.length} sets were tried`);
    process.exitCode = STOPPED;
  }
}

/** Tries every chosen set on all workers, until it is done or Ctrl-C stops it. */
async function tryAll(
  { space, selection, windows }: Search,
  courses: ReadonlyMap<string, BacktestTimeline>,
  workers: number,
): Promise<{ found: Map<number, readonly Figures[]>; stopped: boolean }> {
  const { indices } = selection;
  const found = new Map<number, readonly Figures[]>();
  const stretches: TimeRange[] = windows.flatMap(({ train, test }) => [train, test]);
  const format = ' {bar} {percentage} % | {value} of {total} sets | {eta_formatted} left';
  const bar = process.stderr.isTTY
    ? new SingleBar({ format, clearOnComplete: true, etaBuffer: 100 }, Presets.shades_classic)
    : null;
  const pool = openPool({ space, courses, stretches }, workers);
  let stopped = false;
  let stop = () => {};
  const interrupted = new Promise<void>((resolve) => {
    stop = () => {
      stopped = true;
      resolve();
    };
  });
  // Never removed: behind npm and npx one Ctrl-C arrives twice, and the second must not end the process while it
  // prints.
  process.on('SIGINT', stop);
  if (bar === null) console.error(`Trying ${indices.length} sets on ${workers} worker${workers === 1 ? '' : 's'}`);
  bar?.start(indices.length, 0);
  try {
    const all = pool.run(indices, (index, figures) => {
      found.set(index, figures);
      bar?.update(found.size);
    });
    await Promise.race([all, interrupted]);
  } catch (error) {
    if (!(error instanceof SetFailed)) throw error;
    throw new Error(`${JSON.stringify(pointAt(space, error.index))} failed: ${error.message}`);
  } finally {
    bar?.stop();
    await pool.close();
  }
  return { found, stopped };
}

/** The combinations to try. @throws Error when there are none, or too many to list */
function select(space: Space, sample: { count: number; seed: number } | null) {
  const size = sizeOf(space);
  if (size > Number.MAX_SAFE_INTEGER) throw new Error('there are too many combinations: vary less');
  if (sample === null && size > LARGEST_GRID) {
    throw new Error(`there are ${size} combinations: try some of them with --sample 1000, or vary less`);
  }
  const selection = sample === null ? allCombinations(space) : sampleOf(space, sample.count, sample.seed);
  if (selection.indices.length > 0) return selection;
  const faults = selection.faults.map((fault) => faultText(fault).en).join('\n');
  throw new Error(`all combinations are invalid; faults of the first:\n${faults}`);
}

/** The candles of every period that is traded, merged once, in shared memory. */
async function loadCourses(
  flags: Flags,
  files: ReturnType<typeof namedPairs>,
  space: Space,
  first: number,
): Promise<Map<string, BacktestTimeline>> {
  const setup = setupAt(space, first);
  // Only valid combinations were selected.
  const options = (setup as { options: BotOptions }).options;
  const varied = space.axes.find(({ kind, name }) => kind === 'option' && name === 'period');
  const periods = varied === undefined ? [options.period] : varied.values.filter(isPeriodName);
  const courses = new Map<string, BacktestTimeline>();
  // The shortest first: its candles show that the files can be read at all, and give the grid.
  const ascending = periods.toSorted((a, b) => PERIODS[a as Period] - PERIODS[b as Period]);
  const { pairs } = await loadPairs(files, flags, { ...options, period: ascending[0] ?? options.period });
  const shared = sharePairs(pairs);
  for (const period of ascending) {
    for (const { candleMs, market } of shared) {
      if (PERIODS[period as Period] % candleMs !== 0) {
        throw new Error(`${period} cannot be built from the candles of ${market.pair}`);
      }
    }
    courses.set(period, shareCourse(createBacktestTimeline(shared, PERIODS[period as Period], flags.detail)));
  }
  return courses;
}

function isPeriodName(value: unknown): value is string {
  return typeof value === 'string' && Object.hasOwn(PERIODS, value);
}

/** From the first open to the last close that every period has. */
function spanOf(courses: readonly BacktestTimeline[]): TimeRange {
  const spans = courses.map(({ time, pairs }) => ({
    from: time[0] ?? 0,
    to: (time[time.length - 1] ?? 0) + Math.min(...pairs.map(({ walkMs }) => walkMs)),
  }));
  return { from: Math.max(...spans.map(({ from }) => from)), to: Math.min(...spans.map(({ to }) => to)) };
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

function readWalkForward(text: string): { train: number; test: number } {
  const match = /^(\d+)([mhdw])\/(\d+)([mhdw])$/.exec(text);
  const [, train = '0', trainUnit = '', test = '0', testUnit = ''] = match ?? [];
  const lengths = {
    train: Number(train) * (UNITS[trainUnit] ?? 0),
    test: Number(test) * (UNITS[testUnit] ?? 0),
  };
  if (!(lengths.train > 0 && lengths.test > 0)) {
    throw new Error(`--walk-forward ${text} must have the form 90d/30d (m, h, d or w)`);
  }
  return lengths;
}

function wholeNumber(text: string, flag: string, min = 0): number {
  const value = readNumber(text, flag);
  if (!Number.isSafeInteger(value) || value < min) {
    throw new Error(`${flag} ${text} must be a whole number from ${min}`);
  }
  return value;
}
