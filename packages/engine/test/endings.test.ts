import { marketOf } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { feedSession, nextTimer, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import { describe, expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk, kindsOf, sizedQuote } from './harness.ts';

describe('quantities that cannot be traded', () => {
  test('an entry that got only dust leaves no position, and the pair may enter again', () => {
    const desk = new Desk({ max_slippage_pct: 0.1 });
    sizedQuote(desk, 60_000, 60_010, 0.5);
    desk.buy(1_000, 'maker');
    desk.trade(60_000, 0.50002);
    sizedQuote(desk, 60_500, 60_510, 1, 4_000);
    desk.wait(8_000);
    expect(desk.fills()).toHaveLength(1);
    expect(desk.pair.entry).toBeNull();
    expect([desk.pair.position, desk.pair.phase]).toEqual([null, 'idle']);
    expect(desk.pair.holding.quantity).toBeGreaterThan(0);
    const intents = kindsOf(desk, 'intent').length;
    for (let i = 0; i < 20; i++) desk.quote(56_000);
    expect(kindsOf(desk, 'intent')).toHaveLength(intents);
  });

  test('an entry that adds nothing to a position of dust closes it through a sale', () => {
    const desk = new Desk({ max_slippage_pct: 0.1, min_buy_size: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(6.7);
    desk.quote(45_000);
    desk.buy(1_000, 'maker');
    desk.quote(45_200, undefined, 4_500);
    desk.wait(2_000);
    expect([desk.pair.position, desk.pair.phase]).toEqual([null, 'sold']);
    const phases = desk.notes.filter(({ kind }) => kind === 'phase').map(({ data }) => data.to);
    expect(phases).toEqual(['buying', 'bought', 'selling', 'sold']);
  });

  test('a sale given up unsent, while an entry is being cancelled, keeps the position', () => {
    const desk = new Desk({ profit_win: [{ profit: 0.5, stop: 100 }], max_slippage_pct: 0.1 });
    sizedQuote(desk, 59_990, 60_000, 1);
    desk.buy(1_000);
    desk.buy(100, 'maker');
    sizedQuote(desk, 60_400, 60_410, 1);
    expect(desk.pair.phase).toBe('selling');
    desk.command({ type: 'stop' });
    desk.wait(2_000);
    const phases = desk.notes.filter(({ kind }) => kind === 'phase').map(({ data }) => data.to);
    expect(phases).toEqual(['buying', 'bought', 'selling', 'bought']);
  });

  test('a position that is liquidated during its entry is booked as bought first', () => {
    const desk = new Desk({ exchange: 'binanceusdm', leverage: 125, margin_mode: 'isolated' });
    sizedQuote(desk, 60_000, 60_010, 0.01);
    desk.buy(100, 'maker');
    desk.trade(60_000, 0.05);
    expect(desk.pair.entry?.order?.filled).toBeGreaterThan(0);
    sizedQuote(desk, 58_000, 58_010, 0.01);
    desk.wait(500);
    expect(kindsOf(desk, 'liquidation')).toHaveLength(1);
    expect(kindsOf(desk, 'phase').map(({ to }) => to)).toEqual(['buying', 'bought', 'selling', 'sold']);
  });

  test('a row whose part is too small to trade sells everything, like a signal exit', () => {
    const desk = new Desk({ order_type: 'taker', profit_win: [{ profit: 1, stop: 5 }], avg_slippage_pct: 0 });
    desk.quote(59_999.99, 60_000);
    desk.buy(65);
    desk.quote(61_000);
    desk.wait(200);
    expect(kindsOf(desk, 'intent')).toHaveLength(2);
    expect(desk.pair.phase).toBe('sold');
  });

  test("a manual sale below the exchange's minimum is rejected, not accepted and dropped", () => {
    const desk = new Desk({ min_buy_size: 0 });
    desk.quote(59_999.99, 60_000);
    desk.buy(100);
    const notes = desk.command({ type: 'sell', pair: 'BTC-USDT', order: 'taker', percent: 1, requestId: 'crumb' });
    expect(notes.map(({ data }) => data.gate)).toContain('below_minimum');
    expect(desk.pair.exit).toBeNull();
  });
});

describe('an exit', () => {
  test('that fills up to dust ends before the next entry, and never sells its position', () => {
    const desk = new Desk({ avg_slippage_pct: 0, profit_win: [{ profit: 5, stop: 100 }], markup_sell_pct: 0 });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    sizedQuote(desk, 63_100, 63_110, 0.001);
    desk.wait(200);
    const order = desk.pair.exit?.order;
    expect(order?.type).toBe('limit_maker');
    const rest = (order?.quantity ?? 0) / 10 ** desk.market.assetDecimals;
    desk.trade(63_110, 0.001 + rest - 0.00003);
    expect(desk.pair.phase).toBe('selling');
    expect(desk.pair.position).not.toBeNull();
    desk.trade(63_111, 1);
    expect([desk.pair.position, desk.pair.exit, desk.pair.phase]).toEqual([null, null, 'sold']);
  });

  test('that works includes what a stop sells beside its own part, up to the position', () => {
    for (const [stop, sold] of [
      [30, 0.08],
      [70, 0.1],
    ] as const) {
      const desk = new Desk({ avg_slippage_pct: 0, min_buy_size: 0, stop_sell: [{ profit: 1, stop }] });
      desk.quote(59_999.99, 60_000);
      desk.buy(6_000);
      const held = (desk.pair.position === null ? 0 : desk.pair.holding.quantity) / 10 ** desk.market.assetDecimals;
      desk.command({ type: 'sell', pair: 'BTC-USDT', order: 'maker', percent: 50, requestId: 'half' });
      desk.wait(200);
      expect(desk.pair.exit?.order?.type).toBe('limit_maker');
      desk.quote(59_000, 59_000.01);
      desk.wait(1_000);
      const exits = desk.fills().slice(1);
      const quantity = exits.reduce((sum, { data }) => sum + Number(data.quantity), 0);
      expect(exits.map(({ data }) => data.liquidity)).toEqual(['taker']);
      expect(Math.abs(quantity - held * (sold / 0.1))).toBeLessThan(0.00002);
    }
  });

  test('by signal joins a table exit that works, so that all is sold', () => {
    const market = marketOf({
      pair: 'ALT-USDT',
      tickSize: 0.01,
      stepSize: 0.001,
      minQuantity: 0.001,
      maxQuantity: 1e6,
      minNotional: 5,
    });
    const desk = new Desk(
      {
        strategy: 'ema_cross',
        period: '5m',
        min_periods: 18,
        profit_win: [{ profit: 1, stop: 50 }],
        max_sell_loss_pct: 0,
        avg_slippage_pct: 0,
      },
      market,
      { params: { fast: 2, slow: 3, band: 0 }, history: 100 },
    );
    desk.quote(100, 100.01);
    desk.buy(1_000);
    desk.quote(102, 102.5);
    expect(desk.pair.exit?.reason).toBe('profit_win');
    desk.close(103);
    desk.close(99);
    desk.quote(99, 99.01);
    desk.wait(20_000);
    for (let i = 0; i < 10 && desk.pair.position !== null; i++) desk.quote(98 - i, 98.01 - i, 6_000);
    desk.wait(500);
    expect(desk.pair.position).toBeNull();
  });

  test('of a maker whose price fell too far while it was replaced turns taker', () => {
    const desk = new Desk({
      avg_slippage_pct: 0,
      stop_sell: [],
      profit_win: [{ profit: 5, stop: 100 }],
      profit_callback: [],
    });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    sizedQuote(desk, 63_100, 63_110, 1);
    sizedQuote(desk, 63_000, 63_010, 1, 4_900);
    desk.wait(110);
    // The market falls by 2.5 % before the cancel arrives.
    sizedQuote(desk, 61_500, 61_510, 1, 10);
    desk.wait(1_500);
    expect(desk.fills().at(-1)?.data).toMatchObject({ liquidity: 'taker', reason: 'profit_win' });
    expect(desk.pair.position).toBeNull();
  });
});

describe('the peak of the trailing take-profit', () => {
  test('is saved as soon as it rises while activated, so that a restart keeps the price', () => {
    const desk = new Desk({ order_type: 'taker', avg_slippage_pct: 0, profit_win: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.now += 1_000;
    const high = {
      type: 'quote',
      pair: 'BTC-USDT',
      at: desk.now,
      bid: toUnits(78_000),
      bidSize: 0,
      ask: toUnits(78_000.01),
      askSize: 0,
      last: toUnits(78_000),
    } as const;
    expect(feedSession(desk.session, high).durable).toBe(true);
    const restored = restoreSession(saveSession(desk.session));
    const low = { ...high, at: desk.now + 5_000, bid: toUnits(70_000), ask: toUnits(70_000.01), last: toUnits(70_000) };
    expect(feedSession(restored, low).notes.map(({ data }) => data.reason)).toContain('profit_callback');
  });

  test('is saved as well when a timer evaluates the quote', () => {
    const desk = new Desk({ stop_sell: [], trailing_stop: [{ profit: 5, stop: 100 }], avg_slippage_pct: 0 });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.quote(60_000);
    desk.quote(63_000, 63_000.01, 500);
    expect(desk.pair.position?.peak).toBe(toUnits(60_000));
    const at = nextTimer(desk.session) ?? 0;
    expect(feedSession(desk.session, { type: 'timer', at }).durable).toBe(true);
    expect(desk.pair.position?.peak).toBe(toUnits(63_000));
  });

  test('is not raised by prices before the entry in the same candle', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    desk.now += 20 * 60_000;
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    const candle: ClosedCandle = {
      time: desk.candleTime,
      open: 70_000,
      high: 70_000,
      low: 59_000,
      close: 60_000,
      volume: 1,
    };
    desk.now += 15 * 60_000;
    desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: [candle] });
    desk.quote(60_000);
    expect(desk.pair.position?.peak).toBeLessThan(toUnits(61_000));
  });
});

describe('unusual markets', () => {
  test('a price of a millionth and a million of capital size an entry exactly', () => {
    const tiny = marketOf({
      pair: 'BTTC-USDT',
      tickSize: 1e-8,
      stepSize: 1,
      minQuantity: 1,
      maxQuantity: 1e13,
      minNotional: 1,
    });
    const desk = new Desk({ currency_capital: 1_000_000, avg_slippage_pct: 0, watch_pairs: 'BTTC-USDT' }, tiny, {
      history: 6e-7,
    });
    desk.quote(0.0000006, 0.00000061);
    expect(() => desk.buy(1_000_000)).not.toThrow();
  });

  test('a million at 125×, beyond exact amounts, is sized by its bracket', () => {
    const given = { exchange: 'binanceusdm', leverage: 125, currency_capital: 1_000_000, avg_slippage_pct: 0 };
    const desk = new Desk({ ...given, takerFee: 0.01 });
    desk.quote(59_999.99, 60_000);
    desk.buy(999_000);
    const { holding } = desk.pair;
    // 999,000 at 125× would exceed 100,000,000, where the maximum leverage is 4.
    expect(holding.leverage).toBe(4);
    expect(holding.cost / 1e8).toBeGreaterThan(3.9e6);
    expect(holding.cost / 1e8).toBeLessThan(4e6);
  });

  test('a taker may pay the ask of a book with a large tick if the slippage allows it', () => {
    const tiny = marketOf({
      pair: 'TINY-USDT',
      tickSize: 1e-8,
      stepSize: 1,
      minQuantity: 1,
      maxQuantity: 1e12,
      minNotional: 1,
    });
    const desk = new Desk({ avg_slippage_pct: 0, max_slippage_pct: 0.5 }, tiny, { history: 1.2e-6 });
    desk.quote(0.0000012, 0.00000121);
    desk.buy(100);
    expect(desk.fills()).toHaveLength(1);
  });

  test('a quote without any price is ignored: orders wait, position values stay', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    const drawdown = desk.session.state.maxDrawdown;
    desk.now += 1_000;
    const none = { bid: 0, bidSize: 0, ask: 0, askSize: 0, last: 0 };
    expect(() => desk.feed({ type: 'quote', pair: 'BTC-USDT', at: desk.now, ...none })).not.toThrow();
    desk.wait(12_000);
    expect(desk.session.state.maxDrawdown).toBe(drawdown);
  });

  test.each(['by hand', 'by signal'])(
    'a sale %s while the quote has no price waits for one: the position is no dust',
    (by) => {
      const desk = new Desk(
        { strategy: 'ema_cross', period: '5m', min_periods: 18, max_sell_loss_pct: 0, avg_slippage_pct: 0 },
        altMarket(),
        { params: { fast: 2, slow: 3, band: 0 }, history: 100 },
      );
      desk.close(102);
      desk.quote(101.99, 102);
      const none = { bid: 0, bidSize: 0, ask: 0, askSize: 0, last: 0 };
      desk.wait(290_000);
      desk.feed({ type: 'quote', pair: desk.market.pair, at: desk.now, ...none });
      const candle = { time: desk.candleTime, open: 99, high: 99, low: 99, close: 99, volume: 1 };
      if (by === 'by hand') desk.sell(100);
      else desk.feed({ type: 'candle', at: desk.now, pair: desk.market.pair, candle });
      expect(desk.pair.exit).not.toBeNull();
      expect(desk.pair.position).not.toBeNull();
      desk.quote(101, undefined, 500);
      for (let i = 0; i < 20; i++) desk.quote(101.1, 101.2, 1_000);
      desk.quote(101.3, undefined, 200);
      expect(desk.fills().map(({ data }) => data.side)).toEqual(['buy', 'sell']);
      expect(desk.pair.position).toBeNull();
    },
  );

  test('quotes fill a working order again once the trade feed is silent', () => {
    const desk = new Desk({ avg_slippage_pct: 0 });
    sizedQuote(desk, 60_000, 60_010, 1);
    desk.trade(60_005, 0.1);
    desk.buy(1_000, 'maker');
    sizedQuote(desk, 59_990, 60_000, 1, 2_000);
    expect(desk.fills()).toEqual([]);
    sizedQuote(desk, 59_980, 59_990, 1, 12_000);
    expect(desk.fills()).toHaveLength(1);
  });
});
