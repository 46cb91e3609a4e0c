import type { CandleColumns } from '../market/candle.ts';
import type { Direction } from '../market/direction.ts';
import { type Price, type Quantity, type Quote, toUnits } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { PairState, Position } from '../state/botState.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import { type Turn, turnOf } from '../state/turn.ts';
import { ENTER_LONG, ENTER_SHORT, enterFlag, exitFlag, NO_CANDLE } from '../strategies/flags.ts';
import { MAX_AT_ONCE, type Params, type Strategy, type StrategyRun } from '../strategies/strategy.ts';
import { countClosed, stepAt, type TimelinePair } from './backtestTimeline.ts';

/** A step beyond the last one. */
export const NEVER = 0x7fffffff;

/** Price band in which nothing acts on a position, as float64 decimals with one unit of margin for rounding. */
export interface QuietPriceBand {
  above: number;
  below: number;
}

/** The run of one pair through a backtest. */
export interface PairRun extends TimelinePair {
  /** All pair runs of the backtest. */
  readonly pairRuns: readonly PairRun[];
  readonly index: number;
  readonly bot: Bot;
  readonly pair: PairState;
  readonly run: StrategyRun;
  nextFunding: number;
  readonly quote: PairQuote;
  /** Walked candle at whose close `run_for` is over; beyond the last one when it is endless. */
  endAt: number;
  /** Index of the next walked candle. */
  at: number;
  /** Flags of the walked candles from `flagsFrom` to before `flagsTo`. */
  readonly flags: Uint8Array;
  flagsFrom: number;
  flagsTo: number;
  /** Sum that keeps V8 from removing the loop of {@link readAhead}; its value is not used. */
  sum: number;
  /** Inside a candle orders of the exit tables fill at once at this price; 0 while they wait for the next candle. */
  instant: Price;
  /** The present event of the pair; its time changes along the run. */
  readonly turn: Turn;
  /** Price of a maker's entry that was filled in this candle, after its open; 0 for none. */
  enteredAt: Price;
  /** Reused band in which the exit tables do not act. */
  readonly quietBand: QuietPriceBand;
  /** Reused band in which neither the exit tables nor the plan act. */
  readonly planQuietBand: QuietPriceBand;
  /** The band is valid: nothing was filled and no table was evaluated since. */
  quietBandKnown: boolean;
  /** Holding since step `valuedFrom`, which the equity curve does not include yet. */
  valuedFrom: number;
  valuedQuantity: Quantity;
  valuedCost: Quote;
  valuedSide: 1 | -1;
  /** It counts as a pair run with a position. */
  held: boolean;
}

/** Inputs of {@link createPairRun}. */
export interface PairRunSetup {
  /** All runs of the backtest. */
  readonly pairRuns: readonly PairRun[];
  readonly bot: Bot;
  readonly index: number;
  readonly timelinePair: TimelinePair;
  /** Open time of the step at which trading begins, ms. */
  readonly begin: number;
  /** Flags of every walked candle, when a run with the same strategy and parameters has computed them. */
  readonly known: Uint8Array | null;
  /** The effects of the bot, shared by all its pairs. */
  readonly effects: Effect[];
}

/** Creates the run of a pair at the step at which trading begins. */
export function createPairRun({ pairRuns, bot, index, timelinePair, begin, known, effects }: PairRunSetup): PairRun {
  const pair = bot.state.pairs[index] as PairState;
  const quote: PairQuote = { at: 0, bid: 0, bidSize: 0, ask: 0, askSize: 0, last: 0, mark: 0 };
  pair.quote = quote;
  const at = stepAt(timelinePair.walk.time, begin);
  const pairRun: PairRun = {
    pairRuns,
    index,
    bot,
    pair,
    market: timelinePair.market,
    run: bot.runs[index] as StrategyRun,
    candles: timelinePair.candles,
    walk: timelinePair.walk,
    walkMs: timelinePair.walkMs,
    closing: timelinePair.closing,
    steps: timelinePair.steps,
    funding: timelinePair.funding,
    fundingAt: timelinePair.fundingAt,
    nextFunding: timelinePair.funding === null ? 0 : stepAt(timelinePair.funding.time, begin),
    quote,
    endAt: endOf(bot.state.endsAt, timelinePair.walk, timelinePair.walkMs),
    at,
    flags: known ?? new Uint8Array(MAX_AT_ONCE),
    flagsFrom: 0,
    flagsTo: known === null ? 0 : timelinePair.walk.length,
    sum: 0,
    instant: 0,
    turn: turnOf({ bot, at: 0, effects }, pair),
    enteredAt: 0,
    quietBand: { above: 0, below: 0 },
    planQuietBand: { above: 0, below: 0 },
    quietBandKnown: false,
    valuedFrom: 0,
    valuedQuantity: 0,
    valuedCost: 0,
    valuedSide: 1,
    held: false,
  };
  // The strategy processes the candles that closed before.
  while (pairRun.flagsTo < at) knownTo(pairRun, pairRun.flagsTo);
  return pairRun;
}

