import { onFunding } from '../bot/onFunding.ts';
import { coverShortfall } from '../ledger/liquidation.ts';
import { fromUnits, type Price, percentRatio, toUnits } from '../money/units.ts';
import { liquidateIfDue } from '../paper/simulatedLiquidation.ts';
import type { Position } from '../state/botState.ts';
import type { LiveOrder, ParentOrder } from '../state/parentOrder.ts';
import { evaluateAt, fill, setMarketPrice, takerFill } from './candleFills.ts';
import { nextAdverse, nextWin } from './nextLevels.ts';
import { closedBefore, improvePeak, type PairRun } from './pairRun.ts';
import { tableQuietBand } from './quietBand.ts';
import { runPlanOrders } from './runPlanOrders.ts';

/**
 * Simulates the exchange inside the next walked candle: funding, takers at the open, maker entries, then the exit tables along the
 * candle with the adverse extreme first, then maker exits, the favourable extreme, the close.
 *
 * @see docs/fills.md#a-candle-of-a-backtest
 */
export function runCandle(pairRun: PairRun): void {
  const { pair, walk, at: i } = pairRun;
  payFunding(pairRun);
  if (pair.entry === null && pair.exit === null && pair.position === null && pair.planOrders.length === 0) return;
  pair.candles = closedBefore(pairRun, i);
  // A plan enters inside a candle; the skipped candle before it must not count as missing.
  if (pairRun.bot.planRules !== null && pair.candles > 0)
    pair.candleTime = pairRun.candles.time[pair.candles - 1] as number;
  pairRun.turn.at = walk.time[i] as number;
  pairRun.quote.at = pairRun.turn.at;
  setMarketPrice(pairRun, toUnits(walk.open[i] as number));
  pairRun.enteredAt = 0;
  // The exchange checks margins before anything else fills at the new price.
  if (pairRun.bot.rules.future && liquidateIfDue(pairRun.turn).length > 0) return;
  fillTakers(pairRun);
  fillMaker(pairRun, pair.entry, i);
  if (pair.orderPlan !== null || pair.planOrders.length > 0) runPlanOrders(pairRun, i, toUnits(walk.open[i] as number));
  else if (pair.position !== null) runPosition(pairRun, i);
}

/**
 * Settles the funding times since the last candle for the position held at each of them.
 *
 * @see docs/accounting.md#funding
 */
function payFunding(pairRun: PairRun): void {
  const { funding, fundingAt } = pairRun;
  if (funding === null || fundingAt === null) return;
  while (pairRun.nextFunding < fundingAt.length && (fundingAt[pairRun.nextFunding] as number) <= pairRun.at) {
    const k = pairRun.nextFunding++;
    const time = funding.time[k] as number;
    const mark = toUnits(funding.mark[k] as number);
    pairRun.quietBandKnown = false;
    // Skipped candles did not update the mark, which is the close of the last of them.
    if (pairRun.at > 0) pairRun.pair.mark = toUnits(pairRun.walk.close[pairRun.at - 1] as number);
    pairRun.turn.at = time;
    onFunding(pairRun.turn, { id: `${time}`, rate: percentRatio(100 * (funding.rate[k] as number)), mark });
    if (pairRun.bot.state.wallet.quote < 0) coverShortfall(pairRun.bot.state.wallet);
  }
}

/** Fills takers at the open, also those that follow from their fills, such as the entry of a reversal. */
function fillTakers(pairRun: PairRun): void {
  const { pair } = pairRun;
  for (;;) {
    const parent = isWaitingTaker(pair.exit) ? pair.exit : isWaitingTaker(pair.entry) ? pair.entry : null;
    if (parent === null) return;
    takerFill(pairRun, parent, pairRun.quote.last);
  }
}

function isWaitingTaker(parent: ParentOrder | null): parent is ParentOrder & { order: LiveOrder } {
  return parent !== null && parent.order !== null && parent.order.type !== 'limit_maker';
}

