import type { OrderFill } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import type { Booked } from '../ledger/fill.ts';
import type { Market } from '../market/market.ts';
import { formatUnits } from '../money/units.ts';
import type { Intent } from '../orders/intent.ts';
import { dcaBaseEnded, dcaCloses, safetyFilled } from './dca/orders.ts';
import { EXIT_KEY } from './dca/rungs.ts';
import type { Cell } from './grid/cell.ts';
import type { Grid } from './grid/grid.ts';
import { baseEnded, baseFilled, gridFilled } from './grid/orders.ts';
import { showLadderPhase } from './phase.ts';
import type { LadderFill } from './rung.ts';

/** Everything must be compared with what the ladder wants. */
export const ALL = '*';

/** Tells the ladder of a fill of one of its orders, or of the order that it began with, after the ledger has booked it. */
export function ladderFilled(bot: Bot, pair: PairState, intent: Intent, fill: OrderFill, booked: Booked): void {
  const { ladder } = pair;
  if (ladder === null) return;
  const market = pair.market as Market;
  if (ladder.kind === 'dca') {
    if (intent.rung === EXIT_KEY) dcaCloses(ladder);
    else if (intent.rung !== '') safetyFilled(ladder, Number(intent.rung), fill.quantity);
    pair.ladderDue = ALL;
    return;
  }
  const inBase = fill.feeAsset === market.base;
  const told: LadderFill = {
    quantity: fill.quantity,
    value: booked.value,
    feeBase: inBase ? fill.fee : 0,
    feeQuote: inBase ? 0 : booked.feeQuote,
  };
  if (intent.rung === '') {
    baseFilled(ladder, told);
    return;
  }
  const cell = ladder.cells[Number(intent.rung)] as Cell;
  const cycles = cell.cycles;
  gridFilled(ladder, market, intent.rung, intent.kind, told);
  // What one side holds decides what the other side may order.
  if (ladder.side === 0) pair.ladderDue = ALL;
  if (cell.cycles > cycles) tellCell(bot, pair, ladder, cell, fill.at);
}

function tellCell(bot: Bot, pair: PairState, grid: Grid, cell: Cell, at: number): void {
  bot.witness.ladder(at, pair, 'cell_closed', {
    cell: grid.cells.indexOf(cell) + 1,
    low: formatUnits(cell.low),
    high: formatUnits(cell.high),
    cycles: cell.cycles,
    realised: formatUnits(cell.realised),
  });
}

/** Tells the ladder that the order which it began with has ended. */
export function ladderBaseEnded(bot: Bot, pair: PairState, at: number): void {
  const { ladder } = pair;
  if (ladder === null) return;
  const market = pair.market as Market;
  pair.ladderDue = ALL;
  if (ladder.kind === 'grid') {
    baseEnded(ladder, market);
  } else if (pair.position !== null && bot.ladder?.kind === 'dca') {
    dcaBaseEnded(ladder, bot.ladder.dca, market, pair.holding.entryPrice);
  } else {
    // Nothing was filled, or no more than dust.
    pair.ladder = null;
    bot.witness.ladder(at, pair, 'not_entered', {});
    showLadderPhase(bot, pair, at);
  }
}