function endOf(endsAt: number, walk: CandleColumns, walkMs: number): number {
  if (endsAt === 0) return walk.length;
  let i = 0;
  while (i < walk.length && (walk.time[i] as number) + walkMs < endsAt) i += 1;
  return i;
}

/** Returns the flags of the next walked candle, or {@link NO_CANDLE} when no candle of the strategy closes with it. */
export function flagsAt(pairRun: PairRun): number {
  knownTo(pairRun, pairRun.at);
  return pairRun.flags[pairRun.at - pairRun.flagsFrom] as number;
}

/**
 * Runs the strategy over the next chunk when its flags end before the walked candle `at`. Flags depend only on candles, never on
 * positions. The function is called far more often than it has work, so V8 does not inline the loop of the strategy here.
 *
 * @returns the walked candle at which known flags end
 */
function knownTo(pairRun: PairRun, at: number): number {
  if (at < pairRun.flagsTo) return pairRun.flagsTo;
  const from = pairRun.flagsTo;
  const to = Math.min(from + MAX_AT_ONCE, pairRun.walk.length);
  pairRun.flagsFrom = from;
  pairRun.flagsTo = to;
  flagsInto(pairRun.flags, pairRun.run, pairRun, from, to);
  pairRun.sum = readAhead(pairRun.walk, from, to);
  return to;
}

/**
 * Prefetches the prices from `from` to before `to` by reading one number of each 64 bytes. Pair runs alternate after a few
 * candles, too few for the processor to read ahead; sequential reads load a few hundred candles into the cache.
 */
function readAhead({ time, open, high, low }: CandleColumns, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 8)
    sum += (time[i] as number) + (open[i] as number) + (high[i] as number) + (low[i] as number);
  return sum;
}

/** Returns the flags of every walked candle of a pair, for runs that share them. */
export function everyFlag(
  { strategy, params }: { strategy: Strategy; params: Params },
  timelinePair: TimelinePair,
): Uint8Array {
  const flags = new Uint8Array(timelinePair.walk.length);
  const run = strategy.run(params, strategy.init(params));
  for (let from = 0; from < flags.length; from += MAX_AT_ONCE) {
    const to = Math.min(from + MAX_AT_ONCE, flags.length);
    flagsInto(flags.subarray(from, to), run, timelinePair, from, to);
  }
  return flags;
}

/** Writes the flags of the walked candles from `from` to before `to` to the start of `flags`. */
function flagsInto(
  flags: Uint8Array,
  run: StrategyRun,
  { candles, closing }: Pick<TimelinePair, 'candles' | 'closing'>,
  from: number,
  to: number,
): void {
  if (closing === null) {
    feed(run, candles, from, to, flags);
    return;
  }
  // The flags of the strategy's candles are written first and then moved backwards to where they close.
  const first = countClosed(closing, from);
  let j = countClosed(closing, to);
  feed(run, candles, first, j, flags);
  for (let i = to - 1; i >= from; i--) {
    const closes = (closing[i] as number) >= 0;
    if (closes) j -= 1;
    flags[i - from] = closes ? (flags[j - first] as number) : NO_CANDLE;
  }
}

/** Feeds the candles from `from` to before `to` to a strategy; their flags go to the start of `flags`. */
function feed(run: StrategyRun, candles: CandleColumns, from: number, to: number, flags: Uint8Array): void {
  if (run.onCandles !== undefined) {
    run.onCandles(candles, from, to, flags);
    return;
  }
  const { open, high, low, close, volume } = candles;
  for (let i = from; i < to; i++) {
    const signal = run.onCandle(
      open[i] as number,
      high[i] as number,
      low[i] as number,
      close[i] as number,
      volume[i] as number,
    );
    flags[i - from] = signal.flags;
  }
}

/** Returns the number of the strategy's candles that are closed before the walked candle `at`. */
export function closedBefore(pairRun: PairRun, at: number): number {
  const { closing } = pairRun;
  return closing === null ? at : countClosed(closing, at);
}

/**
 * Skips from the next walked candle to the first one in which something may happen: a relevant flag, a price outside `quietBand`,
 * a funding time, the end of `run_for`. Skipped candles only raise the peak of a position.
 *
 * @param quietBand null when every candle matters
 * @returns the step of that candle, {@link NEVER} when there is none
 */
