import type { BacktestResult } from '../backtest/backtest.ts';
import type { BacktestPair } from '../backtest/backtestPair.ts';
import { positionsOf, tradesOf } from '../backtest/runRecord.ts';
import { mergeCandles } from '../market/period.ts';
import { exact, fromUnits, SCALE } from '../money/units.ts';
import type { PairState } from '../state/botState.ts';
import { buyAndHold } from './buyAndHold.ts';
import { expectancy } from './expectancy.ts';
import { type GridResult, gridResultOf } from './gridResult.ts';
import { profitFactor } from './profitFactor.ts';
import { realisedOf, unrealisedOf } from './results.ts';
import { slippagePaid } from './slippagePaid.ts';

/** Figures of one pair of a run, defined as in `Metrics`; amounts are in the quote currency. */
export interface PairFigures {
  pair: string;
  /** Open time of the first processed candle, ms; 0 without one. */
  from: number;
  /** Close time of the last processed candle, ms. */
  to: number;
  /** Number of processed closed candles of the period. */
  candles: number;
  /** Length of the input candles, ms. */
  candleMs: number;
  realised: number;
  unrealised: number;
  trades: number;
  /** Number of closed positions with a net gain; `losses` counts those with a net loss. */
  wins: number;
  losses: number;
  profitFactor: number | null;
  expectancy: number;
  fees: number;
  slippage: number;
  /** Funding received less funding paid. */
  funding: number;
  liquidations: number;
  buyAndHoldPercent: number;
  /** Open position at the end of the run. */
  held: { direction: 'long' | 'short'; quantity: number; entryPrice: number } | null;
  /** Result of its grids; null when it had none. */
  grid: GridResult | null;
}

/**
 * Returns the figures of each pair, in the order of the pairs. Their results add up to those of the run.
 *
 * @param pairs pairs of the run
 */
export function pairFigures(result: BacktestResult, pairs: readonly BacktestPair[]): PairFigures[] {
  const { record, bot } = result;
  const markets = new Map(pairs.map(({ market }) => [market.pair, market]));
  return pairs.map(({ market, candles, candleMs }, k) => {
    const { pair, assetDecimals } = market;
    const state = bot.state.pairs[k] as PairState;
    const own = <Row extends { pair: string }>(rows: readonly Row[]) => rows.filter((row) => row.pair === pair);
    const { periodMs } = bot.rules;
    const run = mergeCandles(candles, candleMs, periodMs);
    const positions = positionsOf(record, pair);
    const trades = tradesOf(record, markets, pair);
    const { position, holding } = state;
    return {
      pair,
      from: run.time[0] ?? 0,
      to: run.length === 0 ? 0 : (run.time[run.length - 1] as number) + periodMs,
      candles: run.length,
      candleMs,
      realised: fromUnits(realisedOf([state])),
      unrealised: fromUnits(unrealisedOf([state])),
      trades: countOf(trades, () => true),
      wins: countOf(positions, ({ net }) => net > 0),
      losses: countOf(positions, ({ net }) => net < 0),
      profitFactor: profitFactor(positions),
      expectancy: expectancy(positions) / SCALE,
      fees: fromUnits(holding.fees),
      slippage: fromUnits(slippagePaid(trades, markets)),
      funding: fromUnits(exact(own(record.funding).reduce((sum, { amount }) => sum + amount, 0))),
      liquidations: own(record.liquidations).length,
      buyAndHoldPercent: buyAndHold([run]),
      held:
        position === null
          ? null
          : {
              direction: position.direction === 1 ? 'long' : 'short',
              quantity: fromUnits(holding.quantity, assetDecimals),
              entryPrice: fromUnits(holding.entryPrice),
            },
      grid: gridResultOf([state], result.endsAt),
    };
  });
}

function countOf<Row>(rows: Iterable<Row>, counts: (row: Row) => boolean): number {
  let count = 0;
  for (const row of rows) if (counts(row)) count += 1;
  return count;
}
