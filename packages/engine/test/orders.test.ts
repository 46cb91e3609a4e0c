import { marketOf } from '@heron/engine/market/market.ts';
import { percentRatio, toUnits } from '@heron/engine/money/units.ts';
import { makerPrice } from '@heron/engine/state/quotePrices.ts';
import { describe, expect, test } from 'vitest';
import { Desk } from './harness.ts';

const ALT = marketOf({
  pair: 'ALT-USDT',
  tickSize: 0.01,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1e6,
  minNotional: 5,
});
const book = (bid: number, ask: number) => ({
  at: 0,
  bid: toUnits(bid),
  bidSize: 0,
  ask: toUnits(ask),
  askSize: 0,
  last: toUnits(bid),
});

/** Creates a bot at bid 100 with an open maker buy. */
function resting(given: ConstructorParameters<typeof Desk>[0] = {}) {
  const desk = new Desk({ avg_slippage_pct: 0.045, ...given }, ALT);
  desk.quote(100, 100.5);
  desk.buy(1_000, 'maker');
  return desk;
}
const prices = (desk: Desk) =>
  desk.notes.filter(({ kind, data }) => kind === 'order' && data.status === 'placing').map(({ data }) => data.price);
const ends = (desk: Desk) => desk.notes.filter(({ kind }) => kind === 'intent_end').map(({ data }) => data.how);

describe('maker prices', () => {
  test('joins the bid', () => expect(makerPrice(ALT, 'buy', book(100, 100.05), 0)).toBe(toUnits(100)));
  test('markdown −1 goes into the spread, one tick inside the ask', () =>
    expect(makerPrice(ALT, 'buy', book(100, 100.05), percentRatio(-1))).toBe(toUnits(100.04)));
  test('joins the queue when the spread is one tick', () =>
    expect(makerPrice(ALT, 'buy', book(100, 100.01), percentRatio(-1))).toBe(toUnits(100)));
  test('mirrors for sells: joins the ask, rounds up, stays above the bid', () => {
    expect(makerPrice(ALT, 'sell', book(100, 100.05), 0)).toBe(toUnits(100.05));
    expect(makerPrice(ALT, 'sell', book(100, 100.05), percentRatio(0.001))).toBe(toUnits(100.06));
    expect(makerPrice(ALT, 'sell', book(100, 100.05), percentRatio(-1))).toBe(toUnits(100.01));
  });
  test('without a book a negative margin joins the queue at the last price (I-22)', () => {
    const bare = { ...book(0, 0), last: toUnits(100) };
    expect(makerPrice(ALT, 'buy', bare, percentRatio(-2))).toBe(toUnits(100));
    expect(makerPrice(ALT, 'sell', bare, percentRatio(-2))).toBe(toUnits(100));
    expect(makerPrice(ALT, 'buy', bare, percentRatio(2))).toBe(toUnits(98));
    expect(makerPrice(ALT, 'sell', bare, percentRatio(2))).toBe(toUnits(102));
  });
});

describe('maker loop', () => {
  test('follows the bid after order_adjust_time with one replace, up to max_slippage_pct', () => {
    const desk = resting();
    desk.quote(100.2, 100.7, 4_000);
    desk.wait(2_000);
    expect(prices(desk)).toEqual(['100', '100.2']);
    desk.quote(100.6, 101, 3_000);
    desk.wait(3_000);
    expect(prices(desk)).toEqual(['100', '100.2']);
    expect(ends(desk)).toEqual(['slippage']);
    expect(desk.pair.position).toBeNull();
    expect(desk.pair.phase).toBe('idle');
    expect(desk.session.state.bot.wallet.quote).toBe(toUnits(10_000));
  });

  test('keeps what was filled before it gave up, at the price of the fills', () => {
    const desk = new Desk({ markdown_buy_pct: -0.1 }, ALT);
    desk.quote(100, 100.5);
    desk.buy(1_000, 'maker');
    const price = Number(prices(desk)[0]);
    expect(price).toBe(100.1);
    // The order improves the bid, so its queue is empty.
    desk.trade(price, 4);
    desk.quote(101, 101.5, 4_000);
    desk.wait(3_000);
    expect(ends(desk)).toEqual(['slippage']);
    expect(desk.fills().map(({ data }) => [data.quantity, data.price, data.liquidity])).toEqual([
      ['4', '100.1', 'maker'],
    ]);
    expect(desk.pair.phase).toBe('bought');
  });

  test('never gives up a better price: a falling bid leaves the order unchanged', () => {
    const desk = resting();
    desk.quote(99.5, 99.9, 6_000);
    desk.wait(6_000);
    expect(prices(desk)).toEqual(['100']);
  });

  test('an entry that was re-sized at a higher price ends when its last order is filled', () => {
    const desk = new Desk({ buy_pct: 100 }, ALT);
    desk.quote(100, 100.5);
    desk.buy(10_000, 'maker');
    desk.quote(100.3, 100.8, 4_000);
    desk.wait(2_000);
    desk.quote(100, 100.3);
    expect(ends(desk)).toEqual(['filled']);
    expect(desk.pair.phase).toBe('bought');
  });

  test('ends an entry after ten rounds', () => {
    const desk = resting();
    for (let i = 0; i < 12; i++) {
      desk.quote(100, 100.5, 5_000);
      desk.wait(10);
    }
    expect(ends(desk)).toEqual(['timeout']);
  });

  test('a post-only order that would cross is rejected and quoted again', () => {
    const desk = new Desk({}, ALT);
    desk.quote(100, 100.5);
    desk.command({ type: 'buy', pair: 'ALT-USDT', order: 'maker', value: toUnits(1_000), requestId: 'x' });
    // The market falls through the price before the order arrives.
    desk.quote(98, 98.5, 50);
    desk.wait(700);
    const statuses = desk.notes.filter(({ kind }) => kind === 'order').map(({ data }) => data.status);
    expect(statuses).toContain('post_only_rejected');
    expect(prices(desk)).toEqual(['100', '98']);
  });

  test('with buy_pct 100 upward re-prices never spend more than the cash', () => {
    const desk = new Desk({ buy_pct: 100, max_slippage_pct: 2 }, ALT);
    desk.quote(100, 100.5);
    desk.buy(10_000, 'maker');
    for (const bid of [100.5, 101, 101.5]) {
      desk.quote(bid, bid + 0.5, 1_000);
      desk.wait(5_000);
    }
    const order = desk.pair.entry?.order;
    expect(prices(desk)).toHaveLength(4);
    const cost = (Number(order?.price) / 1e8) * (Number(order?.quantity) / 10 ** ALT.assetDecimals);
    expect(cost * 1.001).toBeLessThanOrEqual(10_000);
  });
});