export function lookAhead(pairRun: PairRun, quietBand: QuietPriceBand | null): number {
  if (quietBand !== null) skipQuiet(pairRun, quietBand);
  const { walk, steps } = pairRun;
  return pairRun.at >= walk.length ? NEVER : steps === null ? pairRun.at : (steps[pairRun.at] as number);
}

/** Moves to the first walked candle that is not quiet, at most to the end of the run. */
function skipQuiet(pairRun: PairRun, quietBand: QuietPriceBand): void {
  const { walk, pair, bot } = pairRun;
  const held = pair.position?.direction ?? 0;
  const limit = pairRun.at > pairRun.endAt ? walk.length : Math.min(walk.length, pairRun.endAt);
  if (pair.orderPlan !== null) {
    skipWithPlan(pairRun, beforeFunding(pairRun, limit), quietBand);
  } else if (held === 0) {
    skipFlat(pairRun, (bot.rules.longs ? ENTER_LONG : 0) | (bot.rules.shorts ? ENTER_SHORT : 0), limit);
  } else {
    const leaves = exitFlag(held) | enterFlag(-held as Direction);
    // Periodic entries add to a position; no other plan reacts to flags.
    const mask = bot.planRules === null ? leaves : enterFlag(held);
    skipWithPosition(pairRun, mask, beforeFunding(pairRun, limit), quietBand);
  }
}

/** Limits the skip to the next funding payment while a position is held. */
function beforeFunding({ fundingAt, nextFunding, pair }: PairRun, limit: number): number {
  const funding = pair.position === null ? undefined : fundingAt?.[nextFunding];
  return funding !== undefined && funding < limit ? funding : limit;
}

/** Skips candles with a plan: only prices outside the band matter. */
function skipWithPlan(pairRun: PairRun, limit: number, { above, below }: QuietPriceBand): void {
  const { low, high } = pairRun.walk;
  let i = pairRun.at;
  while (i < limit) {
    const end = lesser(knownTo(pairRun, i), limit);
    while (i < end && (low[i] as number) > above && (high[i] as number) < below) i += 1;
    if (i < end) break;
  }
  pairRun.at = i;
}

/** Skips candles without position and orders: only an entry flag matters. */
function skipFlat(pairRun: PairRun, mask: number, limit: number): void {
  const { flags } = pairRun;
  let i = pairRun.at;
  while (i < limit) {
    const end = lesser(knownTo(pairRun, i), limit);
    const from = pairRun.flagsFrom;
    while (i < end && ((flags[i - from] as number) & mask) === 0) i += 1;
    if (i < end) break;
  }
  pairRun.at = i;
}

/** Skips candles with a position and no orders: exit flags and prices outside the band matter. */
function skipWithPosition(pairRun: PairRun, mask: number, limit: number, { above, below }: QuietPriceBand): void {
  const { flags, pair, walk } = pairRun;
  const { low, high } = walk;
  const position = pair.position;
  if (position === null) return;
  const { direction } = position;
  const favourable = direction === 1 ? high : low;
  let best = Number.NEGATIVE_INFINITY;
  let i = pairRun.at;
  while (i < limit) {
    const end = lesser(knownTo(pairRun, i), limit);
    const from = pairRun.flagsFrom;
    for (; i < end; i++) {
      const bottom = low[i] as number;
      const top = high[i] as number;
      if (bottom <= above || top >= below) break;
      // A flag acts at the close, so the candle still raises the peak.
      if (((flags[i - from] as number) & mask) !== 0) break;
      const reached = direction * (favourable[i] as number);
      best = reached > best ? reached : best;
    }
    if (i < end) break;
  }
  pairRun.at = i;
  if (best !== Number.NEGATIVE_INFINITY) improvePeak(position, toUnits(direction * best));
}

/** Returns the smaller index. `Math.min` would give V8 a float, which it converts in every round of a loop. */
function lesser(a: number, b: number): number {
  return a < b ? a : b;
}

/**
 * Raises the peak of a long, or lowers that of a short, to `price` if that is better.
 *
 * @see docs/exits.md#trailing-take-profit
 */
export function improvePeak(position: Position, price: Price): void {
  const { peak, direction } = position;
  if (peak === 0 || (direction === 1 ? price > peak : price < peak)) position.peak = price;
}

/** Returns the newest candle of a pair run that is closed at `time`; −1 when there is none. */
export function lastClosed(pairRun: PairRun, time: number): number {
  const { walk } = pairRun;
  let low = 0;
  let high = walk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((walk.time[middle] as number) + pairRun.walkMs <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
