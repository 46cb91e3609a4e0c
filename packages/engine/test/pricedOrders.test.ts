import { onFlags } from '@heron/engine/bot/onCandle.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { previewOrder } from '@heron/engine/preview/previewOrder.ts';
import { pairView } from '@heron/engine/session/sessionView.ts';
import { availableQuote } from '@heron/engine/sizing/availableBalance.ts';
import type { Command } from '@heron/engine/state/botEvents.ts';
import { turnOf } from '@heron/engine/state/turn.ts';
import { ENTER_SHORT, EXIT_LONG } from '@heron/engine/strategies/flags.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Desk, kindsOf, sizedQuote } from './harness.ts';

const PAIR = 'BTC-USDT';
const FUTURES = { exchange: 'binanceusdm', leverage: 10, margin_mode: 'isolated', market: 'both' };
const CHEAP = { avg_slippage_pct: 0, stop_sell: [], profit_win: [], profit_callback: [] };

type Entry = Extract<Command, { type: 'buy' }>;

let requests = 0;
function order(desk: Desk, pricing: Pick<Entry, 'order'> & { price?: number; slippage?: number }, more = {}) {
  const price = pricing.price === undefined ? {} : { price: toUnits(pricing.price) };
  requests += 1;
  const command = { type: 'buy', pair: PAIR, value: toUnits(1_000), requestId: `p${requests}`, ...pricing, ...price };
  return desk.command({ ...command, ...more } as Command);
}

const refusal = (notes: readonly { kind: string; data: object }[]) =>
  notes.filter(({ kind }) => kind === 'refusal').map(({ data }) => data);
const ends = (desk: Desk) => kindsOf(desk, 'intent_end').map(({ how }) => how);

describe('a limit order', () => {
  test('below the market waits at its price for as long as it takes, and spends its amount', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'limit', price: 59_000 });
    desk.wait(24 * 3_600_000);
    desk.quote(60_000);
    expect(desk.session.state.exchange.orders).toMatchObject([{ price: toUnits(59_000) }]);
    expect(desk.pair.entry?.orders).toBe(1);
    desk.quote(58_990);
    desk.trade(58_990, 5);
    desk.wait(1_000);
    const fills = desk.fills().map(({ data }) => data);
    expect(fills).toMatchObject([{ price: '59000', liquidity: 'maker' }]);
    expect(ends(desk)).toEqual(['filled']);
    const spent = Number(fills[0]?.quantity) * 59_000;
    expect(spent).toBeLessThanOrEqual(1_000);
    expect(spent).toBeGreaterThan(997);
  });

  test('above the market takes what its price reaches, and waits with the rest', () => {
    const desk = new Desk(CHEAP);
    sizedQuote(desk, 59_990, 60_000, 0.005);
    order(desk, { order: 'limit', price: 60_000 });
    // The displayed size is taken once.
    desk.wait(900);
    expect(desk.fills().map(({ data }) => [data.quantity, data.price, data.liquidity])).toEqual([
      ['0.005', '60000', 'taker'],
    ]);
    sizedQuote(desk, 59_990, 60_010, 0.005);
    desk.wait(6_000);
    expect(desk.session.state.exchange.orders).toMatchObject([{ price: toUnits(60_000) }]);
    desk.trade(59_990, 5);
    desk.wait(1_000);
    expect(ends(desk)).toEqual(['filled']);
    expect(desk.fills().at(-1)?.data).toMatchObject({ price: '60000', liquidity: 'maker' });
  });

  test('as post-only is refused while it would match, and never takes', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000, 60_010);
    expect(refusal(order(desk, { order: 'post_only', price: 60_010 }))).toMatchObject([{ gate: 'would_match' }]);
    order(desk, { order: 'post_only', price: 60_009.99 });
    desk.wait(1_000);
    expect(desk.session.state.exchange.orders).toHaveLength(1);
    expect(desk.fills()).toEqual([]);
  });

  test('as post-only ends when the market has moved onto its price meanwhile', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000, 60_010);
    order(desk, { order: 'post_only', price: 60_005 });
    // The order has not arrived yet.
    desk.quote(60_001, 60_003, 10);
    desk.wait(5_000);
    expect(ends(desk)).toEqual(['rejected']);
    expect(desk.fills()).toEqual([]);
  });

  test('is cancelled by its owner and by the kill switch, not by a signal of the strategy', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'limit', price: 50_000 });
    desk.wait(1_000);
    const view = pairView(desk.session, PAIR, desk.now);
    expect(view?.orders).toMatchObject([{ price: '50000', status: 'open', revocable: true, reason: 'manual' }]);
    desk.command({ type: 'cancel', clientOrderId: String(view?.orders[0]?.clientOrderId) });
    desk.wait(1_000);
    order(desk, { order: 'limit', price: 51_000 });
    desk.wait(1_000);
    desk.command({ type: 'halt', pair: PAIR, close: false });
    desk.wait(1_000);
    expect(ends(desk)).toEqual(['cancelled', 'cancelled']);
    expect(desk.session.state.exchange.orders).toEqual([]);
  });

  test('for a short waits above the market', () => {
    const desk = new Desk({ ...CHEAP, ...FUTURES });
    desk.quote(60_000);
    order(desk, { order: 'limit', price: 61_000 }, { short: true });
    desk.wait(60_000);
    desk.quote(61_010);
    desk.trade(61_010, 5);
    desk.wait(1_000);
    expect(desk.fills().map(({ data }) => [data.side, data.price])).toEqual([['sell', '61000']]);
    expect(desk.pair.position?.direction).toBe(-1);
  });

  test('below one tick is refused instead of dividing by zero', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    expect(refusal(order(desk, { order: 'limit', price: 0.001 }))).toMatchObject([{ gate: 'below_minimum' }]);
  });
});

