import type { Market } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { expect, test } from 'vitest';
import { MARKETS } from './arbitraries.ts';
import { Desk } from './harness.ts';
import { gridDesk, SIX } from './plan/gridDesk.ts';

const BTC = MARKETS[0] as Market;
const PAIR = BTC.pair;

/** Sends a quote whose bid is far below the last price of 60,000. */
function quoteLoneBid(desk: Desk, bid: number): void {
  desk.now += 1_000;
  const [low, last] = [toUnits(bid), toUnits(60_000)];
  desk.feed({ type: 'quote', pair: PAIR, at: desk.now, bid: low, bidSize: 0, ask: last, askSize: 0, last });
}

test('a quote with a stub bid does not make the position dust: the coins are sold later', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  quoteLoneBid(desk, 1);
  desk.command({ type: 'close' });
  desk.wait(100);
  desk.quote(59_999.99, 60_000);
  desk.wait(5_000);
  expect(desk.fills()).toHaveLength(2);
});

test('a stub bid between two quotes while the pair is closing and the exit waits', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  desk.session = restoreSession(saveSession(desk.session));
  desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: [] });
  desk.command({ type: 'close' });
  quoteLoneBid(desk, 1);
  desk.wait(100);
  desk.quote(59_999.99, 60_000);
  desk.wait(5_000);
  expect(desk.fills()).toHaveLength(2);
});

test('a grid whose last sale is nearly filled: close ends the bot', () => {
  const desk = gridDesk({}, {});
  desk.quote(65_999);
  desk.wait(300);
  for (const order of desk.session.state.exchange.orders) order.ahead = 0;
  // All but 0.00005 BTC of the last sale.
  const sale = desk.session.state.exchange.orders.find(({ side }) => side === 'sell');
  desk.trade(66_000, (sale?.rest ?? 0) / 10 ** BTC.assetDecimals - 0.00005);
  expect(desk.pair.position).not.toBeNull();
  desk.command({ type: 'close' });
  desk.quote(65_000);
  desk.wait(10_000);
  desk.quote(65_000);
  desk.wait(10_000);
  expect(desk.pair.planOrders.map(({ kind, side }) => [kind, side])).toEqual([]);
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a flat pair with a grid: the next start begins a new grid', () => {
  const desk = gridDesk();
  desk.quote(66_001);
  desk.wait(300);
  expect(desk.pair.position).toBeNull();
  desk.command({ type: 'close' });
  desk.wait(3_000);
  expect(desk.session.state.bot.status).toBe('finished');
  expect(desk.pair.orderPlan).toBeNull();
});

test('a manual sale with a limit keeps it when a neutral grid turns', () => {
  const desk = gridDesk({ exchange: 'binanceusdm', leverage: 5, market: 'both' });
  desk.quote(57_999);
  expect(desk.pair.position?.direction).toBe(1);
  desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: 'limit', slippage: 50_000 });
  // The sales of the other side are filled before their cancels arrive; then a wide book.
  desk.quote(66_001, 69_000, 50);
  expect(desk.pair.position?.direction).toBe(-1);
  desk.wait(60);
  expect(desk.session.state.exchange.orders.map(({ order }) => order)).not.toContain('market');
  desk.wait(10_000);
  expect(desk.fills().filter(({ data }) => Number(data.price) >= 69_000)).toEqual([]);
});

test('the kill switch after it sells an entry that fills before its cancel', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [], order_type: 'maker' });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000, 'maker');
  for (const order of desk.session.state.exchange.orders) order.ahead = 0;
  desk.command({ type: 'close' });
  desk.command({ type: 'halt', pair: PAIR, close: true });
  desk.trade(59_000, 1, 20);
  desk.quote(59_000);
  desk.wait(10_000);
  desk.quote(59_000);
  desk.wait(10_000);
  expect(desk.pair.position).toBeNull();
  expect(desk.session.state.bot.status).toBe('finished');
});

