import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import { describe, expect, test } from 'vitest';
import type { BacktestResult } from './runBacktest.ts';
import { tradeRows, winRatePercent } from './tradeRows.ts';

type Trade = BacktestResult['document']['trades'][number];

const SALE: Trade = {
  id: 1,
  pair: 'BTC-USDT',
  kind: 'exit',
  side: 'sell',
  direction: 'long',
  reason: PLAN_REASON,
  openedAt: 100,
  closedAt: 900,
  quantity: 0.1,
  averagePrice: 102,
  firstPrice: 102,
  slippagePercent: 0,
  feeQuote: 0.01,
  realised: -13.16,
  cycleResult: 1.73,
  how: 'filled',
};

describe('the trades of a backtest', () => {
  test('are listed by the time of their fill, newest first', () => {
    const rows = tradeRows([SALE, { ...SALE, id: 2, openedAt: 300, closedAt: 400 }], true);
    expect(rows.map(({ id, at }) => [id, at])).toEqual([
      [1, 900],
      [2, 400],
    ]);
  });

  test('show the result of the cycle for a grid level, and that of the position else', () => {
    const entry: Trade = { ...SALE, kind: 'entry', cycleResult: null, realised: -0.01 };
    const stop: Trade = { ...SALE, reason: 'stop_sell', cycleResult: null };
    const results = tradeRows([SALE, entry, stop], true).map(({ realised }) => realised);
    expect(results.toSorted()).toEqual([-13.16, 1.73, null].toSorted());
    // On futures the fee of an entry is a result of its own, but the cycle of a grid contains it.
    expect(tradeRows([entry], true)[0]?.realised).toBeNull();
    expect(tradeRows([entry], false)[0]?.realised).toBe(-0.01);
  });

  test('have a win rate from five closed positions on', () => {
    const metrics = (wins: number, losses: number) =>
      ({ wins, losses, winRate: wins / (wins + losses) }) as BacktestResult['document']['metrics'];
    expect(winRatePercent(metrics(4, 0))).toBeNull();
    expect(winRatePercent(metrics(4, 1))).toBe(80);
  });
});