describe('a stop entry', () => {
  test('sends nothing until the ask reaches its price, then spends its amount within its slippage', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 61_000, slippage: toUnits(0.01) });
    desk.quote(60_900);
    desk.wait(60_000);
    expect([desk.fills(), desk.session.state.exchange.orders]).toEqual([[], []]);
    const view = pairView(desk.session, PAIR, desk.now);
    expect(view?.orders).toMatchObject([{ trigger: '61000', status: 'waiting', revocable: true }]);
    desk.quote(61_000, 61_005);
    desk.wait(2_000);
    expect(desk.fills().map(({ data }) => data.price)).toEqual(['61005']);
    const [end] = kindsOf(desk, 'intent_end');
    const cost = Number(end?.filled) * 61_005;
    expect(cost).toBeGreaterThan(998 - 61_005 * 1e-5);
    expect(cost).toBeLessThanOrEqual(1_000);
  });

  test('buys nothing beyond its slippage when the price jumps over it, and says so', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 61_000, slippage: toUnits(0.01) });
    desk.quote(62_500);
    desk.wait(5_000);
    expect([desk.fills(), ends(desk)]).toEqual([[], ['unfilled']]);
  });

  test('for a short sells nothing beyond its slippage either', () => {
    const desk = new Desk({ ...CHEAP, ...FUTURES });
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 59_000, slippage: toUnits(0.01) }, { short: true });
    desk.quote(57_000);
    desk.wait(5_000);
    expect([desk.fills(), ends(desk)]).toEqual([[], ['unfilled']]);
    desk.quote(57_000);
    order(desk, { order: 'stop', price: 56_000, slippage: toUnits(0.01) }, { short: true });
    desk.quote(55_990);
    desk.wait(5_000);
    expect(desk.fills().map(({ data }) => data.price)).toEqual(['55990']);
  });

  test('is refused where its price is reached already, and can be cancelled while it waits', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    expect(refusal(order(desk, { order: 'stop', price: 59_000 }))).toMatchObject([{ gate: 'trigger_reached' }]);
    order(desk, { order: 'stop', price: 61_000 });
    const [waiting] = pairView(desk.session, PAIR, desk.now)?.orders ?? [];
    desk.command({ type: 'cancel', clientOrderId: String(waiting?.clientOrderId) });
    desk.quote(62_000);
    desk.wait(1_000);
    expect([desk.fills(), ends(desk), desk.pair.phase]).toEqual([[], ['cancelled'], 'idle']);
  });

  test('survives a restart of the process', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 61_000 });
    desk.session = restoreSession(saveSession(desk.session));
    desk.quote(61_000);
    desk.wait(1_000);
    expect(desk.fills()).toHaveLength(1);
  });

  test('is given up with its reason where the pair may not be entered any more', () => {
    const desk = new Desk({ ...CHEAP, product_min_volume: 10_000 });
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 61_000 });
    desk.feed({ type: 'ticker', at: desk.now, pair: PAIR, last: toUnits(60_000), volume24h: 1 });
    desk.quote(61_000);
    desk.wait(1_000);
    expect([desk.fills(), ends(desk)]).toEqual([[], ['cancelled']]);
    expect(desk.pair.lastRefusal?.inputs).toMatchObject({ flag: 'volume' });
  });
});

