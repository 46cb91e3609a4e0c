import type { AccountSnapshot, ExecutionEvent, LiveRequest } from '@heron/engine/live/executionEvent.ts';
import { createLiveSession, feedLive, restoreLive } from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OwnFill, OwnIncome } from '@heron/engine/live/report.ts';
import { type Market, marketOf } from '@heron/engine/market/market.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { beforeEach, expect, test } from 'vitest';
import { options, START } from '../harness.ts';

const MARKET: Market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1000,
  minNotional: 100,
});
const PAIR = MARKET.pair;
const size = (quantity: number) => toUnits(quantity, MARKET.assetDecimals);

type Side = { quantity: number; margin: number };

/** A live bot on futures with an account that the test controls. */
class Desk {
  session = createLiveSession({
    id: 'abc123',
    options: options({
      ...{ exchange: 'binanceusdm', market: 'both', leverage: 5, margin_mode: 'isolated', strategy: 'manual' },
      ...{ period: '1m', stop_sell: [], profit_win: [], profit_callback: [], order_type: 'taker' },
    }),
    params: {},
    allotment: null,
  });
  market = MARKET;
  at = START;
  cash = toUnits(10_000);
  quantity = 0;
  margin = 0;
  fills: OwnFill[] = [];
  incomes: OwnIncome[] = [];
  notes: Note[] = [];
  placed: OrderRequest[] = [];
  trades = 0;

  constructor() {
    this.begin();
  }

  begin(): void {
    this.feed({ type: 'resumed', at: this.at });
    this.feed({ type: 'command', at: this.at, command: { type: 'start' } });
    this.applySnapshot();
    this.feed({ type: 'history', at: this.at, market: MARKET, candles: [] });
    this.applySnapshot();
    this.quote(60_000);
  }

  feed(event: MarketEvent | ExecutionEvent): readonly LiveRequest[] {
    const { notes, requests } = feedLive(this.session, event);
    this.notes.push(...notes);
    for (const request of requests) if (request.type === 'place') this.placed.push(request.order);
    return requests;
  }

  quote(price: number): void {
    this.at += 1_000;
    const [bid, ask] = [toUnits(price - 0.1), toUnits(price + 0.1)];
    const sizes = { bidSize: size(5), askSize: size(5) };
    this.feed({
      type: 'quote',
      pair: PAIR,
      at: this.at,
      bid,
      ask,
      ...sizes,
      last: toUnits(price),
      mark: toUnits(price),
    });
  }

  applySnapshot(given: Partial<AccountSnapshot> = {}): void {
    this.at += 1_000;
    const since = this.session.state.cursors[PAIR]?.at ?? START;
    const pair = { pair: PAIR, quantity: this.quantity, others: 0, leverage: 5, isolated: true, margin: this.margin };
    this.feed({
      type: 'account_snapshot',
      at: this.at,
      account: {
        ...{ askedAt: this.at, cash: this.cash, free: this.cash, otherBots: [], openOrders: [], settled: true },
        fills: this.fills.filter(({ at }) => at >= since),
        cursors: { [PAIR]: { at: Math.max(since, this.at - 60_000), id: '' } },
        incomes: this.incomes,
        incomesSince: START,
        pairs: [{ ...pair, market: this.market, brackets: [] }],
        ...given,
      },
    });
  }

  /** Trades at the exchange; the stream reports the fill unless `streamed` is false. */
  trade(
    side: 'buy' | 'sell',
    quantity: number,
    price: number,
    given: Partial<OwnFill> & { streamed?: boolean } = {},
  ): void {
    const { streamed = true, ...rest } = given;
    const fill: OwnFill = {
      ...{ id: `${++this.trades}`, at: this.at, pair: PAIR, clientOrderId: this.placed.at(-1)?.clientOrderId ?? '' },
      ...{ side, price: toUnits(price), quantity: size(quantity), liquidity: 'taker', feeAsset: 'USDT', exit: false },
      ...{ fee: toUnits(0.5), pnl: 0 },
      ...rest,
    };
    this.fills.push(fill);
    this.quantity += (side === 'buy' ? 1 : -1) * fill.quantity;
    this.cash += (fill.pnl ?? 0) - fill.fee;
    if (streamed) this.feed({ type: 'fills', at: this.at, fills: [fill] });
  }