/** Fills the maker order of `parent` when candle `i` trades strictly through its price. */
function fillMaker(pairRun: PairRun, parent: ParentOrder | null, i: number): void {
  const order = parent?.order ?? null;
  if (parent === null || order === null || order.type !== 'limit_maker') return;
  const limit = fromUnits(order.price);
  const { walk } = pairRun;
  if (parent.side === 'buy' ? (walk.low[i] as number) >= limit : (walk.high[i] as number) <= limit) return;
  // An open beyond the price fills it at the open, and the tables act from there.
  if (!opensBeyond(parent, walk.open[i] as number)) {
    if (parent.kind === 'entry') pairRun.enteredAt = order.price;
    // An order that follows an exit, such as the entry of a reversal, starts at this price.
    else setMarketPrice(pairRun, order.price);
  }
  fill(pairRun, parent, order, order.price, 'maker');
}

/** Runs the position along candle `i`, from the price of a maker entry where that filled inside the candle. */
function runPosition(pairRun: PairRun, i: number): void {
  const { pair, walk } = pairRun;
  const long = pair.position?.direction === 1;
  // Usually the candle stays in the quiet band: it only raises the peak, and a maker exit may fill.
  const quietBand = pair.exit === null || pair.exit.order?.type === 'limit_maker' ? tableQuietBand(pairRun) : null;
  if (quietBand !== null && (walk.low[i] as number) > quietBand.above && (walk.high[i] as number) < quietBand.below) {
    improvePeak(pair.position as Position, toUnits((long ? walk.high[i] : walk.low[i]) as number));
    fillMaker(pairRun, pair.exit, i);
    return;
  }
  const begin = pairRun.enteredAt > 0 ? pairRun.enteredAt : toUnits(walk.open[i] as number);
  const worst = toUnits((long ? walk.low[i] : walk.high[i]) as number);
  const best = toUnits((long ? walk.high[i] : walk.low[i]) as number);
  const close = toUnits(walk.close[i] as number);
  if (pairRun.enteredAt === 0) {
    // A maker exit whose price the open is beyond fills before the tables are evaluated.
    if (opensBeyond(pair.exit, walk.open[i] as number)) fillMaker(pairRun, pair.exit, i);
    evaluateAt(pairRun, begin);
  }
  moveAgainstPosition(pairRun, begin, worst);
  fillMaker(pairRun, pair.exit, i);
  moveInFavour(pairRun, begin, best);
  evaluateAt(pairRun, best);
  moveAgainstPosition(pairRun, best, close);
  evaluateAt(pairRun, close);
}

/** Returns whether `open` is strictly beyond the price of the maker order of `parent`. */
function opensBeyond(parent: ParentOrder | null, open: number): boolean {
  const order = parent?.order ?? null;
  if (parent === null || order === null || order.type !== 'limit_maker') return false;
  const limit = fromUnits(order.price);
  return parent.side === 'buy' ? open < limit : open > limit;
}

/** Evaluates every level against the position from `from` to `to` at its own price. */
function moveAgainstPosition(pairRun: PairRun, from: Price, to: Price): void {
  for (let passed = from, first = true; ; first = false) {
    const { position } = pairRun.pair;
    if (position === null) return;
    const level = nextAdverse(pairRun, passed, first);
    if (level === 0 || (position.direction === 1 ? level < to : level > to)) return;
    evaluateAt(pairRun, level);
    passed = level;
  }
}

/** Evaluates every take-profit level from `from` to `to` at its own price. */
function moveInFavour(pairRun: PairRun, from: Price, to: Price): void {
  for (let passed = from, first = true; ; first = false) {
    const { position } = pairRun.pair;
    if (position === null) return;
    const level = nextWin(pairRun, passed, first);
    if (level === 0 || (position.direction === 1 ? level > to : level < to)) return;
    evaluateAt(pairRun, level);
    passed = level;
  }
}
