import { takeFunding } from '../bot/bot.ts';
import type { Effect } from '../bot/event.ts';
import type { Position } from '../bot/state.ts';
import { armLevel, isArmed } from '../exits/levels.ts';
import { ladderTrail } from '../ladder/trail.ts';
import { coverShortfall } from '../ledger/liquidation.ts';
import { fromUnits, type Price, percentRatio, SCALE, toUnits } from '../money/units.ts';
import type { Intent, LiveOrder } from '../orders/intent.ts';
import { fill, standAt, takerFill, touch } from './candleFills.ts';
import { ladderCalm, walkLadder } from './ladderWalk.ts';
import { betterPeak, type Calm, closedBefore, type Lane } from './lane.ts';
import { liquidateIfDue } from './liquidation.ts';
import { nearer, nextAdverse, nextFavourable, nextWin } from './nextLevels.ts';
/**
 * The exchange of a backtest inside the next walked candle: funding, takers at its open, entries of makers, then the
 * exit tables along the candle with the adverse extreme first, then exits of makers, the favourable extreme, the close.
 *
 * @see docs/fills.md#a-candle-of-a-backtest
 */
export function walkCandle(lane: Lane, effects: Effect[]): void {
  const { pair, walk, at: i } = lane;
  payFunding(lane);
  if (pair.entry === null && pair.exit === null && pair.position === null && pair.rungs.length === 0) return;
  pair.candles = closedBefore(lane, i);
  // A ladder enters inside a candle: the one before it must not look late because it was passed over.
  if (lane.bot.ladder !== null && pair.candles > 0) pair.candleTime = lane.candles.time[pair.candles - 1] as number;
  lane.now = walk.time[i] as number;
  lane.quote.at = lane.now;
  standAt(lane, toUnits(walk.open[i] as number));
  lane.enteredAt = 0;
  // The exchange looks at margins before anything else is filled at the new price.
  if (lane.bot.rules.future && liquidateIfDue(lane.bot, pair, lane.now).length > 0) return;
  fillTakers(lane, effects);
  fillMaker(lane, pair.entry, i, effects);
  if (pair.ladder !== null || pair.rungs.length > 0) walkLadder(lane, i, toUnits(walk.open[i] as number), effects);
  else if (pair.position !== null) walkPosition(lane, i, effects);
}

/**
 * Funding times that have come since the last candle. Only what is held at the instant pays.
 *
 * @see docs/accounting.md#funding
 */
function payFunding(lane: Lane): void {
  const { funding, fundingAt } = lane;
  if (funding === null || fundingAt === null) return;
  while (lane.nextFunding < fundingAt.length && (fundingAt[lane.nextFunding] as number) <= lane.at) {
    const k = lane.nextFunding++;
    const time = funding.time[k] as number;
    const mark = toUnits(funding.mark[k] as number);
    lane.calmKnown = false;
    // Candles in which nothing happens are passed over: what the pair was worth is the close of the last of them.
    if (lane.at > 0) lane.pair.mark = toUnits(lane.walk.close[lane.at - 1] as number);
    takeFunding(lane.bot, lane.index, `${time}`, percentRatio(100 * (funding.rate[k] as number)), mark, time);
    if (lane.bot.state.wallet.quote < 0) coverShortfall(lane.bot.state.wallet);
  }
}

/** Orders that take, at the open, where the market is; what they bring about may take there as well, such as the entry of a reversal. */
function fillTakers(lane: Lane, effects: Effect[]): void {
  const { pair } = lane;
  for (;;) {
    const intent = waitsToTake(pair.exit) ? pair.exit : waitsToTake(pair.entry) ? pair.entry : null;
    if (intent === null) return;
    takerFill(lane, intent, lane.quote.last, effects);
  }
}

function waitsToTake(intent: Intent | null): intent is Intent & { order: LiveOrder } {
  return intent !== null && intent.order !== null && intent.order.type !== 'limit_maker';
}

/** Fills the resting order of `intent` when candle `i` trades strictly through it. */
function fillMaker(lane: Lane, intent: Intent | null, i: number, effects: Effect[]): void {
  const order = intent?.order ?? null;
  if (intent === null || order === null || order.type !== 'limit_maker') return;
  const limit = fromUnits(order.price);
  const { walk } = lane;
  if (intent.side === 'buy' ? (walk.low[i] as number) >= limit : (walk.high[i] as number) <= limit) return;
  // At an open beyond its price it is there from the open on, and so are the tables.
  if (!opensBeyond(intent, walk.open[i] as number)) {
    if (intent.kind === 'entry') lane.enteredAt = order.price;
    // What follows an exit, such as the entry of a reversal, begins where the market is then.
    else standAt(lane, order.price);
  }
  fill(lane, intent, order, order.price, 'maker', effects);
}