  income(type: OwnIncome['type'], amount: number, at = this.at, terms?: { rate: number; mark: number }): void {
    this.incomes.push({
      ...{ type, id: `${this.incomes.length}`, at, pair: PAIR, amount: toUnits(amount) },
      ...(terms && { terms: { rate: toUnits(terms.rate), mark: toUnits(terms.mark) } }),
    });
    this.cash += toUnits(amount);
  }

  /** Crashes the bot and restores it from its last saved state. */
  die(): void {
    const saved = JSON.stringify(this.session.state);
    this.session = restoreLive(JSON.parse(saved) as LiveState);
  }

  /** Sends an order at market, by default for 0.1 at 60,000. */
  order(side: 'buy' | 'sell', margin = 1_204): OrderRequest {
    const before = this.placed.length;
    const requestId = `${before}`;
    const given = { pair: PAIR, order: 'taker', requestId } as const;
    const command =
      side === 'sell'
        ? ({ ...given, type: 'sell', percent: 100 } as const)
        : ({ ...given, type: 'buy', value: toUnits(margin) } as const);
    this.feed({ type: 'command', at: this.at, command });
    expect(this.placed).toHaveLength(before + 1);
    return this.placed.at(-1) as OrderRequest;
  }

  get wallet() {
    return this.session.state.bot.wallet.quote;
  }

  get pair() {
    return this.session.state.bot.pairs[0] as NonNullable<LiveState['bot']['pairs'][number]>;
  }

  outside(what: string) {
    return this.notes.filter(({ kind, data }) => kind === 'external' && data.what === what);
  }
}

let desk: Desk;

beforeEach(() => {
  desk = new Desk();
});

/** Opens a long of 0.1 at 60,000. */
function long(): void {
  const { clientOrderId, quantity, side, type, price } = desk.order('buy');
  desk.trade('buy', 0.1, 60_000);
  const report = {
    clientOrderId,
    pair: PAIR,
    side,
    type,
    price,
    quantity,
    filled: size(0.1),
    status: 'expired',
  } as const;
  desk.feed({ type: 'order_report', at: desk.at, report: { ...report, at: desk.at } });
  desk.applySnapshot();
}

test('the first order of a flat pair sets up its contract; other orders do not', () => {
  expect(desk.order('buy').margin).toEqual({ leverage: 5, isolated: true });
  desk = new Desk();
  long();
  expect(desk.order('sell')).toMatchObject({ exit: true });
  expect(desk.placed.at(-1)?.margin).toBeUndefined();
});

test('the realised PnL of the exchange is booked, whatever its rounding', () => {
  long();
  desk.order('sell');
  const before = desk.wallet;
  desk.trade('sell', 0.03, 60_100.1, { exit: true, pnl: toUnits(3.00299999) });
  expect(desk.wallet - before).toBe(toUnits(2.50299999));
  desk.trade('sell', 0.07, 60_200, { exit: true, pnl: toUnits(14.00000001) });
  expect(desk.wallet).toBe(desk.cash);
  expect(desk.pair.holding).toMatchObject({ quantity: 0, cost: 0 });
  for (let i = 0; i < 3; i++) desk.applySnapshot();
  expect([...desk.outside('transfer'), ...desk.outside('adjust')]).toEqual([]);
});

test('funding is booked once, despite repeated reports and after a crash', () => {
  long();
  desk.income('funding', -0.6);
  desk.applySnapshot();
  desk.applySnapshot();
  desk.die();
  desk.feed({ type: 'resumed', at: desk.at });
  desk.applySnapshot();
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toHaveLength(1);
  expect(desk.wallet).toBe(desk.cash);
  expect(formatUnits(desk.pair.holding.funding)).toBe('-0.6');
  expect(desk.outside('transfer')).toEqual([]);
});