describe('paper fills', () => {
  test('a maker buy at 100 fills at 100.00 when the ask reaches it, and not before', () => {
    const desk = resting();
    desk.quote(100, 100.01);
    desk.quote(100, 100.01, 500);
    expect(desk.fills()).toEqual([]);
    desk.quote(99.99, 100, 500);
    expect(desk.fills().map(({ data }) => [data.price, data.liquidity])).toEqual([['100', 'maker']]);
  });

  test('a taker buy at ask 100 pays 100.045', () => {
    const desk = new Desk({}, ALT);
    desk.quote(99.9, 100);
    desk.buy(1_000);
    expect(desk.fills().map(({ data }) => [data.price, data.liquidity])).toEqual([['100.045', 'taker']]);
  });

  test('respects the limit of an immediate order: an ask that jumped away fills nothing', () => {
    const desk = new Desk({ max_slippage_pct: 0.1 }, ALT);
    desk.quote(99.99, 100);
    desk.command({ type: 'buy', pair: 'ALT-USDT', order: 'taker', value: toUnits(1_000), requestId: 'x' });
    desk.quote(101, 101.1, 50);
    desk.wait(200);
    expect(desk.fills()).toEqual([]);
    expect(ends(desk)).toEqual(['unfilled']);
  });

  test('counts the queue: trades at the price first fill the size displayed before it', () => {
    const desk = new Desk({}, ALT);
    desk.now += 1_000;
    desk.feed({
      type: 'quote',
      pair: 'ALT-USDT',
      at: desk.now,
      bid: toUnits(100),
      bidSize: toUnits(5, ALT.assetDecimals),
      ask: toUnits(100.5),
      askSize: 0,
      last: toUnits(100),
    });
    desk.buy(1_000, 'maker');
    desk.trade(100, 4);
    expect(desk.fills()).toEqual([]);
    desk.trade(100, 3);
    expect(desk.fills().map(({ data }) => data.quantity)).toEqual(['2']);
    desk.trade(99.99, 0.001);
    expect(desk.pair.entry).toBeNull();
    expect(desk.pair.phase).toBe('bought');
  });

  test('a request sent twice acts once and gets the same response', () => {
    const desk = new Desk({}, ALT);
    desk.quote(99.9, 100);
    for (let i = 0; i < 3; i++)
      desk.command({ type: 'buy', pair: 'ALT-USDT', order: 'taker', value: toUnits(500), requestId: 'same' });
    desk.wait(300);
    expect(desk.fills()).toHaveLength(1);
  });

  test('old responses are dropped from the saved bot, also those of an older version', () => {
    const desk = new Desk({}, ALT);
    desk.quote(99.9, 100);
    const { answers } = desk.session.state;
    for (let i = 0; i < 1_000; i++) answers[`old ${i}`] = { ok: true, intentId: null };
    desk.command({ type: 'buy', pair: 'ALT-USDT', order: 'taker', value: toUnits(500), requestId: 'newest' });
    expect(Object.keys(answers)).toHaveLength(100);
    expect(Object.keys(answers).at(-1)).toBe('newest');
  });
});
