import { onCommand } from '../bot/commands/onCommand.ts';
import { onFlags } from '../bot/onCandle.ts';
import { onHistory } from '../bot/onHistory.ts';
import { onTimer } from '../bot/onTimer.ts';
import { PERIODS, type Period } from '../market/period.ts';
import { toUnits } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import { type Bot, createBot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { BotObserver } from '../state/botObserver.ts';
import { createBotState, type PairState } from '../state/botState.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import { turnOf } from '../state/turn.ts';
import { NO_CANDLE } from '../strategies/flags.ts';
import type { Params } from '../strategies/strategy.ts';
import type { BacktestPair } from './backtestPair.ts';
import type { EquityWatch, Run } from './backtestRun.ts';
import { type BacktestTimeline, createBacktestTimeline, endOf } from './backtestTimeline.ts';
import { applyEffects } from './candleFills.ts';
import { countCash, countEquity, countHolding } from './equityCurve.ts';
import { closedBefore, createPairRun, flagsAt, lastClosed, lookAhead, NEVER, type PairRun } from './pairRun.ts';
import { quietBandOf } from './quietBand.ts';
import { runCandle } from './runCandle.ts';
import { createRecordObserver, createRunRecord, type RunRecord } from './runRecord.ts';

export interface BacktestInput {
  /** In watch-list order. Their times may differ and have gaps. */
  pairs: readonly BacktestPair[];
  /** Validated; `watch_pairs` is taken from the pairs. */
  options: BotOptions;
  params: Params;
  /** Walk the shorter candles inside each candle of the strategy, where shorter ones are given. The default is yes. */
  detail?: boolean;
  /** Called about every 65,536 steps with the number done. */
  progress?: (done: number, all: number) => void;
}

export interface BacktestResult {
  /** Fills, trades and closed positions. */
  record: RunRecord;
  bot: Bot;
  /** Open time of each step, ms: every time at which some pair has a candle. */
  time: Float64Array;
  /** When the last step closes, ms; 0 without a step. */
  endsAt: number;
  /** Equity at the close of each step, in 1e-8 quote units. */
  equity: Float64Array;
  /** Number of steps at whose close a position was held. */
  heldSteps: number;
  /** Number of closed candles fed to the strategy, over all pairs. */
  candles: number;
}

/**
 * Runs a bot over closed candles of its pairs with the same engine as paper and live.
 *
 * Signal at the close of candle i. Takers fill at the next open made worse by the average slippage; makers at their
 * price when a later candle trades strictly through it, re-priced once a candle. Exit tables are tested inside each
 * candle: adverse extreme, favourable extreme, close; they fill at the trigger price, or at the open when it lies
 * beyond, made worse by the average slippage. Signals of one close are handled in the order of the pairs.
 *
 * Candles in which nothing can happen are skipped: the flags of the strategy are computed ahead, and between two events the
 * exit tables have a price band within which they do not act.
 *
 * @see docs/fills.md#a-candle-of-a-backtest
 */
export function runBacktest({ pairs, options, params, detail = true, progress }: BacktestInput): BacktestResult {
  const timeline = createBacktestTimeline(pairs, PERIODS[options.period as Period], detail);
  const { time } = timeline;
  const record = createRunRecord();
  const equity = new Float64Array(time.length);
  const { bot, heldSteps } = runTimeline(timeline, { options, params }, createRecordObserver(record), equity, progress);
  const candles = timeline.pairs.reduce((sum, pair) => sum + pair.candles.length, 0);
  return { record, bot, time, endsAt: endOf(timeline), equity, heldSteps, candles };
}

/** Setup of a run over a timeline, validated. */
export interface TimelineSetup {
  readonly options: BotOptions;
  readonly params: Params;
  /** Flags of every walked candle by pair, where they were computed before. */
  readonly flags?: readonly Uint8Array[];
}

/**
 * Runs a bot over a timeline as {@link runBacktest} does; `observer` and `equity` receive the results.
 *
 * @param equity zeros for the curve, one for each step; or a callback instead
 * @param progress called about every 65,536 steps with the number done
 */
export function runTimeline(
  timeline: BacktestTimeline,
  { options, params, flags }: TimelineSetup,
  observer: BotObserver,
  equity: Float64Array | EquityWatch,
  progress?: (done: number, all: number) => void,
): Run {
  const { pairs, time, begin } = timeline;
  const watched = pairs.map(({ market }) => market.pair).join(',');
  const state = createBotState('backtest', { ...options, watch_pairs: watched, max_watch_size: 0 }, params);
  const bot = createBot(state, observer);
  const first = time[begin] ?? 0;
  const effects: Effect[] = [];
  const turn = { bot, at: first, effects };
  onCommand(turn, { type: 'start' });
  pairs.forEach(({ market }, k) => {
    onHistory(turnOf(turn, state.pairs[k] as PairState), market, []);
  });
  state.status = 'working';
  const pairRuns: PairRun[] = [];
  pairs.forEach((pair, k) => {
    const known = flags?.[k] ?? null;
    pairRuns.push(createPairRun({ pairRuns, bot, index: k, timelinePair: pair, begin: first, known, effects }));
  });
  const run: Run = {
    bot,
    pairRuns,
    nextSteps: Int32Array.from(pairRuns, (pairRun) => lookAhead(pairRun, quietBandOf(pairRun))),
    due: [...pairRuns],
    dueCount: 0,
    effects,
    equity,
    time,
    cash: state.wallet.quote,
    cashFrom: begin,
    held: 0,
    heldSteps: 0,
  };
  let reportedAt = 0;
  for (let step = nextDue(run); step < time.length; ) {
    step = runStep(run, step);
    if (progress && step - reportedAt >= 0x10000) {
      reportedAt = step;
      progress(step, time.length);
    }
  }
  endRun(run);
  return run;
}

/** Runs one step in which something may happen. It is the hot function. @returns the next such step */
function runStep(run: Run, step: number): number {
  const { due, dueCount, nextSteps } = run;
  for (let k = 0; k < dueCount; k++) {
    const pairRun = due[k] as PairRun;
    runCandle(pairRun);
    standAtClose(pairRun);
  }
  closeCandles(run, step);
  for (let k = 0; k < dueCount; k++) {
    const pairRun = due[k] as PairRun;
    pairRun.at += 1;
    nextSteps[pairRun.index] = lookAhead(pairRun, quietBandOf(pairRun));
  }
  countEquity(run, step);
  const next = Math.min(nextDue(run), run.time.length);
  if (run.held > 0) run.heldSteps += next - step;
  return next;
}

/** Finds the earliest step at which something may happen and collects its pair runs. */
function nextDue(run: Run): number {
  const { pairRuns, nextSteps, due } = run;
  let next = NEVER;
  let count = 0;
  for (let k = 0; k < nextSteps.length; k++) {
    const step = nextSteps[k] as number;
    if (step > next) continue;
    if (step < next) {
      next = step;
      count = 0;
    }
    due[count++] = pairRuns[k] as PairRun;
  }
  run.dueCount = count;
  return next;
}

/**
 * Sets quote and mark of a pair run to the close of its candle. Pair runs are walked one after another: an entry inside the candle
 * of a later one, such as that of a reversal, sees the earlier ones at their closes.
 *
 * @see docs/margin.md#margin-of-positions-and-orders, docs/margin.md#free-margin
 */
function standAtClose(pairRun: PairRun): void {
  const { pair, quote, walk, at, turn } = pairRun;
  turn.at = (walk.time[at] as number) + pairRun.walkMs;
  quote.at = turn.at;
  quote.last = toUnits(walk.close[at] as number);
  pair.mark = quote.last;
}

/** Handles the close of every due candle of a step: due orders first, then the strategy. */
function closeCandles({ bot, pairRuns, nextSteps, due, dueCount, effects }: Run, step: number): void {
  const { state } = bot;
  let closedAt = 0;
  let busy = false;
  for (let k = 0; k < dueCount; k++) {
    const { pair, turn } = due[k] as PairRun;
    closedAt = turn.at;
    busy ||=
      pair.entry !== null ||
      pair.exit !== null ||
      pair.dirtyOrders !== '' ||
      (pair.planOrders.length > 0 && pair.planOrders.some(waits));
  }
  if (bot.rules.future) markOthers(pairRuns, nextSteps, step, closedAt);
  if (busy || (state.endsAt > 0 && closedAt >= state.endsAt)) {
    onTimer({ bot, at: closedAt, effects });
    if (effects.length > 0) applyEffects(pairRuns[0] as PairRun);
  }
  for (let k = 0; k < dueCount; k++) {
    const pairRun = due[k] as PairRun;
    const flags = flagsAt(pairRun);
    if ((flags & NO_CANDLE) !== 0) continue;
    const { pair, candles, turn } = pairRun;
    const walkedTo = turn.at;
    pair.candles = closedBefore(pairRun, pairRun.at + 1);
    const j = pair.candles - 1;
    pair.candleTime = candles.time[j] as number;
    // Where walked candles are missing, the candle of the strategy closes after the last of them.
    turn.at = pair.candleTime + bot.rules.periodMs;
    onFlags(turn, flags, pair.candleTime, candles.close[j] as number);
    turn.at = walkedTo;
    if (effects.length > 0) applyEffects(pairRun);
  }
}

/** Returns whether a grid order has no open order. */
function waits({ order }: ParentOrder): boolean {
  return order === null;
}

/** Updates the marks of skipped pairs, because margin depends on the prices of all positions. */
function markOthers(pairRuns: readonly PairRun[], nextSteps: Int32Array, step: number, closedAt: number): void {
  for (const pairRun of pairRuns) {
    const { pair, walk } = pairRun;
    if (nextSteps[pairRun.index] === step || pair.holding.quantity === 0) continue;
    const i = lastClosed(pairRun, closedAt);
    if (i >= 0) pair.mark = toUnits(walk.close[i] as number);
  }
}

/** Ends the run: completes the curve and records partially filled parent orders as trades. */
function endRun(run: Run): void {
  const { bot, pairRuns, time, equity } = run;
  if (typeof equity === 'function') equity(run, time.length);
  for (const pairRun of pairRuns) {
    const { pair, walk } = pairRun;
    if (typeof equity !== 'function') countHolding(run, equity, pairRun, time.length);
    pair.candles = pairRun.candles.length;
    if (walk.length > 0) pair.mark = toUnits(walk.close[walk.length - 1] as number);
    for (const parent of [pair.entry, pair.exit, ...pair.planOrders]) {
      if (parent && parent.filled > 0) bot.observer.parentOrderEnd(time[time.length - 1] ?? 0, pair, parent, 'stopped');
    }
  }
  if (typeof equity !== 'function') countCash(run, equity, time.length);
}
