import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import type { BacktestResult } from './runBacktest.ts';

type Trade = BacktestResult['document']['trades'][number];

/** A trade as the report lists it, with the time of its last fill. */
export type TradeRow = Trade & { readonly at: number };

/**
 * Returns the trades of a backtest, newest fill first. The sale of a grid level has the result of its cycle, and its purchase
 * none: the fee of the purchase is in the cycle.
 */
export function tradeRows(trades: readonly Trade[], isGrid: boolean): TradeRow[] {
  return trades
    .map((trade) => ({ ...trade, at: trade.closedAt, realised: resultOf(trade, isGrid) }))
    .sort((a, b) => b.at - a.at || b.id - a.id);
}

function resultOf({ kind, reason, realised, cycleResult }: Trade, isGrid: boolean): number | null {
  if (cycleResult !== null) return cycleResult;
  return isGrid && kind === 'entry' && reason === PLAN_REASON ? null : realised;
}

/** Min number of closed positions of a win rate that says anything. */
const MIN_POSITIONS = 5;

/** Returns the share of closed positions with a profit, in percent; null for fewer than five of them. */
export function winRatePercent({ wins, losses, winRate }: BacktestResult['document']['metrics']): number | null {
  return wins + losses < MIN_POSITIONS ? null : 100 * winRate;
}