test('the kill switch sells an entry that fills before its cancel', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [], order_type: 'maker' });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000, 'maker');
  for (const order of desk.session.state.exchange.orders) order.ahead = 0;
  desk.command({ type: 'halt', pair: PAIR, close: true });
  desk.trade(59_000, 1, 20);
  desk.quote(59_000);
  desk.wait(10_000);
  expect(desk.pair.position).toBeNull();
});

test('a stub bid does not make the position dust for the kill switch', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  quoteLoneBid(desk, 1);
  desk.command({ type: 'halt', pair: PAIR, close: true });
  desk.quote(59_999.99, 60_000);
  desk.wait(5_000);
  expect(desk.fills()).toHaveLength(2);
});

test('an entry that fills before its cancel is sold', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [], order_type: 'maker' });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000, 'maker');
  for (const order of desk.session.state.exchange.orders) order.ahead = 0;
  desk.command({ type: 'close' });
  desk.trade(59_000, 1, 20);
  desk.quote(59_000);
  desk.wait(10_000);
  expect(desk.pair.position).toBeNull();
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a pair that is taken off the list while closing is sold', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] }, BTC, { others: [MARKETS[1] as Market] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  const ticker = { type: 'ticker', pair: PAIR, last: 60_000e8, volume24h: null } as const;
  desk.feed({ ...ticker, at: desk.now, suspended: 'halted' });
  desk.command({ type: 'close' });
  desk.command({ type: 'change', options: { watch_pairs: (MARKETS[1] as Market).pair }, params: {} });
  desk.feed({ ...ticker, at: desk.now });
  desk.quote(60_000);
  desk.wait(5_000);
  expect(desk.pair.position).toBeNull();
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a manual maker sale does not become a market order when a neutral grid turns', () => {
  const desk = new Desk(
    {
      strategy: 'grid',
      order_type: 'taker',
      stop_sell: [],
      buy_pct: 50,
      avg_slippage_pct: 0,
      exchange: 'binanceusdm',
      leverage: 5,
      market: 'both',
    },
    BTC,
    { params: { ...SIX } },
  );
  desk.quote(60_000);
  desk.close(60_000);
  desk.quote(57_999);
  desk.command({ type: 'sell', pair: PAIR, order: 'maker', percent: 100, requestId: 'm' });
  desk.quote(66_001, undefined, 50);
  desk.wait(60);
  expect(desk.session.state.exchange.orders.map(({ order }) => order)).not.toContain('market');
});

test('small position, wide book (last unchanged): close sells it instead of declaring it dust', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [], min_buy_size: 0 });
  desk.quote(59_999.99, 60_000);
  desk.buy(12);
  expect(desk.fills()).toHaveLength(1);
  quoteLoneBid(desk, 25_000);
  desk.command({ type: 'close' });
  desk.quote(59_999.99, 60_000);
  desk.wait(5_000);
  expect(desk.fills()).toHaveLength(2);
});

test('the peak of a trailing stop follows the price while the pair is closing and cannot sell', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  const ticker = { type: 'ticker', pair: PAIR, last: 60_000e8, volume24h: null } as const;
  desk.feed({ ...ticker, at: desk.now, suspended: 'halted' });
  desk.command({ type: 'close' });
  desk.quote(66_000);
  desk.quote(66_000);
  desk.command({ type: 'halt', pair: PAIR, close: false });
  desk.quote(62_000);
  expect(desk.pair.position?.peak).toBe(toUnits(66_000));
});

