import type { Dca } from '@heron/engine/dca/dca.ts';
import { dcaEntries } from '@heron/engine/dca/dcaProgress.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { feedSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { PLAN_NOTE } from '@heron/engine/session/journal.ts';
import { planView } from '@heron/engine/session/planView.ts';
import { pairView } from '@heron/engine/session/sessionView.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import { describe, expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { Desk } from '../harness.ts';

const BTC = MARKETS[0] as Market;

type Given = ConstructorParameters<typeof Desk>[0];

function dcaDesk(given: Given = {}, params: Params = {}): Desk {
  const desk = new Desk(
    { strategy: 'dca', order_type: 'taker', stop_sell: [], buy_pct: 50, avg_slippage_pct: 0, ...given },
    BTC,
    { params: { start: 'now', ...params } },
  );
  desk.quote(60_000);
  desk.close(60_000);
  return desk;
}

function dealOf(desk: Desk): Dca {
  const { orderPlan } = desk.pair;
  if (orderPlan?.kind !== 'dca') throw new Error('the pair has no DCA deal');
  return orderPlan;
}

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

describe('averaging on paper', () => {
  test('buys the base, places every safety order and the exit, and averages down', () => {
    const desk = dcaDesk();
    // 2, 4.4, 7.28 and 10.736 % below 60,000.01, rounded down to the tick.
    expect(openOrdersOf(desk)).toEqual(['buy 53558.4', 'buy 55632', 'buy 57360', 'buy 58800', 'sell 60900.02'].sort());
    go(desk, 58_700);
    expect(dcaEntries(dealOf(desk))).toBe(2);
    expect(openOrdersOf(desk)).toHaveLength(4);
    const exit = desk.pair.planOrders.find(({ planKey }) => planKey === 'exit');
    expect(exit?.target).toBe(desk.pair.holding.quantity - (desk.pair.holding.quantity % BTC.step));
    expect((exit?.firstPrice ?? 0) / desk.pair.holding.entryPrice).toBeCloseTo(1.015, 6);
    const view = planView(desk.session.bot, desk.pair, BTC);
    expect(view).toMatchObject({ kind: 'dca', entries: 2, orders: 5, phase: 'averaging', first: '60000.01' });
  });

  test('sells all at the target, cancels the rest, pauses, and begins again', () => {
    const desk = dcaDesk({}, { pause: 2 });
    go(desk, 58_700, 60_400);
    expect([desk.pair.position, desk.pair.planOrders, desk.pair.orderPlan, desk.pair.paused]).toEqual([
      null,
      [],
      null,
      null,
    ]);
    expect(events(desk)).toEqual(['cycle_begun', 'cycle_ended']);
    expect(desk.session.state.bot.wins).toBe(1);
    desk.close(60_000);
    desk.close(60_000);
    expect(desk.pair.orderPlan).toBeNull();
    desk.close(60_000);
    expect(dealOf(desk).phase).toBe('averaging');
    expect(events(desk)).toEqual(['cycle_begun', 'cycle_ended', 'cycle_begun']);
  });

  test.each([
    { pause: 2, rest: 0 },
    { pause: 150, rest: 50 },
  ])('after a gap in the candles the rest of a pause of $pause candles goes on', ({ pause, rest }) => {
    const desk = dcaDesk({}, { pause });
    for (let i = 0; i < 300; i++) desk.close(60_000);
    go(desk, 60_901);
    expect(desk.pair.orderPlan).toBeNull();
    const periodMs = PERIODS[desk.session.state.bot.options.period as Period];
    const from = desk.candleTime + 10 * periodMs;
    const prices = { open: 60_000, high: 60_000, low: 60_000, close: 60_000, volume: 1 };
    const candles = Array.from({ length: 100 }, (_, i) => ({ ...prices, time: from + i * periodMs }));
    desk.candleTime = from + 100 * periodMs;
    desk.now = desk.candleTime;
    desk.feed({ type: 'history', at: desk.now, market: BTC, candles });
    expect(desk.pair).toMatchObject({ candles: 100, nextDealFrom: pause });
    for (let i = 0; i < rest; i++) desk.close(60_000);
    expect(desk.pair.orderPlan).toBeNull();
    desk.close(60_000);
    expect(dealOf(desk).phase).toBe('averaging');
  });

  test('take-profit, trailing and pause change at once, without a reload', () => {
    const desk = dcaDesk({}, { pause: 3 });
    const { candles } = desk.pair;
    const change = (params: Params) =>
      desk.command({ type: 'change', options: {}, params }).map(({ data }) => [data.option, data.acts]);
    expect(change({ take_profit: 1, trailing: 1 })).toEqual([
      ['take_profit', 'now'],
      ['trailing', 'now'],
    ]);
    go(desk, 60_000);
    expect(openOrdersOf(desk)).toHaveLength(4);
    change({ trailing: 0 });
    go(desk, 60_000, 60_601);
    expect(desk.pair.orderPlan).toBeNull();
    expect(change({ pause: 2 })).toEqual([['pause', 'now']]);
    expect(desk.pair).toMatchObject({ flag: null, reloading: false, candles, nextDealFrom: candles + 2 });
    desk.close(60_000);
    desk.close(60_000);
    expect(desk.pair.orderPlan).toBeNull();
    desk.close(60_000);
    expect(dealOf(desk).phase).toBe('averaging');
  });

  test('once a part of the exit is filled the safety orders end, and the exit stays', () => {
    const desk = dcaDesk();
    const order = desk.session.state.exchange.orders.find(({ side }) => side === 'sell');
    (order as { ahead: number }).ahead = 0;
    desk.trade(60_900.02, 0.001);
    desk.wait(300);
    expect(openOrdersOf(desk)).toEqual(['sell 60900.02']);
    expect(dealOf(desk).phase).toBe('closing');
    desk.trade(60_950, 5);
    desk.wait(300);
    expect([desk.pair.orderPlan, desk.pair.planOrders]).toEqual([null, []]);
  });

  test('trailing: activated at the target it sells by a taker when the price has fallen', () => {
    const desk = dcaDesk({}, { trailing: 1 });
    expect(openOrdersOf(desk)).toEqual(['buy 53558.4', 'buy 55632', 'buy 57360', 'buy 58800'].sort());
    go(desk, 60_900, 61_000, 62_000);
    expect(dealOf(desk)).toMatchObject({ armed: true, best: 62_000e8 });
    go(desk, 61_381);
    expect(desk.pair.position).not.toBeNull();
    go(desk, 61_380);
    expect([desk.pair.position, desk.pair.planOrders, desk.pair.orderPlan]).toEqual([null, [], null]);
    expect(desk.fills().at(-1)?.data).toMatchObject({ reason: PLAN_REASON, liquidity: 'taker', price: '61380' });
    expect(desk.pair.paused).toBeNull();
  });

  test('an exit that has begun at the target continues there when trailing is switched on', () => {
    const desk = dcaDesk();
    const order = desk.session.state.exchange.orders.find(({ side }) => side === 'sell');
    (order as { ahead: number }).ahead = 0;
    desk.trade(60_900.02, 0.001);
    desk.wait(300);
    desk.command({ type: 'change', options: {}, params: { trailing: 1 } });
    go(desk, 59_000, 58_000);
    expect([desk.pair.exit, openOrdersOf(desk)]).toEqual([null, ['sell 60900.02']]);
    expect(desk.pair.position).not.toBeNull();
  });

  test('an exit at the target continues there after an activated trailing take-profit was switched off', () => {
    const desk = dcaDesk({}, { trailing: 5 });
    go(desk, 60_901, 60_901);
    expect(dealOf(desk).armed).toBe(true);
    desk.command({ type: 'change', options: {}, params: { trailing: 0 } });
    go(desk, 60_800);
    const order = desk.session.state.exchange.orders.find(({ side }) => side === 'sell');
    (order as { ahead: number }).ahead = 0;
    desk.trade(60_900.02, 0.001);
    desk.wait(300);
    expect(dealOf(desk)).toMatchObject({ phase: 'closing', armed: false });
    go(desk, 59_000);
    expect([desk.pair.exit, openOrdersOf(desk)]).toEqual([null, ['sell 60900.02']]);
  });

  test('a trailing take-profit that was switched off and on again is not activated', () => {
    const desk = dcaDesk({}, { trailing: 5 });
    const change = (trailing: number) => desk.command({ type: 'change', options: {}, params: { trailing } });
    go(desk, 60_901);
    expect(dealOf(desk)).toMatchObject({ phase: 'averaging', armed: true });
    change(0);
    expect(planView(desk.session.bot, desk.pair, BTC)).toMatchObject({ trailing: false });
    go(desk, 58_000);
    change(5);
    go(desk, 57_900);
    expect(desk.pair.exit).toBeNull();
    expect(dealOf(desk)).toMatchObject({ phase: 'averaging', armed: false });
    go(desk, 62_000);
    expect(dealOf(desk)).toMatchObject({ armed: true, best: 62_000e8 });
  });

  test('an activation that an earlier program kept without trailing is forgotten when the bot is loaded', () => {
    const desk = dcaDesk({}, { trailing: 5 });
    go(desk, 60_901);
    desk.command({ type: 'change', options: {}, params: { trailing: 0 } });
    dealOf(desk).armed = true;
    const restored = (phase: Dca['phase']) => {
      dealOf(desk).phase = phase;
      return restoreSession(saveSession(desk.session)).state.bot.pairs[0]?.orderPlan;
    };
    expect(restored('averaging')).toMatchObject({ armed: false });
    expect(restored('closing')).toMatchObject({ armed: true });
  });

  test('a trailing take-profit that has triggered sells at once, also when it is switched off meanwhile', () => {
    const desk = dcaDesk({}, { trailing: 1 });
    go(desk, 60_900, 62_000);
    // The sale waits for the cancels of the safety orders.
    desk.quote(61_380);
    expect(dealOf(desk).phase).toBe('closing');
    expect(desk.pair.position).not.toBeNull();
    desk.command({ type: 'change', options: {}, params: { trailing: 0 } });
    desk.wait(300);
    go(desk, 61_380);
    expect([desk.pair.position, desk.pair.planOrders, desk.pair.orderPlan]).toEqual([null, [], null]);
    expect(desk.fills().at(-1)?.data).toMatchObject({ liquidity: 'taker', price: '61380' });
  });

  test('every new best price of an activated trailing take-profit is saved', () => {
    const desk = dcaDesk({}, { trailing: 1 });
    const durable = (bid: number) => {
      desk.wait(1_000);
      const price = { bid: bid * 1e8, bidSize: 0, ask: bid * 1e8 + 1e6, askSize: 0, last: bid * 1e8 };
      return feedSession(desk.session, { type: 'quote', pair: 'BTC-USDT', at: desk.now, ...price }).durable;
    };
    expect([60_500, 61_000, 60_950, 61_200, 61_100].map(durable)).toEqual([false, true, false, true, false]);
  });

  test('a change of strategy cancels its orders and leaves the position to the tables', () => {
    const desk = dcaDesk();
    const { state } = desk.session;
    state.bot.options = { ...state.bot.options, strategy: 'manual' };
    state.bot.params = {};
    desk.session = restoreSession(saveSession(desk.session));
    desk.feed({ type: 'history', at: desk.now, market: BTC, candles: [] });
    go(desk, 60_100);
    expect([desk.pair.orderPlan, desk.pair.planOrders, desk.pair.paused]).toEqual([null, [], null]);
    expect(desk.pair.position).not.toBeNull();
    expect(events(desk)).toEqual(['cycle_begun', 'replaced']);
  });

  test('stop_sell counts from E, sells all and pauses the pair', () => {
    const desk = dcaDesk({ stop_sell: [{ profit: 5, stop: 100 }] }, { step: 4 });
    go(desk, 57_500);
    const entry = desk.pair.holding.entryPrice / 1e8;
    expect(entry).toBeLessThan(60_000);
    go(desk, Math.ceil(entry * 0.951));
    expect(desk.pair.position).not.toBeNull();
    go(desk, Math.floor(entry * 0.95) - 1);
    expect([desk.pair.position, desk.pair.planOrders, desk.pair.orderPlan]).toEqual([null, [], null]);
    expect(desk.pair.paused).toBe('stop_sell');
  });

  test('a safety order that the price has jumped past waits for its own price', () => {
    const desk = new Desk(
      { strategy: 'dca', order_type: 'taker', stop_sell: [], buy_pct: 50, avg_slippage_pct: 0 },
      BTC,
      { params: { start: 'now' } },
    );
    desk.quote(60_000);
    desk.close(60_000);
    const held = desk.pair.holding.quantity;
    const cycle = dealOf(desk);
    // The stop command cancels the orders; at the restart the price is below three of them.
    desk.command({ type: 'stop' });
    desk.wait(300);
    desk.command({ type: 'start' });
    go(desk, 55_000);
    expect(openOrdersOf(desk)).toEqual(['buy 53558.4', 'buy nothing', 'buy nothing', 'buy nothing', 'sell 60900.02']);
    expect([desk.pair.holding.quantity, cycle.first]).toEqual([held, 60_000.01e8]);
    go(desk, 58_000);
    desk.wait(6_000);
    go(desk, 58_000);
    expect(openOrdersOf(desk)).toEqual(['buy 53558.4', 'buy 55632', 'buy 57360', 'buy nothing', 'sell 60900.02']);
  });

  test('a base order that is not filled ends the deal before its start', () => {
    const desk = dcaDesk({ order_type: 'maker', max_slippage_pct: 0.1 });
    expect(pairView(desk.session, 'BTC-USDT', desk.now)?.orders).toMatchObject([{ revocable: false }]);
    go(desk, 60_100, 60_200);
    desk.wait(10_000);
    go(desk, 60_200);
    expect([desk.pair.orderPlan, desk.pair.phase]).toEqual([null, 'idle']);
    expect(events(desk).slice(-2)).toEqual(['cycle_begun', 'not_entered']);
    desk.close(60_200);
    expect(dealOf(desk).phase).toBe('base');
  });

  test('keeps its safety orders when their parameters change while its base order works', () => {
    const desk = dcaDesk({ order_type: 'maker' });
    expect(dealOf(desk).phase).toBe('base');
    desk.command({ type: 'change', options: {}, params: { step: 10, step_scale: 2, safety_orders: 2 } });
    go(desk, 59_990);
    const first = dealOf(desk).first / 1e8;
    const steps = dealOf(desk).safeties.map(({ price }) => 100 * (1 - price / 1e8 / first));
    expect(steps.map((percent) => percent.toFixed(2))).toEqual(['2.00', '4.40', '7.28', '10.74']);
  });

  test('isolated futures reject a deal that would be liquidated before its last order', () => {
    const futures = { exchange: 'binanceusdm', market: 'only_long', buy_pct: 20 };
    const near = dcaDesk({ ...futures, leverage: 25 });
    expect(near.notes.find(({ kind }) => kind === 'refusal')?.data).toMatchObject({ gate: 'liquidation_first' });
    expect(near.pair.orderPlan).toBeNull();
    expect(dcaDesk({ ...futures, leverage: 5 }).pair.orderPlan).not.toBeNull();
    expect(dcaDesk({ ...futures, leverage: 25, margin_mode: 'cross' }).pair.orderPlan).not.toBeNull();
  });

  test('only_short averages up and buys back below', () => {
    const futures = { exchange: 'binanceusdm', market: 'only_short', buy_pct: 20, short_buy_pct: 20, leverage: 3 };
    const desk = dcaDesk(futures);
    expect(desk.pair.position?.direction).toBe(-1);
    expect(openOrdersOf(desk).filter((order) => order.startsWith('sell'))).toHaveLength(4);
    go(desk, 61_300, 59_600);
    expect([desk.pair.position, desk.pair.orderPlan]).toEqual([null, null]);
    expect(desk.session.state.bot.wins).toBe(1);
  });
});