test('a snapshot in another unit stops the bot before anything of it is booked', () => {
  long();
  const { bot } = desk.session.state;
  bot.options = { ...bot.options, mode: 'live' };
  const booked = () => JSON.stringify([desk.session.state.bot, desk.session.state.applied]);
  const before = booked();
  desk.market = { ...MARKET, assetDecimals: MARKET.assetDecimals - 1 };
  desk.trade('buy', 0.01, 60_000, { streamed: false });
  const nextStep = /counted in 6 decimals, but this bot counts it in 7: sell it at the exchange, and delete the bot$/;
  for (const settled of [true, false]) expect(() => desk.applySnapshot({ settled })).toThrow(nextStep);
  expect(booked()).toBe(before);
});

test('funding reported by two overlapping snapshots is booked once, even after long', () => {
  long();
  const paidAt = desk.at;
  desk.income('funding', -0.6, paidAt);
  desk.at += 3_600_000;
  desk.quote(60_000);
  // Both snapshots were requested before either result arrived.
  for (let i = 0; i < 2; i++) desk.applySnapshot({ incomesSince: desk.at - 600_000 });
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toHaveLength(1);
  expect(desk.wallet).toBe(desk.cash);
});

test('funding of a position whose end arrives during a snapshot is not lost', () => {
  desk.margin = toUnits(1_200);
  long();
  const paidAt = desk.at;
  desk.income('funding', -0.6, paidAt);
  desk.at += 3_600_000;
  desk.quote(60_000);
  const read = [...desk.fills];
  desk.order('sell');
  desk.trade('sell', 0.1, 60_000, { exit: true });
  const since = desk.session.state.cursors[PAIR]?.at ?? 0;
  desk.applySnapshot({ fills: read.filter(({ at }) => at >= since), incomesSince: desk.at - 600_000 });
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toEqual([]);
  desk.applySnapshot({ incomesSince: desk.at - 600_000 });
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toHaveLength(1);
  expect(desk.wallet).toBe(desk.cash);
});

test('funding of a position entered while disconnected is booked with it', () => {
  desk.order('buy');
  desk.die();
  desk.at += 1_000;
  desk.trade('buy', 0.1, 60_000, { streamed: false });
  desk.at += 5_000;
  desk.income('funding', -0.7);
  desk.at += 5_000;
  desk.feed({ type: 'resumed', at: desk.at });
  desk.applySnapshot();
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toHaveLength(1);
  expect(desk.wallet).toBe(desk.cash);
});

test('funding of a position of the account owner is not booked by the bot', () => {
  desk.quantity = size(0.5);
  for (let i = 0; i < 3; i++) desk.applySnapshot();
  expect(desk.outside('foreign')).toMatchObject([{ data: { pauses: true } }]);
  expect(desk.pair.paused).toBe('external');
  desk.income('funding', -3);
  desk.applySnapshot();
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toEqual([]);
});

test.each([
  ['reported by the stream', true],
  ['found in an account snapshot', false],
])('a late fill of an ended order that reverses the position closes and opens: %s', (_, streamed) => {
  long();
  const before = desk.wallet;
  // The fee does not divide evenly.
  desk.trade('sell', 0.15, 60_300, {
    ...{ clientOrderId: 'abc123-99-1', pnl: toUnits(30), fee: toUnits(3.00000001), streamed },
  });
  if (!streamed) desk.applySnapshot();
  expect(formatUnits(desk.wallet - before)).toBe('26.99999999');
  expect(desk.pair.holding).toMatchObject({ quantity: size(0.05), side: -1, entryPrice: toUnits(60_300) });
  expect(desk.pair.position).toMatchObject({ direction: -1 });
  // The database rejects two fills with one id.
  expect(desk.notes.filter(({ kind }) => kind === 'fill').map(({ data }) => data.id)).toEqual(['1', '2', '2+']);
  expect(desk.wallet).toBe(desk.cash);
  for (let i = 0; i < 3; i++) desk.applySnapshot();
  expect([...desk.outside('transfer'), ...desk.outside('adjust')]).toEqual([]);
});