test('a grid: selling what is left as dust by close leaves no order of the plan', () => {
  // DCA: the take-profit is nearly filled.
  const desk = new Desk(
    { strategy: 'dca', order_type: 'taker', stop_sell: [], buy_pct: 50, avg_slippage_pct: 0 },
    BTC,
    { params: { start: 'now' } },
  );
  desk.quote(60_000);
  desk.close(60_000);
  desk.wait(2_000);
  const sale = desk.session.state.exchange.orders.find(({ side }) => side === 'sell');
  expect(sale).toBeDefined();
  if (sale === undefined) return;
  sale.ahead = 0;
  desk.trade(sale.price / 1e8, sale.rest / 1e8 - 0.00005);
  expect(desk.pair.position).not.toBeNull();
  desk.command({ type: 'close' });
  for (let i = 0; i < 20; i++) {
    desk.quote(60_000);
    desk.wait(1_000);
  }
  expect(desk.session.state.bot.status).toBe('finished');
});

test('close while preparing after a restart and an option change that reloads', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  desk.command({ type: 'stop' });
  desk.wait(1_000);
  desk.command({ type: 'start' });
  desk.command({ type: 'close' });
  desk.command({ type: 'change', options: { strategy: 'grid' }, params: {} });
  desk.session = restoreSession(saveSession(desk.session));
  desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: [] });
  desk.quote(60_000);
  desk.wait(3_000);
  expect(desk.pair.position).toBeNull();
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a manual sale during closing, then a suspension, then the end of it: all is sold', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  const ticker = { type: 'ticker', pair: PAIR, last: 60_000e8, volume24h: null } as const;
  desk.command({ type: 'close' });
  desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 10, requestId: 'x' });
  desk.feed({ ...ticker, at: desk.now, suspended: 'halted' });
  desk.wait(1_000);
  desk.feed({ ...ticker, at: desk.now });
  desk.quote(60_000);
  desk.wait(3_000);
  expect(desk.pair.position).toBeNull();
  expect(desk.session.state.bot.status).toBe('finished');
});

test('the journal says that the positions are closed to stop the bot, also where a manual sale joins', () => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  const ticker = { type: 'ticker', pair: PAIR, last: 60_000e8, volume24h: null } as const;
  desk.feed({ ...ticker, at: desk.now, suspended: 'halted' });
  desk.command({ type: 'close' });
  expect(desk.pair.exit?.reason).toBe('run_end');
});

test('stop-loss exit already working in a neutral grid: close joins, the reason and pause', () => {
  const desk = new Desk(
    {
      strategy: 'grid',
      order_type: 'taker',
      stop_sell: [{ profit: 3, stop: 100 }],
      buy_pct: 50,
      avg_slippage_pct: 0,
      exchange: 'binanceusdm',
      leverage: 5,
      market: 'both',
    },
    BTC,
    { params: { lower: 54_000, upper: 66_000, spacing: 'arithmetic', levels: 6 } },
  );
  desk.quote(60_000);
  desk.close(60_000);
  desk.quote(57_999);
  desk.wait(300);
  desk.quote(55_000);
  expect(desk.pair.exit?.reason).toBe('stop_sell');
  desk.command({ type: 'close' });
  for (let i = 0; i < 5; i++) {
    desk.quote(66_001, undefined, 30);
    desk.wait(20);
  }
  for (let i = 0; i < 10; i++) desk.quote(66_001);
  expect(desk.pair.holding.quantity).toBe(0);
  expect(desk.session.state.bot.status).toBe('finished');
});

test.each([
  ['close', { type: 'close' }],
  ['the kill switch', { type: 'halt', pair: PAIR, close: true }],
] as const)('%s during a suspension makes an open maker exit urgent at its end', (_name, command) => {
  const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
  desk.quote(59_999.99, 60_000);
  desk.buy(1_000);
  desk.sell(10, 'maker');
  desk.wait(200);
  const ticker = { type: 'ticker', pair: desk.market.pair, last: 60_000e8, volume24h: null } as const;
  desk.feed({ ...ticker, at: desk.now, suspended: 'halted' });
  desk.command(command);
  desk.wait(2_000);
  desk.feed({ ...ticker, at: desk.now });
  for (let i = 0; i < 15; i++) desk.quote(59_999.99, 60_000);
  expect(desk.pair.position).toBeNull();
});