type PricedKind = 'limit' | 'post_only' | 'stop';

/** Returns a number that is larger the worse a price is for a side. */
const badness = (price: number, short: boolean) => (short ? -price : price);

/** Returns what the manual fills of a desk cost: margin at 10×, and of a long the fee. A short pays its fee from what it sells. */
function spentBy(desk: Desk, short: boolean): number {
  return desk.fills().reduce((sum, { data }) => {
    const margin = (Number(data.price) * Number(data.quantity)) / 10;
    return sum + margin + (short ? 0 : Number(data.feeQuote));
  }, 0);
}

test('no manual entry with a price pays more than it, or spends more than its amount', () => {
  let filled = 0;
  const walks = fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 5, maxLength: 40 });
  const entries = fc.record({
    kind: fc.constantFrom<PricedKind>('limit', 'post_only', 'stop'),
    price: fc.oneof(fc.integer({ min: 59_600, max: 60_400 }), fc.integer({ min: 20_000, max: 100_000 })),
    short: fc.boolean(),
  });
  fc.assert(
    fc.property(entries, walks, fc.constantFrom(0, 0.01, 1), ({ kind, price, short }, walk, size) => {
      const desk = new Desk({ ...CHEAP, ...FUTURES });
      let bid = 60_000;
      sizedQuote(desk, bid, bid + 1, size);
      const slippage = kind === 'stop' ? { slippage: toUnits(0.01) } : {};
      order(desk, { order: kind, price, ...slippage }, short ? { short: true } : {});
      for (const move of walk) {
        bid += move;
        sizedQuote(desk, bid, bid + 1, size, 700);
        desk.trade(bid + (move > 0 ? 1 : 0), 0.01);
      }
      const allowed = kind === 'stop' ? badness(price, short) + price * 0.01 : badness(price, short);
      for (const { data } of desk.fills()) {
        expect(badness(Number(data.price), short)).toBeLessThanOrEqual(allowed + 1e-6);
      }
      // A short at market is sized at the middle of the book, and the book may rise until its order arrives.
      const rise = short ? 1 + Math.max(...walk.map(Math.abs)) / 60_000 + 0.000_01 : 1;
      expect(spentBy(desk, short)).toBeLessThanOrEqual(1_000.000_001 * rise);
      if (desk.fills().length > 0) filled += 1;
    }),
    { numRuns: 300 },
  );
  expect(filled).toBeGreaterThan(60);
});

/** Returns a desk that has bought for 1,000 at 60,000. */
function held(given = {}): Desk {
  const desk = new Desk({ ...CHEAP, ...given });
  desk.quote(60_000);
  desk.buy(1_000);
  return desk;
}

function setExit(desk: Desk, stopLoss: number, takeProfit: number, more = {}) {
  requests += 1;
  const prices = { stopLoss: toUnits(stopLoss), takeProfit: toUnits(takeProfit) };
  const command = { type: 'set_exit', pair: PAIR, percent: 100, requestId: `x${requests}`, ...prices, ...more };
  return desk.command(command as Command);
}

