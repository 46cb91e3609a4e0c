import { remainingAfter } from '@heron/engine/exits/evaluate.ts';
import { percentRatio } from '@heron/engine/money/units.ts';
import { describe, expect, test } from 'vitest';
import { Desk } from './harness.ts';

/** Creates a bot with a manual entry in BTC near 60,000. */
function holding(given: ConstructorParameters<typeof Desk>[0] = {}) {
  const desk = new Desk({ avg_slippage_pct: 0, min_buy_size: 0, max_slippage_pct: 0.1, ...given });
  desk.quote(59_999.99, 60_000);
  desk.buy(6_100);
  expect(desk.fills()[0]?.data.price).toBe('60000');
  return desk;
}

/** Moves the price to `percent` above entry and lets the resulting orders fill. Returns the reasons of new fills. */
function move(desk: Desk, percent: number) {
  const before = desk.fills().length;
  const price = 60_000 * (1 + percent / 100);
  desk.quote(Math.round(price * 100) / 100, undefined, 1_000);
  desk.wait(200);
  return desk
    .fills()
    .slice(before)
    .map(({ data }) => data.reason);
}

describe('exit tables', () => {
  test('the default stop sells all when the bid reaches 57,000, not a cent before', () => {
    const desk = holding();
    expect(move(desk, -4.99)).toEqual([]);
    expect(move(desk, -5)).toEqual(['stop_sell']);
    expect(desk.pair.position).toBeNull();
    expect(desk.pair.phase).toBe('sold');
  });

  test('two stop rows sell half at −3.1 % and the rest at −5 %', () => {
    const desk = holding({
      stop_sell: [
        { profit: 3, stop: 50 },
        { profit: 5, stop: 100 },
      ],
    });
    expect(move(desk, -3.1)).toEqual(['stop_sell']);
    expect(desk.pair.phase).toBe('partSell');
    expect(move(desk, -5)).toEqual(['stop_sell']);
    expect(desk.pair.position).toBeNull();
  });

  test('straight to −6 % is one order for everything', () => {
    const desk = holding({
      stop_sell: [
        { profit: 3, stop: 50 },
        { profit: 5, stop: 100 },
      ],
    });
    expect(move(desk, -6)).toEqual(['stop_sell']);
    expect(desk.pair.position).toBeNull();
  });

  test('a trailing stop-loss follows the best price from the entry price on', () => {
    const trailing_stop = [{ profit: 3, stop: 100 }];
    const fallen = holding({ stop_sell: [], trailing_stop });
    expect([...move(fallen, -2.9), ...move(fallen, -3.1)]).toEqual(['trailing_stop']);
    const risen = holding({ stop_sell: [], trailing_stop, profit_callback: [], profit_win: [] });
    expect([...move(risen, 10), ...move(risen, 6.8), ...move(risen, 6.6)]).toEqual(['trailing_stop']);
    expect(risen.pair.position).toBeNull();
  });

  test('rows crossed together sell 1 − Π(1 − stop), rounded once', () => {
    // 100 · 0.46 · 0.24 · 0.88 = 9.7152; rounding after each row would give 11.
    const rows = [54, 76, 12].map((stop, index) => ({
      ...{ index, bit: 1 << index, trigger: 0, share: percentRatio(stop), activation: null },
    }));
    expect(remainingAfter(rows, 100)).toBe(10);
  });

  test('two win rows crossed together are one order for 75 %', () => {
    const desk = holding({
      order_type: 'taker',
      profit_win: [
        { profit: 20, stop: 50 },
        { profit: 40, stop: 50 },
      ],
    });
    const held = desk.pair.holding.quantity;
    expect(move(desk, 4.5)).toEqual([]);
    move(desk, 25 - 5);
    desk.wait(0);
    const afterFirst = desk.pair.holding.quantity;
    expect(afterFirst).toBeLessThan(held);
    const jump = holding({
      order_type: 'taker',
      profit_win: [
        { profit: 20, stop: 50 },
        { profit: 40, stop: 50 },
      ],
    });
    const before = jump.pair.holding.quantity;
    expect(move(jump, 45)).toEqual(['profit_win']);
    expect(jump.pair.holding.quantity / before).toBeCloseTo(0.25, 2);
  });

  test('the checked sequence 0, 4, −3, 6, 10, 21, 30, 25, 19, 17.9', () => {
    const desk = holding({ order_type: 'taker' });
    const fired = [0, 4, -3, 6, 10, 21, 30, 25, 19, 17.9].map((percent) => move(desk, percent));
    expect(fired).toEqual([[], [], [], [], [], ['profit_win'], [], [], [], ['profit_callback']]);
    expect(desk.pair.position).toBeNull();
  });

  test('rows 80 and 60 with peak 45 sell half at 36 and the rest at 27', () => {
    const desk = holding({
      order_type: 'taker',
      profit_win: [],
      profit_callback: [
        { profit: 80, stop: 50 },
        { profit: 60, stop: 100 },
      ],
    });
    const fired = [20, 45, 36.01, 36, 27.01, 27].map((percent) => move(desk, percent));
    expect(fired).toEqual([[], [], [], ['profit_callback'], [], ['profit_callback']]);
  });

  test('a triggered row never triggers twice in one position, and again in a new one', () => {
    const desk = holding({ order_type: 'taker', stop_sell: [{ profit: 3, stop: 50 }], max_buy_loss_pct: 0 });
    expect(move(desk, -3.5)).toEqual(['stop_sell']);
    expect(move(desk, -3.6)).toEqual([]);
    desk.command({ type: 'sell', pair: 'BTC-USDT', order: 'taker', percent: 100, requestId: 'out' });
    desk.wait(200);
    expect(desk.pair.position).toBeNull();
    desk.quote(59_999.99, 60_000);
    desk.buy(2_000);
    expect(move(desk, -3.5)).toEqual(['stop_sell']);
  });

  test('a reference price 5 % from the last price, or a crossed book, triggers nothing', () => {
    const desk = holding();
    desk.now += 1_000;
    desk.feed({
      type: 'quote',
      pair: 'BTC-USDT',
      at: desk.now,
      bid: 50_000e8,
      bidSize: 0,
      ask: 60_001e8,
      askSize: 0,
      last: 60_000e8,
    });
    desk.now += 1_000;
    desk.feed({
      type: 'quote',
      pair: 'BTC-USDT',
      at: desk.now,
      bid: 56_000e8,
      bidSize: 0,
      ask: 55_000e8,
      askSize: 0,
      last: 56_000e8,
    });
    desk.wait(500);
    expect(desk.fills()).toHaveLength(1);
  });

  test('the loss guard never delays a stop', () => {
    const desk = holding({ max_sell_loss_pct: 1 });
    expect(move(desk, -6)).toEqual(['stop_sell']);
  });

  test('halves as with sell_pct leave a quarter, and the dust rule ends the series', () => {
    const desk = holding({ stop_sell: [], order_type: 'taker' });
    const half = (id: string) => {
      desk.command({ type: 'sell', pair: 'BTC-USDT', order: 'taker', percent: 50, requestId: id });
      desk.wait(200);
      desk.quote(60_000);
    };
    const start = desk.pair.holding.quantity;
    half('a');
    expect(desk.pair.holding.quantity / start).toBeCloseTo(0.5, 2);
    half('b');
    expect(desk.pair.holding.quantity / start).toBeCloseTo(0.25, 2);
    for (let i = 0; i < 20 && desk.pair.position !== null; i++) half(`c${i}`);
    expect(desk.pair.position).toBeNull();
    expect(desk.pair.holding.quantity).toBeLessThan(desk.market.step);
  });
});