/** The position along candle `i`. What came before the price of a maker's entry was reached is not the position's. */
function walkPosition(lane: Lane, i: number, effects: Effect[]): void {
  const { pair, walk } = lane;
  const long = pair.position?.direction === 1;
  // Usually the candle stays where no table acts: it can only better the peak, and an exit may rest in it.
  const calm = pair.exit === null || pair.exit.order?.type === 'limit_maker' ? levelsOf(lane) : null;
  if (calm !== null && (walk.low[i] as number) > calm.above && (walk.high[i] as number) < calm.below) {
    betterPeak(pair.position as Position, toUnits((long ? walk.high[i] : walk.low[i]) as number));
    fillMaker(lane, pair.exit, i, effects);
    return;
  }
  const begin = lane.enteredAt > 0 ? lane.enteredAt : toUnits(walk.open[i] as number);
  const worst = toUnits((long ? walk.low[i] : walk.high[i]) as number);
  const best = toUnits((long ? walk.high[i] : walk.low[i]) as number);
  const close = toUnits(walk.close[i] as number);
  if (lane.enteredAt === 0) {
    // What rests where the candle opens beyond it is filled before the bot sees that price.
    if (opensBeyond(pair.exit, walk.open[i] as number)) fillMaker(lane, pair.exit, i, effects);
    touch(lane, begin, effects);
  }
  retreat(lane, begin, worst, effects);
  fillMaker(lane, pair.exit, i, effects);
  advance(lane, begin, best, effects);
  touch(lane, best, effects);
  retreat(lane, best, close, effects);
  touch(lane, close, effects);
}

/** Whether a candle that opens at `open` opens strictly beyond the resting order of an intent. */
function opensBeyond(intent: Intent | null, open: number): boolean {
  const order = intent?.order ?? null;
  if (intent === null || order === null || order.type !== 'limit_maker') return false;
  const limit = fromUnits(order.price);
  return intent.side === 'buy' ? open < limit : open > limit;
}

/** Every level that acts against the position from `from` to `to` fires at its own price. */
function retreat(lane: Lane, from: Price, to: Price, effects: Effect[]): void {
  for (let passed = from, first = true; ; first = false) {
    const { position } = lane.pair;
    if (position === null) return;
    const level = nextAdverse(lane, passed, first);
    if (level === 0 || (position.direction === 1 ? level < to : level > to)) return;
    touch(lane, level, effects);
    passed = level;
  }
}

/** Every profit_win level from `from` to `to` fires at its own price. */
function advance(lane: Lane, from: Price, to: Price, effects: Effect[]): void {
  for (let passed = from, first = true; ; first = false) {
    const { position } = lane.pair;
    if (position === null) return;
    const level = nextWin(lane, passed, first);
    if (level === 0 || (position.direction === 1 ? level > to : level < to)) return;
    touch(lane, level, effects);
    passed = level;
  }
}

/**
 * Prices between which nothing acts on what the lane holds, for looking ahead; null when every candle matters because
 * something works or waits, or because other pairs' prices move the liquidation price.
 */
export function calmOf(lane: Lane): Calm | null {
  const { pair } = lane;
  if (pair.entry !== null || pair.exit !== null || pair.pendingExit || pair.reverse !== 0) return null;
  const levels = pair.position === null ? ANYTHING : levelsOf(lane);
  return levels === null || lane.bot.ladder === null ? levels : ladderCalm(lane, levels, lane.ladderCalm);
}

const ANYTHING: Calm = { above: 0, below: Number.POSITIVE_INFINITY };

/**
 * Prices between which no table and no guard acts on the position as it stands; null when that is not known.
 *
 * @see docs/exits.md#common-rules
 */
function levelsOf(lane: Lane): Calm | null {
  const { pair, bot, calm } = lane;
  const { position, holding } = pair;
  if (position === null || (bot.rules.future && !holding.isolated)) return null;
  if (lane.calmKnown) return calm;
  lane.calmKnown = true;
  const { direction, peak } = position;
  const { entryPrice, leverage } = holding;
  const long = direction === 1;
  const adverse = nextAdverse(lane, long ? Number.MAX_SAFE_INTEGER : 1, true);
  let favourable = nextFavourable(lane, long ? 1 : Number.MAX_SAFE_INTEGER, true);
  const trail = bot.ladder === null ? null : ladderTrail(bot, pair);
  if (trail?.armed) favourable = nearer(direction, favourable, trail.best, long ? 0 : Number.MAX_SAFE_INTEGER, true);
  if (bot.rules.callback.length > 0) {
    const arm = armLevel(entryPrice, direction, leverage, bot.rules.callbackStart);
    // Armed, a new peak moves the line.
    favourable = nearer(
      direction,
      favourable,
      isArmed(direction, peak, arm) ? peak : arm,
      long ? 0 : Number.MAX_SAFE_INTEGER,
      true,
    );
  }
  // A unit to spare on each side for the rounding of a candle's float64.
  calm.above = ((long ? adverse : favourable) + 1) / SCALE;
  calm.below = ((long ? favourable : adverse) - 1) / SCALE;
  if (calm.below < 0) calm.below = Number.POSITIVE_INFINITY;
  return calm;
}