const TERMS = { rate: 0.0001, mark: 60_000 };

test.each([
  ['smaller than', 0.04],
  ['as large as', 0.1],
  ['larger than', 0.3],
])('in hedge mode funding of an owner short that is %s the bot’s long is excluded', (_, short) => {
  long();
  const before = desk.cash;
  desk.income('funding', short * 6, desk.at, TERMS);
  desk.income('funding', -0.60000001, desk.at, TERMS);
  const sides = [
    { quantity: size(0.1), margin: desk.margin },
    { quantity: -size(short), margin: toUnits(700) },
  ].sort((a, b) => Math.abs(b.quantity) - Math.abs(a.quantity)) as [Side, Side];
  const pair = { pair: PAIR, others: 0, leverage: 5, isolated: true, market: MARKET, brackets: [] };
  desk.applySnapshot({ pairs: [{ ...pair, ...sides[0], otherSide: sides[1] }] });
  // The bot books the funding of its own side exactly as rounded by the exchange.
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toMatchObject([{ data: { amount: '-0.60000001' } }]);
  expect(desk.wallet - before).toBe(toUnits(-0.60000001));
});

test('of funding of a position that the owner has just increased the bot pays its part', () => {
  long();
  const before = desk.wallet;
  desk.quantity += size(0.3);
  desk.income('funding', -2.4, desk.at, TERMS);
  desk.applySnapshot();
  expect(formatUnits(desk.wallet - before)).toBe('-0.6');
});

test('the bot never books earlier funding of the owner’s position, even if repeated', () => {
  desk.income('funding', -3, desk.at - 1, TERMS);
  desk.at += 180_000;
  desk.applySnapshot();
  desk.quote(60_000);
  long();
  desk.order('sell');
  desk.trade('sell', 0.1, 60_000, { exit: true });
  // Its fills are now before the cursor.
  desk.at += 180_000;
  desk.applySnapshot();
  desk.applySnapshot();
  expect(desk.notes.filter(({ kind }) => kind === 'funding')).toEqual([]);
  expect(desk.pair.holding.funding).toBe(0);
  // The funding was the user's money, which is no result of the bot.
  expect(desk.outside('transfer')).toMatchObject([{ data: { amount: '-3' } }]);
});

test('a liquidation books its fills and clearance, and its pair waits for the owner', () => {
  long();
  desk.trade('sell', 0.1, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0 },
    pnl: toUnits(-1_150),
  });
  desk.at += 500;
  desk.income('clearance', -40);
  desk.applySnapshot();
  desk.applySnapshot();
  expect(desk.pair).toMatchObject({ position: null, paused: 'liquidation' });
  expect(desk.wallet).toBe(desk.cash);
  expect(desk.outside('liquidated')).toMatchObject([{ data: { quantity: '0.1', price: '48500' } }]);
  const [closed] = desk.notes.filter(({ kind }) => kind === 'position_closed');
  expect(closed?.data.net).toBe('-1150.5');
  expect(formatUnits(desk.pair.holding.realised)).toBe('-1190.5');
  expect([...desk.outside('transfer'), ...desk.outside('adjust')]).toEqual([]);
});

test('a draining bot books the clearance of its liquidation before it is finished', () => {
  long();
  desk.feed({ type: 'command', at: desk.at, command: { type: 'drain' } });
  desk.trade('sell', 0.1, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0 },
    pnl: toUnits(-1_150),
  });
  desk.applySnapshot();
  desk.quote(48_000);
  expect([desk.pair.position, desk.session.state.bot.status]).toEqual([null, 'stopping']);
  desk.at += 40_000;
  desk.income('clearance', -40);
  desk.at += 80_000;
  desk.applySnapshot();
  expect(desk.session.state.bot.status).toBe('finished');
  expect(desk.wallet).toBe(desk.cash);
});