describe('price exits', () => {
  test('sell at the stop-loss, and the take-profit is gone', () => {
    const desk = held();
    setExit(desk, 58_000, 65_000);
    desk.quote(58_001);
    expect(desk.fills()).toHaveLength(1);
    desk.quote(58_000);
    desk.wait(1_000);
    expect(desk.fills()[1]?.data).toMatchObject({ reason: 'price_stop', price: '58000' });
    expect([desk.pair.position, desk.pair.phase]).toEqual([null, 'sold']);
    expect(desk.pair.lastOrder).toMatchObject({ reason: 'price_stop', end: 'filled' });
  });

  test('sell at the take-profit, as the bot sells at one of its options', () => {
    for (const order_type of ['maker', 'taker']) {
      const desk = held({ order_type });
      setExit(desk, 58_000, 65_000);
      desk.quote(65_000);
      desk.wait(1_000);
      desk.trade(65_001, 5);
      desk.wait(1_000);
      expect(desk.fills()[1]?.data).toMatchObject({ reason: 'price_target', liquidity: order_type });
    }
  });

  test('sell their share of what is held, each once', () => {
    const desk = held();
    setExit(desk, 0, 61_000, { percent: 50 });
    setExit(desk, 59_000, 0, { percent: 50 });
    const quantity = desk.pair.holding.quantity;
    desk.quote(61_000, 61_001);
    desk.wait(1_000);
    desk.trade(61_002, 5);
    desk.wait(1_000);
    expect(desk.pair.position?.priceExits).toMatchObject([{ id: 2 }]);
    expect(Math.abs(desk.pair.holding.quantity - quantity / 2)).toBeLessThanOrEqual(desk.market.step);
    desk.quote(62_000);
    desk.quote(59_000);
    desk.wait(1_000);
    expect(desk.fills().at(-1)?.data.reason).toBe('price_stop');
    expect(desk.pair.position?.priceExits).toBeUndefined();
    expect(desk.pair.position).not.toBeNull();
  });

  test('are given with an entry, and belong to the position that it opens', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    const exits = { stopLoss: toUnits(57_000), takeProfit: 0 };
    order(desk, { order: 'limit', price: 59_000 }, { exits });
    desk.quote(58_990);
    desk.trade(58_990, 5);
    desk.wait(1_000);
    expect(desk.pair.position?.priceExits).toEqual([{ id: 1, share: 1e8, ...exits }]);
    const levels = pairView(desk.session, PAIR, desk.now)?.position?.levels;
    expect(levels).toEqual([{ kind: 'stop', price: '57000', row: null, exit: 1, sells: 100 }]);
    desk.quote(56_990);
    desk.wait(1_000);
    expect(desk.pair.position).toBeNull();
    // The next position has none.
    desk.buy(500);
    expect(desk.pair.position?.priceExits).toBeUndefined();
  });

  test('are refused where they are reached already, without a position, and beyond ten', () => {
    const desk = held();
    expect(refusal(setExit(desk, 60_000, 0))).toMatchObject([{ gate: 'trigger_reached' }]);
    expect(refusal(setExit(desk, 0, 60_000))).toMatchObject([{ gate: 'trigger_reached' }]);
    const crossed = { exits: { stopLoss: toUnits(59_500), takeProfit: 0 } };
    for (let i = 0; i < 10; i++) setExit(desk, 50_000 + i, 0, { percent: 1 });
    expect(refusal(setExit(desk, 50_000, 0))).toMatchObject([{ gate: 'too_many_exits' }]);
    expect(refusal(setExit(desk, 50_500, 0, { replaces: 3 }))).toEqual([]);
    expect(desk.pair.position?.priceExits?.[2]).toMatchObject({ id: 3, stopLoss: toUnits(50_500), share: 1e8 });
    desk.sell(100);
    expect(refusal(setExit(desk, 50_000, 0))).toMatchObject([{ gate: 'not_ready' }]);
    expect(refusal(order(desk, { order: 'limit', price: 59_000 }, crossed))).toMatchObject([
      { gate: 'trigger_reached' },
    ]);
  });

  test('are removed by their owner, and replaced', () => {
    const desk = held();
    setExit(desk, 58_000, 65_000);
    desk.command({ type: 'remove_exit', pair: PAIR, exit: 1 });
    desk.quote(57_000);
    desk.wait(1_000);
    expect(desk.fills()).toHaveLength(1);
    expect(kindsOf(desk, 'command').slice(-2)).toEqual([
      { command: 'set_exit', percent: 100, stopLoss: '58000', takeProfit: '65000' },
      { command: 'remove_exit', stopLoss: '58000', takeProfit: '65000' },
    ]);
  });

  test('return when their exit filled nothing', () => {
    const desk = held({ order_type: 'maker' });
    setExit(desk, 0, 61_000);
    desk.quote(61_000, 61_010);
    desk.wait(500);
    expect(desk.pair.exit?.reason).toBe('price_target');
    expect(pairView(desk.session, PAIR, desk.now)?.orders[0]?.revocable).toBe(false);
    desk.command({ type: 'stop' });
    desk.wait(1_000);
    expect(desk.pair.position?.priceExits).toMatchObject([{ id: 1, takeProfit: toUnits(61_000) }]);
  });

  test('join a working exit without selling more than the position', () => {
    const desk = held({ order_type: 'maker' });
    desk.sell(50, 'maker');
    setExit(desk, 59_000, 0);
    desk.quote(58_900);
    desk.wait(2_000);
    expect(desk.pair.position).toBeNull();
    const sold = desk
      .fills()
      .slice(1)
      .reduce((sum, note) => sum + desk.units(note, 'quantity', desk.market.assetDecimals), 0);
    expect(sold).toBeLessThanOrEqual(desk.units(desk.fills()[0], 'quantity', desk.market.assetDecimals));
  });

  test('of a short lie on the other side', () => {
    const desk = new Desk({ ...CHEAP, ...FUTURES });
    desk.quote(60_000);
    order(desk, { order: 'taker' }, { short: true, exits: { stopLoss: toUnits(61_000), takeProfit: toUnits(58_000) } });
    desk.wait(1_000);
    desk.quote(60_999, 61_000);
    desk.wait(1_000);
    expect(desk.fills().at(-1)?.data).toMatchObject({ side: 'buy', reason: 'price_stop', price: '61000' });
  });
});