describe('periodic entries on paper', () => {
  const periodic = { mode: 'periodic', every: 2 };

  test('enter every n candles, each with its own size, and average E', () => {
    const desk = dcaDesk({ buy_pct: 20, max_slippage_pct: 0.1 }, periodic);
    for (let i = 0; i < 4; i++) desk.close(60_000 - 500 * i);
    const fills = desk.fills();
    expect(fills.map(({ data }) => [data.kind, data.reason])).toEqual([
      ['entry', PLAN_REASON],
      ['entry', PLAN_REASON],
    ]);
    const worth = fills.map(({ data }) => Number(data.price) * Number(data.quantity));
    expect(worth[0]).toBeCloseTo(1_998, -1);
    expect(worth[1]).toBeCloseTo(1_598, -1);
    const { entryPrice } = desk.pair.holding;
    expect(entryPrice).toBeLessThan(Number(fills[0]?.data.price) * 1e8);
    expect([desk.pair.orderPlan, desk.pair.planOrders]).toEqual([null, []]);
  });

  test('a fixed amount is bought unchanged', () => {
    const desk = dcaDesk({ max_slippage_pct: 0.1 }, { ...periodic, amount: 300 });
    desk.close(60_000);
    desk.close(60_000);
    const [first] = desk.fills();
    expect(Number(first?.data.price) * Number(first?.data.quantity)).toBeGreaterThan(299);
    expect(Number(first?.data.price) * Number(first?.data.quantity)).toBeLessThanOrEqual(300);
  });

  test('a changed amount acts on the next entry and does not shift it', () => {
    const desk = dcaDesk({ max_slippage_pct: 0.1 }, { ...periodic, amount: 300 });
    desk.close(60_000);
    expect(desk.fills()).toHaveLength(1);
    desk.close(60_000);
    desk.command({ type: 'change', options: {}, params: { amount: 500 } });
    desk.close(60_000);
    const { price, quantity } = desk.fills()[1]?.data ?? {};
    expect(Number(price) * Number(quantity)).toBeCloseTo(500, -1);
  });

  test('all tables act on the whole position, and a row triggers once', () => {
    const desk = dcaDesk({ profit_win: [{ profit: 2, stop: 50 }], profit_callback: [] }, periodic);
    desk.close(60_000);
    const held = desk.pair.holding.quantity;
    go(desk, 61_300);
    expect(desk.fills().at(-1)?.data.reason).toBe('profit_win');
    expect(desk.pair.holding.quantity / held).toBeCloseTo(0.5, 2);
    go(desk, 61_400);
    expect(desk.fills()).toHaveLength(2);
    expect(desk.pair.paused).toBeNull();
  });

  test('a trailing stop-loss follows prices that the bot missed', () => {
    const tables = { stop_sell: [], profit_win: [], profit_callback: [], trailing_stop: [{ profit: 5, stop: 100 }] };
    const desk = dcaDesk(tables, periodic);
    desk.close(60_000);
    // The position opened within the first one, so that its high does not count.
    const missed = [69_000, 68_000].map((high, index) => ({
      ...{ time: desk.candleTime + index * 900_000, open: 60_000, high, low: 60_000, close: 65_000, volume: 1 },
    }));
    desk.wait(2 * 900_000);
    desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: missed });
    expect(desk.pair.position?.peak).toBe(68_000e8);
    go(desk, 64_500);
    expect(desk.fills().at(-1)?.data.reason).toBe('trailing_stop');
  });

  test('the limit of pairs does not block the next entry of a pair with a position', () => {
    const desk = dcaDesk({ max_buy_pair_count: 1, buy_pct: 10 }, periodic);
    for (let i = 0; i < 4; i++) desk.close(60_000);
    expect(desk.fills()).toHaveLength(2);
  });
});