/** Opens and closes a position of a draining bot. */
function drained(): void {
  long();
  desk.feed({ type: 'command', at: desk.at, command: { type: 'drain' } });
  const { clientOrderId, side, type, price, quantity } = desk.order('sell');
  desk.trade('sell', 0.1, 60_000, { exit: true });
  const report = { clientOrderId, pair: PAIR, side, type, price, quantity, filled: quantity, at: desk.at };
  desk.feed({ type: 'order_report', at: desk.at, report: { ...report, status: 'filled' } });
  expect(desk.pair).toMatchObject({ position: null, exit: null });
}

test.each([
  ['has funding whose terms are unknown', { lacksIncomes: true }],
  ['changed while it was read', { settled: false }],
])('a draining bot is not finished by a snapshot that %s, but by the next', (_what, given) => {
  drained();
  desk.at += 120_000;
  desk.applySnapshot(given);
  expect(desk.session.state.bot.status).toBe('stopping');
  desk.applySnapshot();
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a draining bot without snapshots is finished after ten minutes', () => {
  drained();
  desk.at += 500_000;
  desk.quote(60_000);
  expect(desk.session.state.bot.status).toBe('stopping');
  desk.at += 100_000;
  desk.quote(60_000);
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a bot whose owner stops it does not wait for payments', () => {
  long();
  desk.order('sell');
  desk.trade('sell', 0.1, 60_000, { exit: true });
  desk.feed({ type: 'command', at: desk.at, command: { type: 'stop' } });
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a draining bot is not finished while an order of its own may be open that it does not know', () => {
  desk.feed({ type: 'command', at: desk.at, command: { type: 'drain' } });
  const report: AccountSnapshot['openOrders'][number] = {
    ...({ clientOrderId: 'abc123-77-1', pair: PAIR, side: 'buy', type: 'limit_maker' } as const),
    ...({ price: toUnits(50_000), quantity: size(0.1), filled: 0, status: 'open', at: desk.at, exit: false } as const),
  };
  desk.session = restoreLive(
    structuredClone({ ...desk.session.state, bot: { ...desk.session.state.bot, status: 'stopping' } }),
  );
  desk.applySnapshot({ openOrders: [report] });
  expect([desk.session.state.bot.status, desk.outside('unknown_order').length]).toEqual(['stopping', 1]);
  // The cancel was lost: the next snapshot repeats it.
  desk.at += 120_000;
  desk.applySnapshot({ openOrders: [report] });
  expect([desk.session.state.bot.status, desk.outside('unknown_order').length]).toEqual(['stopping', 2]);
  desk.at += 120_000;
  desk.applySnapshot();
  expect(desk.session.state.bot.status).toBe('finished');
});

test('a stop that ended with the liquidation during a snapshot is no unknown order', () => {
  desk.market = { ...MARKET, stop: 'market' };
  desk.margin = toUnits(1_200);
  desk.feed({ type: 'history', at: desk.at, market: desk.market, candles: [] });
  desk.applySnapshot();
  desk.quote(60_000);
  long();
  const stop = desk.placed.at(-1) as OrderRequest;
  expect(stop.type).toBe('stop_market');
  const report = { ...stop, filled: 0, at: desk.at };
  desk.feed({ type: 'order_report', at: desk.at, report: { ...report, status: 'open' } });
  const askedAt = desk.at;
  desk.at += 100;
  desk.trade('sell', 0.1, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0 },
    pnl: toUnits(-1_150),
  });
  desk.feed({ type: 'order_report', at: desk.at, report: { ...report, status: 'canceled' } });
  const openOrders = [{ ...report, status: 'open' as const }];
  desk.applySnapshot({ askedAt, openOrders, settled: false });
  expect([...desk.outside('unknown_order'), ...desk.outside('stop_gone')]).toEqual([]);
  // An unknown order in a later snapshot is cancelled and reported.
  desk.applySnapshot({ openOrders });
  expect(desk.outside('unknown_order')).toHaveLength(1);
});

