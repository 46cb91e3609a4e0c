import { describe, expect, test } from 'vitest';
import { createRunRecord, type TradeRecord } from '../backtest/runRecord.ts';
import { candleColumns } from '../market/candle.ts';
import { marketOf } from '../market/market.ts';
import { toUnits } from '../money/units.ts';
import type { ClosedPosition } from '../state/closedPosition.ts';
import { annualReturn } from './annualReturn.ts';
import { byMonth, byPair, byReason } from './breakdown.ts';
import { buyAndHold } from './buyAndHold.ts';
import { calmar } from './calmar.ts';
import { dailyReturns } from './dailyReturns.ts';
import { drawdownLength } from './drawdownLength.ts';
import { expectancy } from './expectancy.ts';
import { maxDrawdown } from './maxDrawdown.ts';
import { profitFactor } from './profitFactor.ts';
import { sharpe } from './sharpe.ts';
import { slippagePaid } from './slippagePaid.ts';
import { sortino } from './sortino.ts';

const DAY = 86_400_000;
const curve = (...values: number[]) => Float64Array.from(values);
const position = (net: number): ClosedPosition => ({
  id: 1,
  pair: 'A-USDT',
  direction: 1,
  openedAt: 0,
  closedAt: 0,
  entryPrice: 1,
  exitPrice: 1,
  quantity: 1,
  assetDecimals: 8,
  net,
  fees: 0,
  funding: 0,
  reason: 'signal',
});

