import type { Grid } from '@heron/engine/grid/grid.ts';
import { gridCycles } from '@heron/engine/grid/grid.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { feedSession } from '@heron/engine/paper/paperSession.ts';
import { PLAN_NOTE } from '@heron/engine/session/journal.ts';
import { planView } from '@heron/engine/session/planView.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import { describe, expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { Desk } from '../harness.ts';
import { gridDesk } from './gridDesk.ts';

const BTC = MARKETS[0] as Market;
function gridOf(desk: Desk): Grid {
  const { orderPlan } = desk.pair;
  if (orderPlan?.kind !== 'grid') throw new Error('the pair has no grid');
  return orderPlan;
}

const states = (desk: Desk) => gridOf(desk).cells.map(({ state }) => state);
const openOrdersOf = (desk: Desk) =>
  desk.pair.planOrders
    .map(({ side, order }) => `${side} ${order === null ? 'nothing' : formatUnits(order.price)}`)
    .sort();
const events = (desk: Desk) => desk.notes.filter(({ kind }) => kind === PLAN_NOTE).map(({ data }) => data.what);

function go(desk: Desk, ...prices: number[]): void {
  for (const price of prices) {
    desk.quote(price);
    desk.wait(300);
  }
}

describe('a grid on paper', () => {
  test('begins at the first candle: one order buys the upper part, all have orders', () => {
    const desk = gridDesk();
    expect(states(desk)).toEqual(['buying', 'buying', 'buying', 'selling', 'selling', 'selling']);
    expect(openOrdersOf(desk)).toEqual([
      'buy 54000',
      'buy 56000',
      'buy 58000',
      'sell 62000',
      'sell 64000',
      'sell 66000',
    ]);
    expect(desk.fills().map(({ data }) => [data.side, data.reason, data.liquidity])).toEqual([
      ['buy', PLAN_REASON, 'taker'],
    ]);
    expect(desk.notes.find(({ kind }) => kind === PLAN_NOTE)?.data).toEqual({
      what: 'grid_laid',
      lower: '54000',
      upper: '66000',
      cells: 6,
      budget: '4995.004995',
      price: '60000',
    });
    expect(desk.pair.phase).toBe('bought');
  });

  test('buys below, sells one level higher, counts a cycle, and is flat above the range', () => {
    const desk = gridDesk();
    go(desk, 57_999, 60_001);
    expect(states(desk)).toEqual(['buying', 'buying', 'buying', 'selling', 'selling', 'selling']);
    expect(gridCycles(gridOf(desk))).toBe(1);
    expect(desk.pair.phase).toBe('partSell');
    go(desk, 66_001);
    expect(states(desk)).toEqual(Array(6).fill('buying'));
    expect(desk.pair.position).toBeNull();
    expect(desk.notes.filter(({ kind }) => kind === 'position_closed')).toHaveLength(1);
    expect([desk.pair.phase, desk.session.state.bot.wins]).toEqual(['buying', 1]);
    const view = planView(desk.session.bot, desk.pair, BTC);
    expect(view).toMatchObject({ kind: 'grid', cycles: 4, lower: '54000', upper: '66000' });
  });

  test('keeps its levels when its parameters change, also when it moves', () => {
    const desk = gridDesk({}, { recentre: true });
    const before = openOrdersOf(desk);
    const params = { lower: 57_000, upper: 63_000, levels: 3 };
    const changes = desk.command({ type: 'change', options: {}, params }).map(({ data }) => [data.option, data.acts]);
    expect(changes).toEqual(Object.keys(params).map((name) => [name, 'next_plan']));
    const [recentre] = desk.command({ type: 'change', options: {}, params: { recentre: false } });
    expect(recentre?.data).toMatchObject({ option: 'recentre', acts: 'now' });
    desk.command({ type: 'change', options: {}, params: { recentre: true } });
    expect(desk.pair).toMatchObject({ flag: null, reloading: false });
    go(desk, 60_000);
    expect(openOrdersOf(desk)).toEqual(before);
    go(desk, 66_001);
    desk.close(70_000);
    expect(events(desk)).toEqual(['grid_laid', ...Array(3).fill('cell_closed'), 'grid_moved']);
    const levels = [64_000, 66_000, 68_000, 70_000, 72_000, 74_000, 76_000];
    expect(gridOf(desk).levels.map((price) => Number(formatUnits(price)))).toEqual(levels);
    go(desk, 70_000);
    expect(desk.pair.planOrders).toHaveLength(6);
  });

  test('below the range it keeps the position; only stop_sell acts on it', () => {
    const desk = gridDesk({ profit_win: [{ profit: 1, stop: 100 }], profit_callback_start: 1 });
    go(desk, 53_000, 61_999);
    expect(desk.fills().every(({ data }) => data.reason === PLAN_REASON)).toBe(true);
    expect(desk.pair.position).not.toBeNull();
  });

  test('stop_sell cancels every order, then sells, and pauses the pair until it resumes', () => {
    const desk = gridDesk({ stop_sell: [{ profit: 5, stop: 100 }] });
    const before = desk.notes.length;
    go(desk, 56_400);
    const after = desk.notes.slice(before);
    const ended = after.findLastIndex(({ kind, data }) => kind === 'order' && data.status === 'canceled');
    const sale = after.findIndex(
      ({ kind, data }) => kind === 'order' && data.reason === 'stop_sell' && data.status === 'placing',
    );
    expect(ended).toBeGreaterThan(0);
    expect(sale).toBeGreaterThan(ended);
    expect([desk.pair.position, desk.pair.planOrders, desk.pair.orderPlan]).toEqual([null, [], null]);
    expect(desk.pair.paused).toBe('stop_sell');
    expect(after.find(({ kind }) => kind === PLAN_NOTE)?.data).toEqual({ what: 'ended', reason: 'stop_sell' });
    desk.close(57_000);
    expect(desk.pair.orderPlan).toBeNull();
    desk.command({ type: 'resume', pair: 'BTC-USDT' });
    desk.close(57_000);
    expect(gridOf(desk).laid).toBe(1);
  });

  test('a stop that sells a part ends the grid as well; the rest has the other rows', () => {
    const desk = gridDesk({
      stop_sell: [
        { profit: 3, stop: 50 },
        { profit: 6, stop: 100 },
      ],
    });
    go(desk, 58_001, 57_900);
    const held = desk.pair.holding.quantity;
    expect([desk.pair.orderPlan, desk.pair.planOrders]).toEqual([null, []]);
    go(desk, 57_000);
    expect(desk.pair.holding.quantity).toBe(held);
    go(desk, 55_000);
    expect(desk.pair.position).toBeNull();
  });

  test('a manual stop cancels its orders and keeps the position; a start continues it', () => {
    const desk = gridDesk();
    go(desk, 57_999);
    const { cells } = structuredClone(gridOf(desk));
    const before = openOrdersOf(desk);
    desk.command({ type: 'stop' });
    desk.wait(300);
    expect([desk.pair.planOrders, desk.session.state.bot.status]).toEqual([[], 'finished']);
    expect(desk.pair.holding.quantity).toBeGreaterThan(0);
    desk.command({ type: 'start' });
    desk.quote(58_500);
    desk.wait(300);
    expect(openOrdersOf(desk)).toEqual(before);
    expect(gridOf(desk).cells).toEqual(cells);
    expect(events(desk)).toEqual(['grid_laid']);
  });

  test('a manual buy is rejected beside it, a manual sale ends it', () => {
    const desk = gridDesk();
    const bought = desk.buy(100);
    expect(bought.find(({ kind }) => kind === 'refusal')?.data.gate).toBe('already_open');
    desk.sell(100);
    desk.wait(500);
    expect([desk.pair.position, desk.pair.orderPlan, desk.pair.paused]).toEqual([null, null, 'manual']);
  });

  test('at the end of run_for it enters no more and sells its position', () => {
    const desk = gridDesk({ run_for: 1 });
    desk.wait(3_600_000);
    desk.quote(60_000);
    desk.wait(300);
    expect(openOrdersOf(desk)).toEqual(['sell 62000', 'sell 64000', 'sell 66000']);
    go(desk, 66_001);
    expect([desk.session.state.bot.status, desk.pair.planOrders]).toEqual(['finished', []]);
  });

  test('a rejection is reported once, and the grid begins when there is enough money', () => {
    const desk = gridDesk({ buy_pct: 0 });
    for (let i = 0; i < 5; i++) desk.close(60_000);
    const refused = desk.notes.filter(({ kind }) => kind === 'refusal');
    expect(refused.map(({ data }) => data.gate)).toEqual(['disabled']);
    const small = gridDesk({ currency_capital: 40, buy_pct: 100 }, { levels: 20 });
    small.close(60_000);
    expect(small.notes.filter(({ kind }) => kind === 'refusal').map(({ data }) => data)).toEqual(
      [{ gate: 'below_minimum', value: '1.998001990000', least: '5' }].map((data) => ({
        ...data,
        value: expect.stringMatching(/^1\.998/),
      })),
    );
  });

  test('after an unfilled first order its grid orders wait until the price passes them', () => {
    const desk = gridDesk({ order_type: 'maker', max_slippage_pct: 0.1 });
    // The price moves away from the order until the order gives up.
    go(desk, 60_100, 60_200);
    desk.wait(10_000);
    go(desk, 60_200);
    expect(desk.fills()).toEqual([]);
    expect(states(desk)).toEqual(['buying', 'buying', 'buying', 'waiting', 'waiting', 'waiting']);
    desk.close(62_001);
    expect(states(desk)).toEqual(['buying', 'buying', 'buying', 'buying', 'waiting', 'waiting']);
    expect(openOrdersOf(desk)).toContain('buy 60000');
  });

  test('an order that the market has passed works at the nearest better price', () => {
    const desk = gridDesk();
    desk.quote(57_999);
    // The sell at 60,000 arrives when the bid is already 61,000: it is rejected and moves to the ask.
    desk.quote(61_000, undefined, 50);
    desk.wait(1_000);
    expect(openOrdersOf(desk)).toContain('sell 61000.01');
    go(desk, 61_001);
    expect(desk.fills().at(-1)?.data).toMatchObject({ side: 'sell', price: '61000.01' });
  });

  test('a partial fill counts at once, its rest stays in the book', () => {
    const desk = gridDesk({}, { initial_buy: false });
    desk.quote(58_000, 58_010);
    desk.wait(200);
    const order = desk.pair.planOrders.find(({ firstPrice }) => firstPrice === 58_000e8)?.order;
    // The queue is known only at the best price; trades below fill the whole order.
    expect(order?.filled).toBe(0);
    const cell = gridOf(desk).cells[2];
    const events = desk.session.state.exchange.orders.filter(({ price }) => price === 58_000e8);
    expect(events).toHaveLength(1);
    (events[0] as { ahead: number }).ahead = 0;
    desk.trade(58_000, 0.005);
    expect(cell?.entered).toBe(0.005 * 10 ** BTC.assetDecimals);
    expect(cell?.state).toBe('buying');
    expect(desk.pair.planOrders.filter(({ firstPrice }) => firstPrice === 58_000e8)).toHaveLength(1);
    desk.trade(57_999, 1);
    desk.wait(300);
    expect(cell?.state).toBe('selling');
  });

  test('where an exchange limits orders, those nearest to the price are in the book', () => {
    const desk = gridDesk({}, {}, { ...BTC, maxOrders: 4 });
    expect(openOrdersOf(desk)).toEqual(['buy 56000', 'buy 58000', 'sell 62000', 'sell 64000']);
    desk.close(61_500);
    desk.wait(500);
    expect(openOrdersOf(desk)).toEqual(['buy 58000', 'sell 62000', 'sell 64000', 'sell 66000']);
  });

  test('follows the price when flat above: a new grid starts, and the figures continue', () => {
    const desk = gridDesk({}, { recentre: true });
    go(desk, 66_001);
    const earned = gridCycles(gridOf(desk));
    desk.close(68_000);
    expect(gridOf(desk).laid).toBe(1);
    desk.close(68_001);
    desk.wait(500);
    expect(gridOf(desk)).toMatchObject({ laid: 2, cyclesBefore: earned });
    expect(formatUnits(gridOf(desk).levels[0] as number)).toBe('62001');
    expect(events(desk)).toContain('grid_moved');
    expect(openOrdersOf(desk)).toHaveLength(6);
    // The new grid has the whole budget again, not the free rest of the old one.
    expect(gridOf(desk).budget).toBeGreaterThan(4_995e8);
  });

  test('on futures a short grid sells first, and a neutral one holds one side at a time', () => {
    const futures = { exchange: 'binanceusdm', leverage: 5, buy_pct: 20, short_buy_pct: 20 };
    const short = gridDesk({ ...futures, market: 'only_short' });
    expect(openOrdersOf(short)).toEqual([
      'buy 54000',
      'buy 56000',
      'buy 58000',
      'sell 62000',
      'sell 64000',
      'sell 66000',
    ]);
    expect(short.pair.position?.direction).toBe(-1);
    go(short, 53_999);
    expect(short.pair.position).toBeNull();

    const neutral = gridDesk({ ...futures, market: 'both' });
    expect(neutral.pair.position).toBeNull();
    expect(openOrdersOf(neutral)).toHaveLength(6);
    go(neutral, 57_999);
    expect(neutral.pair.position?.direction).toBe(1);
    expect(openOrdersOf(neutral)).toEqual(['buy 54000', 'buy 56000', 'sell 60000']);
    go(neutral, 60_001, 62_001);
    expect(neutral.pair.position?.direction).toBe(-1);
    expect(openOrdersOf(neutral).filter((order) => order.startsWith('buy'))).toEqual(['buy 60000']);
  });

  test('both sides of a neutral grid hit at once are a close and an open', () => {
    const desk = gridDesk({ exchange: 'binanceusdm', leverage: 5, market: 'both' });
    // The price moves across the range within the latency of a cancel.
    desk.quote(57_999);
    desk.quote(66_001, undefined, 50);
    desk.wait(500);
    const { holding } = desk.pair;
    const cells = gridOf(desk).cells.reduce((sum, cell) => sum + cell.side * cell.asset, 0);
    expect(holding.side * holding.quantity).toBe(cells);
    expect(desk.pair.position?.direction).toBe(-1);
  });

  test('closes its position, and lays a new grid at the next start', () => {
    const desk = gridDesk();
    desk.command({ type: 'close' });
    desk.wait(3_000);
    expect(desk.pair).toMatchObject({ position: null, orderPlan: null, planOrders: [], paused: null });
    expect(desk.session.state.bot.status).toBe('finished');
    desk.command({ type: 'start' });
    desk.quote(60_000);
    desk.close(60_000);
    expect(openOrdersOf(desk)).toHaveLength(6);
  });

  const CLOSE = { type: 'close' } as const;
  const HALT = { type: 'halt', pair: BTC.pair, close: true } as const;
  const atOnce = (desk: Desk) => desk.quote(66_001, undefined, 50);
  const throughFlat = (desk: Desk) => {
    desk.trade(62_001, 0.06686, 20);
    for (const order of desk.session.state.exchange.orders) order.ahead = 0;
    desk.trade(64_000, 0.00462);
    expect(desk.pair.holding.quantity).toBe(0);
    desk.trade(64_001, 1);
  };
  test.each([
    ['closing its position', 'at once', CLOSE, atOnce],
    ['closing its position', 'after it was flat', CLOSE, throughFlat],
    ['the kill switch', 'at once', HALT, atOnce],
    ['the kill switch', 'after it was flat', HALT, throughFlat],
  ])(
    'neutral on futures, fills during %s that open the other side %s are closed as well',
    (_name, _how, command, sell) => {
      const desk = gridDesk({ exchange: 'binanceusdm', leverage: 5, market: 'both' });
      desk.quote(57_999);
      expect(desk.pair.position?.direction).toBe(1);
      desk.command(command);
      // The sales of the other side are filled before their cancels arrive.
      sell(desk);
      expect(desk.pair.position).toMatchObject({ direction: -1, sold: false });
      desk.wait(10_000);
      expect(desk.pair.position).toBeNull();
      expect(desk.pair.holding.quantity).toBe(0);
      expect(desk.session.state.exchange.orders).toEqual([]);
    },
  );

  test('its budget belongs to no other bot, whether its orders work or not', () => {
    const ETH = MARKETS[1] as Market;
    const desk = new Desk(
      { strategy: 'grid', order_type: 'taker', stop_sell: [], buy_pct: 50, avg_slippage_pct: 0 },
      BTC,
      { params: { range_pct: 10 }, others: [ETH] },
    );
    desk.close([60_000, 3_000]);
    const budgets = desk.session.state.bot.pairs.map(({ orderPlan }) => (orderPlan as Grid).budget / 1e8);
    expect(budgets[0]).toBeCloseTo(4_995.005, 3);
    // The budget is half of the remaining cash: 10,000 less the first grid, whose first order costs less than planned.
    expect(budgets[1]).toBeGreaterThan(2_490);
    expect(budgets[1]).toBeLessThan(2_560);
  });

  test('a candle seen at a restart advances waiting grid orders', () => {
    const desk = gridDesk({}, { initial_buy: false });
    const candle = { time: desk.candleTime, open: 62_001, high: 62_001, low: 62_001, close: 62_001, volume: 1 };
    desk.now = desk.candleTime + 1_800_000;
    feedSession(desk.session, { type: 'history', at: desk.now, market: BTC, candles: [candle] });
    desk.quote(62_001);
    desk.wait(300);
    expect(states(desk)[3]).toBe('buying');
  });
});