test('a missed liquidation is found by the next snapshot', () => {
  long();
  desk.trade('sell', 0.1, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0, streamed: false },
    pnl: toUnits(-1_150),
  });
  desk.income('clearance', -40);
  desk.applySnapshot();
  expect(desk.pair).toMatchObject({ position: null, paused: 'liquidation' });
  expect(desk.wallet).toBe(desk.cash);
});

test("the clearance of an owner's earlier liquidation is not booked by the bot", () => {
  desk.income('clearance', 312);
  // The cash of the account already includes the amount.
  desk.cash -= toUnits(312);
  desk.at += 1_000;
  long();
  desk.die();
  desk.at += 3_600_000;
  desk.feed({ type: 'resumed', at: desk.at });
  const since = desk.session.state.cursors[PAIR]?.at ?? 0;
  const read = desk.fills.filter(({ at }) => at >= since);
  desk.trade('sell', 0.1, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0 },
    pnl: toUnits(-1_150),
  });
  desk.income('clearance', 65);
  desk.applySnapshot({ fills: read, incomes: desk.incomes.slice(0, 1) });
  for (let i = 0; i < 3; i++) desk.applySnapshot();
  expect(desk.wallet).toBe(desk.cash);
  expect(desk.outside('liquidated')).toHaveLength(1);
  expect([...desk.outside('transfer'), ...desk.outside('adjust')]).toEqual([]);
});

test.each([
  ['an account snapshot', 'snapshot'],
  ['the answer to a question for fills', 'answer'],
  ['the stream, late', 'stream'],
])('a liquidation of the owner before the bot’s entry is excluded: reported by %s', (_, by) => {
  const [quantity, cash] = [desk.quantity, desk.cash];
  desk.trade('sell', 0.2, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0, streamed: false },
    pnl: toUnits(-2_300),
  });
  // The forced closing does not change the quantity and cash that the bot starts with.
  Object.assign(desk, { quantity, cash });
  desk.at += 1_000;
  // The order is larger than its fills, so that it stays open.
  const { clientOrderId } = desk.order('buy', 1_300);
  desk.trade('buy', 0.04, 60_000);
  desk.trade('buy', 0.06, 60_000, { streamed: by === 'snapshot' });
  const [forced] = desk.fills as [OwnFill];
  if (by === 'answer') desk.feed({ type: 'fills', at: desk.at, fills: desk.fills });
  if (by === 'stream')
    for (const fill of [...desk.fills.slice(1), forced]) desk.feed({ type: 'fills', at: desk.at, fills: [fill] });
  expect(desk.session.state.orders.find((order) => order.clientOrderId === clientOrderId)?.booked).toBe(size(0.1));
  desk.die();
  desk.feed({ type: 'resumed', at: desk.at });
  for (let i = 0; i < 3; i++) desk.applySnapshot();
  expect(desk.pair).toMatchObject({ paused: null, holding: { quantity: size(0.1), side: 1 } });
  expect([...desk.outside('liquidated'), ...desk.outside('transfer'), ...desk.outside('adjust')]).toEqual([]);
  expect(desk.wallet).toBe(desk.cash);
});

test('a liquidation of the bot is booked even if reported together with its entry', () => {
  desk.order('buy');
  desk.trade('buy', 0.1, 60_000, { streamed: false });
  desk.at += 1_000;
  desk.trade('sell', 0.1, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0, streamed: false },
    pnl: toUnits(-1_150),
  });
  desk.feed({ type: 'fills', at: desk.at, fills: desk.fills });
  expect(desk.pair).toMatchObject({ paused: 'liquidation', holding: { quantity: 0 } });
  expect(desk.wallet).toBe(desk.cash);
});