describe('what a reviewer found', () => {
  const maker = { ...CHEAP, order_type: 'maker' };

  test('a price exit that returns does not replace a newer one', () => {
    const desk = held(maker);
    setExit(desk, 0, 61_000);
    desk.quote(61_000, 61_010);
    desk.wait(500);
    setExit(desk, 59_000, 0);
    desk.command({ type: 'stop' });
    desk.wait(1_000);
    expect(desk.pair.position?.priceExits).toMatchObject([
      { id: 1, takeProfit: toUnits(61_000) },
      { id: 2, stopLoss: toUnits(59_000) },
    ]);
  });

  test.each([50_000, 30_000])('a limit short at %d, far below the market, takes its amount', (price) => {
    const desk = new Desk({ ...CHEAP, ...FUTURES });
    desk.quote(60_000);
    order(desk, { order: 'limit', price }, { short: true });
    desk.wait(1_000);
    expect(spentBy(desk, true)).toBeGreaterThan(980);
    expect(spentBy(desk, true)).toBeLessThanOrEqual(1_000);
  });

  test('a limit at the ask is filled on paper with simulated slippage, at its limit', () => {
    const desk = new Desk({ ...CHEAP, avg_slippage_pct: 0.045 });
    desk.quote(60_000, 60_001);
    order(desk, { order: 'limit', price: 60_001 });
    desk.wait(1_000);
    expect(desk.fills().map(({ data }) => data.price)).toEqual(['60001']);
  });

  test('a limit order between two orders is listed and can be cancelled', () => {
    const desk = new Desk(CHEAP);
    sizedQuote(desk, 59_990, 60_000, 0.005);
    order(desk, { order: 'limit', price: 60_000 });
    desk.wait(400);
    while (desk.pair.entry?.order !== null) desk.wait(50);
    const [listed] = pairView(desk.session, PAIR, desk.now)?.orders ?? [];
    expect(listed).toMatchObject({ price: '60000', status: 'waiting', revocable: true });
    desk.command({ type: 'cancel', clientOrderId: String(listed?.clientOrderId) });
    expect(ends(desk)).toEqual(['cancelled']);
  });

  test('a limit order outlasts a pause of quotes', () => {
    const desk = new Desk(CHEAP);
    sizedQuote(desk, 59_990, 60_000, 0.005);
    order(desk, { order: 'limit', price: 60_000 });
    desk.wait(10 * 60_000);
    expect(ends(desk)).toEqual([]);
    sizedQuote(desk, 59_990, 60_010, 0.005);
    desk.wait(6_000);
    expect(desk.session.state.exchange.orders).toMatchObject([{ price: toUnits(60_000) }]);
  });

  test('the stop-loss of a price exit acts while its take-profit waits as a maker order', () => {
    const desk = held(maker);
    setExit(desk, 58_200, 60_900);
    desk.quote(60_900, 60_910);
    desk.wait(300);
    desk.quote(57_700, 57_710);
    desk.wait(1_000);
    expect(desk.pair.position).toBeNull();
    expect(desk.fills().at(-1)?.data).toMatchObject({ reason: 'price_stop', price: '57700' });
  });

  test('a price exit that is filled in part returns for the rest when the bot stops', () => {
    const desk = held(maker);
    setExit(desk, 58_000, 61_000);
    sizedQuote(desk, 61_000, 61_010, 0.001);
    desk.wait(300);
    desk.trade(61_010, 0.003);
    desk.command({ type: 'stop' });
    desk.wait(1_000);
    expect(desk.fills()).toHaveLength(2);
    expect(desk.pair.position?.priceExits).toMatchObject([{ stopLoss: toUnits(58_000), takeProfit: toUnits(61_000) }]);
  });

  test('a stop entry does not trust an ask far from the last price', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 66_000, slippage: toUnits(0.1) });
    desk.quote(60_000, 66_500);
    desk.wait(2_000);
    expect([desk.fills(), desk.pair.entry?.stopEntry?.isReached]).toEqual([[], false]);
  });

  test.each([
    [66_000, {}],
    [72_000, {}],
    [54_000, { short: true }],
    [48_000, { short: true }],
  ])('a stop entry at %d holds its amount while it waits', (price, more) => {
    const desk = new Desk({ ...CHEAP, ...FUTURES });
    desk.quote(60_000);
    const before = availableQuote(desk.session.bot, null);
    order(desk, { order: 'stop', price }, more);
    const reserved = (before - availableQuote(desk.session.bot, null)) / 1e8;
    expect(reserved).toBeGreaterThan(990);
    expect(reserved).toBeLessThan(1_002);
  });

  test('a spot stop entry of a quantity holds all that it may cost', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 61_000, slippage: toUnits(0.05) }, { value: undefined, quantity: '0.15' });
    expect(availableQuote(desk.session.bot, null) / 1e8).toBeLessThan(10_000 - 0.15 * 61_000 * 1.05);
    expect(desk.pair.entry?.target).toBe(toUnits(0.15, desk.market.assetDecimals));
  });

  test('a stop-loss above the market is refused with a limit that the market improves on', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    const exits = { stopLoss: toUnits(60_500), takeProfit: 0 };
    expect(refusal(order(desk, { order: 'limit', price: 61_000 }, { exits }))).toMatchObject([
      { gate: 'trigger_reached' },
    ]);
  });

  test('dust at a take-profit does not cancel the limit order that fills it', () => {
    const desk = new Desk({ ...CHEAP, profit_win: [{ profit: 1, stop: 100 }] });
    desk.quote(58_990, 59_100);
    order(desk, { order: 'limit', price: 59_000 });
    desk.wait(500);
    desk.trade(59_000, 0.000_02);
    expect(desk.pair.position).not.toBeNull();
    desk.quote(61_000);
    desk.wait(1_000);
    expect(ends(desk)).toEqual([]);
    expect(desk.pair.entry).not.toBeNull();
  });

  test.each([{ sell_pct: 0 }, { max_sell_loss_pct: 1 }])('an exit signal that exits nothing leaves it: %j', (given) => {
    const desk = held(given);
    order(desk, { order: 'limit', price: 50_000 });
    desk.wait(1_000);
    desk.quote(57_000);
    onFlags(turnOf({ bot: desk.session.bot, at: desk.now, effects: [] }, desk.pair), EXIT_LONG, desk.now, 57_000);
    expect([desk.pair.entry?.afterCancel, desk.pair.exit]).toEqual([null, null]);
  });

  test('a manual sale that is refused leaves the waiting entry', () => {
    const desk = held();
    order(desk, { order: 'limit', price: 50_000 });
    desk.wait(1_000);
    expect(refusal(desk.sell(0.01))).toMatchObject([{ gate: 'below_minimum' }]);
    expect(desk.pair.entry?.afterCancel).toBeNull();
  });

  test('a stop-loss that takes over a working take-profit reverses nothing', () => {
    const desk = held({ ...maker, ...FUTURES });
    setExit(desk, 58_200, 60_900);
    desk.quote(60_900, 60_910);
    desk.wait(300);
    const flags = ENTER_SHORT | EXIT_LONG;
    onFlags(turnOf({ bot: desk.session.bot, at: desk.now, effects: [] }, desk.pair), flags, desk.now, 60_900);
    desk.quote(57_700, 57_710);
    desk.wait(2_000);
    desk.quote(57_700, 57_710);
    desk.wait(5_000);
    expect([desk.pair.position, desk.pair.entry]).toEqual([null, null]);
  });

  test('a pause of requests leaves a stop entry waiting, and ends a limit order between two orders with an alarm', () => {
    const stop = new Desk(CHEAP);
    stop.quote(60_000);
    order(stop, { order: 'stop', price: 61_000 });
    stop.session.state.bot.pause = { until: stop.now + 5_000, banned: false };
    stop.quote(61_000);
    expect(ends(stop)).toEqual([]);
    const limit = new Desk(CHEAP);
    sizedQuote(limit, 59_990, 60_000, 0.005);
    order(limit, { order: 'limit', price: 60_000 });
    limit.wait(400);
    limit.session.state.bot.pause = { until: limit.now + 5_000, banned: false };
    limit.wait(2_000);
    expect([ends(limit), kindsOf(limit, 'alarm')]).toEqual([['unfilled'], [{ what: 'entry_ended' }]]);
  });

  test('a suspension ends a limit order with an alarm', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'limit', price: 50_000 });
    desk.wait(1_000);
    const ticker = { type: 'ticker', at: desk.now, pair: PAIR, last: toUnits(60_000), volume24h: null } as const;
    desk.feed({ ...ticker, suspended: 'halted' });
    desk.wait(2_000);
    expect([ends(desk), kindsOf(desk, 'alarm')]).toEqual([['unfilled'], [{ what: 'entry_ended' }]]);
  });

  test('a suspension leaves a stop entry waiting', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 61_000 });
    const ticker = { type: 'ticker', at: desk.now, pair: PAIR, last: toUnits(60_000), volume24h: null } as const;
    desk.feed({ ...ticker, suspended: 'halted' });
    desk.quote(61_500);
    expect([desk.fills(), ends(desk)]).toEqual([[], []]);
    desk.feed({ ...ticker, at: desk.now });
    desk.quote(61_000);
    desk.wait(1_000);
    expect(desk.fills()).toHaveLength(1);
  });

  test('a waiting entry keeps a periodic entry from being made, with the reason', () => {
    const desk = new Desk({ ...CHEAP, strategy: 'dca' }, undefined, { params: { mode: 'periodic', every: 1 } });
    desk.quote(60_000);
    order(desk, { order: 'limit', price: 50_000 });
    for (let i = 0; i < 3; i++) desk.close(60_000);
    expect(desk.pair.lastRefusal?.gate).toBe('already_open');
  });

  test('an order at a price that ends by itself raises an alarm', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    order(desk, { order: 'stop', price: 61_000, slippage: toUnits(0.01) });
    desk.quote(62_500);
    desk.wait(5_000);
    expect(kindsOf(desk, 'alarm')).toEqual([{ what: 'entry_ended' }]);
  });

  test('an exit of a part that is too small is refused', () => {
    const desk = held();
    expect(refusal(setExit(desk, 59_000, 0, { percent: 0.1 }))).toMatchObject([{ gate: 'below_minimum' }]);
  });
});

