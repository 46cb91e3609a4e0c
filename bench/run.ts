import { availableParallelism } from 'node:os';
import type { BacktestResult } from '@heron/engine/backtest/backtest.ts';
import { type CandleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { fromUnits } from '@heron/engine/money/units.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { accounts } from './accounts.ts';
import { backtestKitEmaCross } from './backtestKit.ts';
import { type BareResult, bareEmaCross, bareMacdHalfHours } from './bare.ts';
import { bookOperations, peerBook, runOwnBook } from './book.ts';
import { marketsOf, randomWalk } from './candles.ts';
import { client } from './client.ts';
import { type Figure, lineOf, tableOf } from './figures.ts';
import { grademarkEmaCross } from './grademark.ts';
import { AS_USED, BARE_RULE, runHeron } from './heron.ts';
import { type Fill, indicatorCases } from './indicators.ts';
import { loading } from './loading.ts';
import { peakMemory } from './memory.ts';
import { bareSearch, openSearch, SETS, searchAll } from './optimise.ts';
import { installPeers } from './peers.ts';
import { runPortfolio } from './portfolio.ts';
import { race } from './race.ts';
import { ratiosBelow } from './ratioCheck.ts';
import storedRatios from './ratios.json' with { type: 'json' };

const MINUTES = 1_000_000;
/** Slow peers get fewer; the rate is per candle. */
const GRADEMARK_MINUTES = 50_000;
const BACKTEST_KIT_MINUTES = 10_000;
const SERIES_VALUES = 100_000;
const PAIRS = 10;
const PAIR_MINUTES = 100_000;
const SEARCH_MINUTES = 100_000;
const OPERATIONS = 200_000;
/** Enough for a few trades. */
const LITTLE = 5_000;

const FAST = 12;
const SLOW = 26;
/**
 * Candles before the first entry: three times the slow length; MACD waits for its signal line too.
 *
 * @see docs/strategies.md#ema_cross, docs/strategies.md#macd
 */
const WARM_UP = 3 * SLOW;
const MACD_WARM_UP = 3 * 26 + 9;

/** Follows every EMA cross. Bare loop and plain rule must trade alike; README.md lists how peers may differ. */
async function emaCross(candles: CandleColumns): Promise<Figure[]> {
  const some = sliceCandles(candles, 0, GRADEMARK_MINUTES);
  const few = sliceCandles(candles, 0, BACKTEST_KIT_MINUTES);
  const room = new Float64Array(MINUTES);
  const little = sliceCandles(candles, 0, LITTLE);
  const own = (rules: Partial<BotOptions>) => (given: CandleColumns) =>
    runHeron(given, { ...rules, strategy: 'ema_cross', period: '1m' }, { fast: FAST, slow: SLOW });
  const loop = (given: CandleColumns) => bareEmaCross(given, FAST, SLOW, WARM_UP, room);
  const peer = (given: CandleColumns) => grademarkEmaCross(given, FAST, SLOW, WARM_UP);
  const { used, plain, bare, grademark, kit } = await race({
    used: sized(own(AS_USED), candles, little),
    plain: sized(own(BARE_RULE), candles, little),
    bare: sized(loop, candles, little),
    grademark: { amount: some.length, run: await peer(some), little: await peer(little) },
    kit: { amount: few.length, run: await backtestKitEmaCross(few, FAST, SLOW, WARM_UP) },
  });
  expectSame(plain.result, bare.result);
  expectAlike('grademark', grademark.result, loop(some).fills);
  expectAlike('backtest-kit', kit.result, loop(few).fills);
  const unit = 'candles/s';
  const against = (rate: number) => ({
    'bare loop': rate / bare.rate,
    grademark: rate / grademark.rate,
    'backtest-kit': rate / kit.rate,
  });
  return [
    {
      name: 'backtest ema_cross',
      value: used.rate,
      unit,
      ratios: against(used.rate),
      note: `default rules, ${fillsOf(used.result.record.fillRows.length, MINUTES)}`,
    },
    {
      name: 'backtest ema_cross plain',
      value: plain.rate,
      unit,
      ratios: against(plain.rate),
      note: `no exit tables or guards, ${fillsOf(plain.result.record.fillRows.length, MINUTES)}`,
    },
    { name: 'bare loop ema_cross', value: bare.rate, unit, ratios: {}, note: fillsOf(bare.result.fills, MINUTES) },
    {
      name: 'grademark ema_cross',
      value: grademark.rate,
      unit,
      ratios: {},
      note: `no fees, ${fillsOf(grademark.result, GRADEMARK_MINUTES)}`,
    },
    {
      name: 'backtest-kit ema_cross',
      value: kit.rate,
      unit,
      ratios: {},
      note: `nothing on disk, ${fillsOf(kit.result, BACKTEST_KIT_MINUTES)}`,
    },
  ];
}

/** One-minute candles made into half hours, then MACD with an RSI exit; rates in one-minute candles. */
async function macdHalfHours(candles: CandleColumns): Promise<Figure[]> {
  const room = new Float64Array(MINUTES);
  const little = sliceCandles(candles, 0, 10 * LITTLE);
  const own = (given: CandleColumns) => {
    return runHeron(given, { ...BARE_RULE, strategy: 'macd', period: '30m' }, { rsi_exit: 70 });
  };
  const loop = (given: CandleColumns) => bareMacdHalfHours(given, MACD_WARM_UP, room);
  const { heron, bare } = await race({
    heron: sized(own, candles, little),
    bare: sized(loop, candles, little),
  });
  expectSame(heron.result, bare.result);
  const note = fillsOf(bare.result.fills, MINUTES);
  const unit = 'candles/s';
  return [
    { name: 'backtest macd 1m to 30m', value: heron.rate, unit, ratios: { 'bare loop': heron.rate / bare.rate }, note },
    { name: 'bare loop macd 1m to 30m', value: bare.rate, unit, ratios: {}, note },
  ];
}

/** EMA 12/26 on ten pairs that share one wallet; rates in candles of all pairs. */
async function portfolio(): Promise<Figure[]> {
  const markets = marketsOf(PAIRS);
  const walks = markets.map((_, k) => randomWalk(PAIR_MINUTES, k + 1));
  const few = walks.map((candles) => sliceCandles(candles, 0, LITTLE));
  const room = new Float64Array(PAIR_MINUTES);
  const loops = (given: readonly CandleColumns[]) =>
    given.map((candles) => bareEmaCross(candles, FAST, SLOW, WARM_UP, room));
  const amount = PAIRS * PAIR_MINUTES;
  const { heron, bare } = await race({
    heron: { amount, run: () => runPortfolio(markets, walks), little: () => runPortfolio(markets, few) },
    bare: { amount, run: () => loops(walks), little: () => loops(few) },
  });
  const unit = 'candles/s';
  return [
    {
      name: 'portfolio ema_cross',
      value: heron.rate,
      unit,
      ratios: { 'bare loops': heron.rate / bare.rate },
      note: `${PAIRS} pairs, one wallet, default rules, ${fillsOf(heron.result.record.fillRows.length, amount)}`,
    },
    { name: 'bare loops ema_cross', value: bare.rate, unit, ratios: {}, note: 'ten wallets' },
  ];
}

/** Measures the growth of time and memory with the number of candles. */
async function growth(candles: CandleColumns): Promise<Figure[]> {
  const tenth = sliceCandles(candles, 0, MINUTES / 10);
  const own = (given: CandleColumns) =>
    runHeron(given, { ...AS_USED, strategy: 'ema_cross', period: '1m' }, { fast: FAST, slow: SLOW });
  const little = sliceCandles(candles, 0, LITTLE);
  const { whole, part } = await race({ whole: sized(own, candles, little), part: sized(own, tenth, little) });
  return [
    {
      name: 'time of 1 M against 100 k candles',
      value: MINUTES / whole.rate / (tenth.length / part.rate),
      unit: '×',
      ratios: {},
      note: '10 × the candles',
    },
    {
      name: 'peak memory',
      value: peakMemory(MINUTES) / 2 ** 20,
      unit: 'MiB',
      ratios: {},
      note: 'process of its own, 1 M candles made and run',
    },
  ];
}

/** Measures the time of one value of an indicator. */
async function indicators(candles: CandleColumns): Promise<Figure[]> {
  const little = sliceCandles(candles, 0, LITTLE);
  const some = sliceCandles(candles, 0, SERIES_VALUES);
  const room = new Float64Array(MINUTES);
  const side = (fill: Fill, given: CandleColumns) => ({
    amount: given.length,
    run: () => fill(given, room),
    little: () => fill(little, room),
  });
  const figures: Figure[] = [];
  for (const { name, own, kept, bare, peer } of await indicatorCases()) {
    // Rare cases, such as two equal closes, must occur before the short warm-up triggers compilation.
    own(candles, room);
    const laps = await race({
      own: side(own, candles),
      kept: side(kept, candles),
      bare: side(bare, candles),
      peer: side(peer, some),
    });
    const ours = laps.own.result;
    if (ours !== laps.kept.result) throw new Error(`${name} depends on where its state is`);
    expectNear(`the bare loop's ${name}`, laps.bare.result, ours);
    expectNear(`trading-signals' ${name}`, laps.peer.result, own(some, room));
    const figure = ({ rate }: { readonly rate: number }, side: string, note: string, compared: boolean): Figure => ({
      name: `${side}${name}`,
      value: 1e9 / rate,
      unit: 'ns/value',
      ratios: compared ? { 'bare loop': rate / laps.bare.rate, 'trading-signals': rate / laps.peer.rate } : {},
      note,
    });
    figures.push(
      figure(laps.own, 'indicator ', 'loop owns the state', true),
      figure(laps.kept, 'indicator kept ', 'state in memory, as that of a bot', true),
      figure(laps.bare, 'bare loop ', '', false),
      figure(laps.peer, 'trading-signals ', '', false),
    );
  }
  return figures;
}

async function matching(): Promise<Figure[]> {
  const operations = bookOperations(OPERATIONS);
  const few = operations.slice(0, LITTLE);
  const { heron, peer } = await race({
    heron: { amount: OPERATIONS, run: () => runOwnBook(operations), little: () => runOwnBook(few) },
    peer: { amount: OPERATIONS, run: await peerBook(operations), little: await peerBook(few) },
  });
  if (heron.result !== peer.result) {
    throw new Error(`the sandbox's book ends with ${heron.result} steps, nodejs-order-book with ${peer.result}`);
  }
  const note = '60 % limit, 10 % market, 30 % cancel, same book at the end';
  const unit = 'operations/s';
  return [
    { name: 'sandbox book', value: heron.rate, unit, ratios: { 'nodejs-order-book': heron.rate / peer.rate }, note },
    { name: 'nodejs-order-book', value: peer.rate, unit, ratios: {}, note },
  ];
}

/** Many sets on all cores, each by the whole engine, which must trade as often as the bare loop. */
async function search(candles: CandleColumns): Promise<Figure[]> {
  const some = sliceCandles(candles, 0, SEARCH_MINUTES);
  const room = new Float64Array(SEARCH_MINUTES);
  const workers = availableParallelism();
  const pool = openSearch(some, workers);
  const amount = SETS.length * SEARCH_MINUTES;
  const { heron, bare } = await race({
    heron: { amount, run: () => searchAll(pool) },
    bare: { amount, run: () => bareSearch(some, room) },
  });
  await pool.close();
  if (heron.result !== bare.result) throw new Error(`the search traded ${heron.result} times, not ${bare.result}`);
  const unit = 'candles/s';
  const note = `${SETS.length} sets, ${fillsOf(bare.result, amount)}`;
  const ratio = (rate: number) => ({ 'bare loop': rate / bare.rate });
  return [
    { name: 'search ema_cross', value: heron.rate, unit, ratios: ratio(heron.rate), note: `${workers} workers` },
    {
      name: 'search ema_cross a core',
      value: heron.rate / workers,
      unit,
      ratios: ratio(heron.rate / workers),
      note: 'the same by the number of workers',
    },
    { name: 'bare loop search', value: bare.rate, unit, ratios: {}, note: `${note}, one thread` },
  ];
}

/** Returns a contender whose work takes candles. */
function sized<Result>(work: (candles: CandleColumns) => Result, all: CandleColumns, little: CandleColumns) {
  return { amount: all.length, run: () => work(all), little: () => work(little) };
}

/** The engine on the bare rule must trade as often and end with as much; quantities on the grid are up to 0.5 % smaller. */
function expectSame({ record, equity, bot }: BacktestResult, bare: BareResult): void {
  if (record.fillRows.length !== bare.fills) {
    throw new Error(`${bot.strategy.id} traded ${record.fillRows.length} times, the bare loop ${bare.fills} times`);
  }
  const [ours, theirs] = [fromUnits(equity.at(-1) as number), bare.end];
  if (!(Math.abs(ours / theirs - 1) < 0.005)) {
    throw new Error(`${bot.strategy.id} ends with ${ours}, the bare loop with ${theirs}`);
  }
}

function expectAlike(peer: string, fills: number, expected: number): void {
  if (!(Math.abs(fills / expected - 1) < 0.1)) throw new Error(`${peer} traded ${fills} times instead of ${expected}`);
}

/** Starts differ, and are forgotten; the bare loop's sums of squares lose digits. */
function expectNear(what: string, value: number, expected: number): void {
  if (!(Math.abs(value / expected - 1) < 1e-6)) throw new Error(`${what} ends at ${value} instead of ${expected}`);
}

function fillsOf(fills: number, candles: number): string {
  return `${fills.toLocaleString('en')} fills in ${candles.toLocaleString('en')} candles`;
}

const json = process.argv.includes('--json');
const isCheck = process.argv.includes('--check');
const measured: Figure[] = [];
const [part] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (part === undefined) {
  installPeers();
  const walk = randomWalk(MINUTES);
  for (const [title, measure] of [
    ['EMA 12/26 cross on one-minute candles', emaCross],
    ['MACD 12/26/9 and RSI 25, one-minute candles made into half hours', macdHalfHours],
    ['EMA 12/26 cross on ten pairs as one portfolio', portfolio],
    ['EMA crosses with 200 sets of parameters', search],
    ['Growth of an EMA 12/26 run', growth],
    ['Indicators, one value at a time', indicators],
    ['Loading candles', loading],
    ['Order book', matching],
  ] as const) {
    show(title, await measure(walk));
  }
  if (isCheck) checkRatios();
} else if (part === 'accounts') {
  show('Accounts over HTTP', await accounts());
} else if (part === 'client') {
  show('The app in a browser', await client());
} else {
  console.error('Two parts run alone: accounts and client');
  process.exitCode = 1;
}

function show(title: string, figures: readonly Figure[]): void {
  measured.push(...figures);
  console.log(json ? figures.map(lineOf).join('\n') : tableOf(title, figures));
}

/** Fails the run when a ratio has fallen below 90 % of the stored one. */
function checkRatios(): void {
  const below = ratiosBelow(storedRatios, measured);
  for (const line of below) console.error(`✗ ${line}`);
  if (below.length === 0) console.log('✓ Every ratio is at least 90 % of the stored one.');
  else process.exitCode = 1;
}