test("a liquidation of a position that the owner has increased closes the bot's part", () => {
  long();
  desk.quantity += size(0.3);
  desk.trade('sell', 0.4, 48_500, {
    ...{ clientOrderId: 'autoclose-1700000000000-7', forced: 'liquidation', exit: true, fee: 0 },
    pnl: toUnits(-4_600),
  });
  expect(desk.pair.holding.quantity).toBe(0);
  expect(formatUnits(desk.wallet)).toBe('8849.5');
});

test('an auto-deleveraging is reported and booked, and the pair continues', () => {
  long();
  desk.trade('sell', 0.1, 60_900, {
    ...{ clientOrderId: 'adl_autoclose', forced: 'deleveraging', exit: true, fee: 0 },
    pnl: toUnits(90),
  });
  expect(desk.outside('deleveraged')).toHaveLength(1);
  expect(desk.pair).toMatchObject({ position: null, paused: null });
  expect(desk.wallet).toBe(desk.cash);
});

test('margin that the owner adds to an isolated position is read, as are brackets', () => {
  long();
  desk.margin = toUnits(2_500);
  const bracket = { floor: 0, cap: toUnits(50_000), mmr: toUnits(0.01), cum: 0, maxLeverage: 20 };
  const pair = { pair: PAIR, quantity: desk.quantity, others: 0, leverage: 5, isolated: true, market: MARKET };
  desk.applySnapshot({ pairs: [{ ...pair, margin: desk.margin, brackets: [bracket] }] });
  expect(desk.pair.holding.margin).toBe(toUnits(2_500));
  expect(desk.pair.brackets).toEqual([bracket]);
  expect(desk.wallet).toBe(desk.cash);
});

test.each([
  ['smaller than', 0.04],
  ['as large as', 0.1],
  ['larger than', 0.3],
])('in hedge mode an owner short that is %s the bot’s long does not reduce it', (_, short) => {
  long();
  const sides = [
    { quantity: size(0.1), margin: desk.margin },
    { quantity: -size(short), margin: toUnits(700) },
  ].sort((a, b) => Math.abs(b.quantity) - Math.abs(a.quantity)) as [Side, Side];
  const pair = { pair: PAIR, others: 0, leverage: 5, isolated: true, market: MARKET, brackets: [] };
  for (let i = 0; i < 3; i++) desk.applySnapshot({ pairs: [{ ...pair, ...sides[0], otherSide: sides[1] }] });
  expect(desk.pair.holding).toMatchObject({ quantity: size(0.1), side: 1 });
  expect(desk.pair.position).not.toBeNull();
  expect(desk.outside('adjust')).toEqual([]);
});

test('a stop that sold while disconnected is booked fully, despite unclear first fills', () => {
  desk.market = { ...MARKET, stop: 'market' };
  desk.margin = toUnits(1_200);
  desk.feed({ type: 'history', at: desk.at, market: desk.market, candles: [] });
  desk.applySnapshot();
  desk.quote(60_000);
  long();
  const stop = desk.placed.at(-1) as OrderRequest;
  expect(stop).toMatchObject({ type: 'stop_market', side: 'sell', exit: true, trigger: { by: 'mark' } });
  const { clientOrderId, side, type, price, quantity } = stop;
  const report = { ...{ clientOrderId, pair: PAIR, side, type, price, quantity, at: desk.at } } as const;
  desk.feed({
    type: 'accepted',
    at: desk.at,
    clientOrderId,
    report: { ...report, filled: 0, status: 'open' },
    fills: [],
  });
  const soldAt = desk.at;
  for (const part of [0.06, 0.04]) {
    const pnl = toUnits(-part * 10_000);
    desk.trade('sell', part, 50_000, { clientOrderId: '', exit: true, pnl, streamed: false });
  }
  desk.die();
  desk.at += 300_000;
  desk.feed({ type: 'resumed', at: desk.at });
  desk.applySnapshot();
  desk.feed({ type: 'order_status', at: desk.at, report: { ...report, filled: quantity, status: 'filled' } });
  desk.at += 1_000;
  const [asked] = desk.feed({ type: 'timer', at: desk.at });
  expect(asked).toMatchObject({ type: 'query_fills', pair: PAIR });
  const since = asked?.type === 'query_fills' ? asked.since.at : Number.NaN;
  const fills = desk.fills.filter(({ at }) => at >= since && at >= soldAt);
  desk.feed({ type: 'fills', at: desk.at, fills: fills.map((fill) => ({ ...fill, clientOrderId })) });
  expect(desk.pair).toMatchObject({ position: null, stop: null });
  expect(desk.session.state.orders).toEqual([]);
  expect(desk.wallet).toBe(desk.cash);
  expect(desk.outside('adjust')).toEqual([]);
});