describe('the preview of an entry with a price', () => {
  const preview = (desk: Desk, command: object) =>
    previewOrder(desk.session, { type: 'buy', pair: PAIR, requestId: 'r', ...command } as Entry, desk.now);

  test('shows it as filled at that price, with its stop-loss', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    const exits = { stopLoss: toUnits(55_000), takeProfit: 0 };
    const limit = preview(desk, { order: 'limit', price: toUnits(59_000), value: toUnits(1_000), exits });
    expect(limit?.estimate).toMatchObject({ price: '59000', type: 'limit_maker', stopLossPrice: '55000' });
    const stop = preview(desk, { order: 'stop', price: toUnits(61_000), value: toUnits(1_000) });
    expect(stop?.estimate).toMatchObject({ price: '61000', type: 'limit_ioc' });
    expect(desk.pair.entry).toBeNull();
  });

  test('says without an amount whether the price is refused', () => {
    const desk = new Desk(CHEAP);
    desk.quote(60_000);
    expect(preview(desk, { order: 'stop', price: toUnits(59_000) })?.refused?.gate).toBe('trigger_reached');
    expect(preview(desk, { order: 'post_only', price: toUnits(61_000) })?.refused?.gate).toBe('would_match');
    expect(preview(desk, { order: 'limit', price: toUnits(59_000) })?.refused).toBeNull();
  });
});