describe('figures, each computed manually', () => {
  test('daily returns use the last candle of each UTC day, on the first day the start', () => {
    const time = curve(0, DAY / 2, DAY, DAY * 1.5, DAY * 3);
    const [first, second, third] = dailyReturns(time, curve(105, 110, 100, 99, 198), 100);
    expect(first).toBeCloseTo(0.1, 12);
    expect(second).toBeCloseTo(-0.1, 12);
    expect(third).toBeCloseTo(1, 12);
  });

  test('sharpe: mean 0.01, sample deviation 0.01 → √365', () => {
    expect(sharpe([0, 0.01, 0.02])).toBeCloseTo(Math.sqrt(365), 10);
    expect(sharpe([0.01])).toBe(0);
    expect(sharpe([0.01, 0.01])).toBe(0);
  });

  test('sortino: mean 0.01, downside √(0.01²/4) = 0.005 → 2·√365', () => {
    expect(sortino([0.03, 0.01, 0.01, -0.01])).toBeCloseTo(2 * Math.sqrt(365), 10);
    expect(sortino([0.01, 0.02])).toBeNull();
    expect(sortino([])).toBe(0);
  });

  test('maximum drawdown is 25 % (120 to 90); time under water starts at the first peak', () => {
    const equity = curve(100, 120, 90, 118, 110);
    expect(maxDrawdown(equity)).toBeCloseTo(0.25, 12);
    expect(drawdownLength(curve(0, 1, 2, 3, 4), equity)).toBe(3);
  });

  test('time under water ends when the peak is reached again', () => {
    expect(drawdownLength(curve(0, 10, 20, 30, 40), curve(100, 90, 100, 110, 105))).toBe(20);
    expect(drawdownLength(curve(0, 10), curve(1, 2))).toBe(0);
  });

  test('annual return: 10 % in 36.5 days makes 1.1^10 − 1; calmar divides by drawdown', () => {
    const yearly = annualReturn(100, 110, 36.5 * DAY);
    expect(yearly).toBeCloseTo(1.1 ** 10 - 1, 10);
    expect(annualReturn(100, 0, DAY)).toBe(-1);
    expect(calmar(0.5, 0.25)).toBe(2);
    expect(calmar(0.5, 0)).toBeNull();
  });

  test('profit factor 30/20, expectancy 10/4', () => {
    const positions = [position(20), position(10), position(-15), position(-5)];
    expect(profitFactor(positions)).toBe(1.5);
    expect(expectancy(positions)).toBe(2.5);
    expect(profitFactor([position(5)])).toBeNull();
    expect(expectancy([])).toBe(0);
  });

  const market = marketOf({
    pair: 'A-USDT',
    tickSize: 0.01,
    stepSize: 0.001,
    minQuantity: 0.001,
    maxQuantity: 1e6,
    minNotional: 5,
  });
  const markets = new Map([[market.pair, market]]);
  const trade = (given: Partial<TradeRecord>): TradeRecord => ({
    pair: 'A-USDT',
    id: 1,
    kind: 'exit',
    side: 'sell',
    reason: 'signal',
    openedAt: 0,
    closedAt: 0,
    quantity: toUnits(2, market.assetDecimals),
    averagePrice: toUnits(100),
    firstPrice: toUnits(100),
    slippagePercent: 0,
    feeQuote: 0,
    realised: 0,
    cycleResult: null,
    how: 'filled',
    ...given,
  });

  test('slippage: a buy 0.5 dearer and a sale 0.25 cheaper of 2 each paid 1.5', () => {
    const buy = trade({ kind: 'entry', side: 'buy', averagePrice: toUnits(100.5) });
    const sale = trade({ averagePrice: toUnits(99.75) });
    expect(slippagePaid([buy, sale], markets)).toBe(toUnits(1.5));
    expect(slippagePaid([trade({ averagePrice: toUnits(101) })], markets)).toBe(toUnits(-2));
  });

  test('exits by reason and by month; entries are in neither', () => {
    const trades = [
      trade({ realised: 5, closedAt: Date.UTC(2024, 0, 31) }),
      trade({ realised: -3, reason: 'stop_sell', closedAt: Date.UTC(2024, 1, 1) }),
      trade({ realised: 4, closedAt: Date.UTC(2024, 1, 2) }),
      trade({ kind: 'entry', side: 'buy' }),
    ];
    const record = createRunRecord();
    expect(byReason(trades, record)).toEqual({ signal: { trades: 2, net: 9 }, stop_sell: { trades: 1, net: -3 } });
    expect(byMonth(trades, record)).toEqual({ '2024-01': { trades: 1, net: 5 }, '2024-02': { trades: 2, net: 1 } });
  });

  test('funding and liquidations are reasons; futures entry fees belong to their entry', () => {
    const trades = [
      trade({ kind: 'entry', side: 'buy', realised: -2 }),
      trade({ realised: 12 }),
      trade({ pair: 'B-USDT', realised: 4, reason: 'profit_win' }),
    ];
    const record = createRunRecord();
    record.funding.push({ pair: 'B-USDT', at: 0, amount: -1, rate: 1, mark: 1 });
    record.liquidations.push({ pair: 'A-USDT', at: 0, price: 1, realised: -30, fee: 0, insurance: 0 });
    expect(byReason(trades, record)).toEqual({
      signal: { trades: 1, net: 10 },
      profit_win: { trades: 1, net: 4 },
      funding: { trades: 0, net: -1 },
      liquidation: { trades: 1, net: -30 },
    });
    expect(byPair(trades, record)).toEqual({ 'A-USDT': { trades: 2, net: -20 }, 'B-USDT': { trades: 1, net: 3 } });
    expect(byMonth(trades, record)).toEqual({ '1970-01': { trades: 3, net: -17 } });
  });

  test('buy and hold of two pairs: 10 % of one half and −20 % of the other are −5 %', () => {
    const held = (open: number, close: number) => {
      const candles = candleColumns(2);
      candles.open.set([open, 1]);
      candles.close.set([1, close]);
      return candles;
    };
    expect(buyAndHold([held(100, 110), held(50, 40)])).toBeCloseTo(-5, 12);
    expect(buyAndHold([held(100, 110), candleColumns(0)])).toBeCloseTo(10, 12);
    expect(buyAndHold([])).toBe(0);
  });
});