test('a late fill that reverses the position while an exit works turns the position as well', () => {
  long();
  // The exit works; its order is accepted and not filled yet.
  const exit = desk.order('sell');
  desk.trade('sell', 0.15, 60_300, { clientOrderId: 'abc123-99-1', pnl: toUnits(30) });
  expect(desk.pair.holding.side).toBe(-1);
  // The exchange ends the reduce-only order: there is no long any more.
  const { clientOrderId, quantity, side, type, price } = exit;
  const report = { clientOrderId, pair: PAIR, side, type, price, quantity, filled: 0, status: 'expired' } as const;
  desk.feed({ type: 'order_report', at: desk.at, report: { ...report, at: desk.at } });
  for (let i = 0; i < 5; i++) desk.quote(60_300);
  expect(desk.pair.position?.direction).toBe(-1);
});

test('the same while the bot closes its positions: the short is bought back', () => {
  long();
  desk.feed({ type: 'command', at: desk.at, command: { type: 'close' } });
  const exit = desk.placed.at(-1) as OrderRequest;
  expect(exit).toMatchObject({ side: 'sell', exit: true });
  desk.trade('sell', 0.15, 60_300, { clientOrderId: 'abc123-99-1', pnl: toUnits(30) });
  const { clientOrderId, quantity, side, type, price } = exit;
  const report = { clientOrderId, pair: PAIR, side, type, price, quantity, filled: 0, status: 'rejected' } as const;
  desk.feed({ type: 'order_report', at: desk.at, report: { ...report, at: desk.at } });
  for (let i = 0; i < 5; i++) desk.quote(60_300);
  expect(desk.placed.at(-1)).toMatchObject({ side: 'buy', exit: true });
});

test('a partial liquidation does not end the closing of the positions', () => {
  desk.margin = toUnits(1_200);
  long();
  desk.quote(60_000);
  desk.feed({ type: 'command', at: desk.at, command: { type: 'close' } });
  const exit = desk.placed.at(-1) as OrderRequest;
  desk.trade('sell', 0.04, 55_000, {
    clientOrderId: 'autoclose-1',
    forced: 'liquidation',
    exit: true,
    pnl: toUnits(-200),
  });
  expect(desk.pair.holding.quantity).toBe(size(0.06));
  const { clientOrderId, quantity, side, type, price } = exit;
  const report = { clientOrderId, pair: PAIR, side, type, price, quantity, filled: 0, status: 'canceled' } as const;
  desk.feed({ type: 'order_report', at: desk.at, report: { ...report, at: desk.at } });
  for (let i = 0; i < 5; i++) desk.quote(60_000);
  expect(desk.placed.at(-1)?.clientOrderId).not.toBe(exit.clientOrderId);
});

test('closing survives a restart of a live bot', () => {
  long();
  desk.feed({ type: 'paused', at: desk.at, until: desk.at + 3_000, banned: true });
  desk.feed({ type: 'command', at: desk.at, command: { type: 'close' } });
  const before = desk.placed.length;
  desk.die();
  desk.feed({ type: 'resumed', at: desk.at });
  desk.feed({ type: 'history', at: desk.at, market: MARKET, candles: [] });
  desk.applySnapshot();
  for (let i = 0; i < 8; i++) desk.quote(60_000);
  expect(desk.placed.length).toBeGreaterThan(before);
  expect(desk.placed.at(-1)).toMatchObject({ side: 'sell', exit: true });
});
