import { strategyExit } from '@heron/engine/exits/strategyExit.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { availableQuote } from '@heron/engine/sizing/availableBalance.ts';
import { signalExit } from '@heron/engine/state/exitSignal.ts';
import { turnOf } from '@heron/engine/state/turn.ts';
import { describe, expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk } from './harness.ts';
import { Wire } from './wire.ts';

const ALT = altMarket();
const AVERAGES = {
  strategy: 'ema_cross',
  period: '5m',
  min_periods: 18,
  order_type: 'taker',
  avg_slippage_pct: 0,
  max_buy_loss_pct: 0,
  stop_sell: [],
  profit_win: [],
  profit_callback: [],
};
const BOTH = { exchange: 'binanceusdm', market: 'both', leverage: 2, max_sell_loss_pct: 1 };
const START = { params: { fast: 2, slow: 3, band: 0 }, history: 100 };
const fillsOf = (desk: Desk) => desk.fills().map(({ data }) => [data.kind, data.side, data.reason]);

/** Enters at 102.01 and signals an exit at 99.97; 101 is −1 %, and the averages still fall. */
function fall(desk: Desk): void {
  for (const price of [102, 104, 106, 99.97]) desk.close(price);
}

describe('an exit that max_sell_loss_pct delays', () => {
  test.each([0, 30])('closes the whole position in a reversal, with sell_pct %s, and enters nothing', (sell_pct) => {
    const desk = new Desk({ ...AVERAGES, ...BOTH, sell_pct }, ALT, START);
    fall(desk);
    expect(desk.pair.exitSignal).toEqual({ kind: 'held', whole: true });
    expect(desk.fills()).toHaveLength(1);
    desk.close(101);
    expect(fillsOf(desk).slice(1)).toEqual([['exit', 'sell', 'reverse']]);
    expect([desk.pair.position, desk.pair.exitSignal]).toEqual([null, null]);
  });

  test('keeps to sell_pct when it is a plain exit', () => {
    const desk = new Desk({ ...AVERAGES, max_sell_loss_pct: 1, sell_pct: 30 }, ALT, START);
    fall(desk);
    const bought = desk.pair.holding.quantity;
    expect(desk.pair.exitSignal).toEqual({ kind: 'held', whole: false });
    desk.close(101);
    expect(fillsOf(desk).slice(1)).toEqual([['exit', 'sell', 'signal']]);
    expect(desk.pair.holding.quantity / bought).toBeCloseTo(0.7, 2);
  });
});

describe('a reversal that is held back when the pair is halted', () => {
  test.each([false, true])('is forgotten with its scope (close: %s)', (close) => {
    const desk = new Desk({ ...AVERAGES, ...BOTH, sell_pct: 30 }, ALT, START);
    fall(desk);
    expect(desk.pair.exitSignal).toEqual({ kind: 'held', whole: true });
    desk.command({ type: 'halt', pair: 'ALT-USDT', close });
    expect(desk.pair.exitSignal).toBeNull();
  });
});

describe('a candle that exits before the first quote after downtime', () => {
  /** Enters at 102.01, and is away until the quote of 104 is gone. */
  function returned(given: Record<string, unknown>): Desk {
    const desk = new Desk({ ...AVERAGES, max_sell_loss_pct: 0, ...given }, ALT, START);
    for (const price of [102, 104]) desk.close(price);
    desk.feed({ type: 'history', at: desk.now, market: ALT, candles: [] });
    expect([desk.pair.quote, desk.fills().length]).toEqual([null, 1]);
    const time = desk.candleTime;
    desk.candleTime += 300_000;
    desk.wait(desk.candleTime - desk.now);
    const candle = { time, open: 99, high: 99, low: 99, close: 99, volume: 1 };
    desk.feed({ type: 'candle', at: desk.now, pair: 'ALT-USDT', candle });
    expect(desk.fills()).toHaveLength(1);
    return desk;
  }

  test('acts with that quote', () => {
    const desk = returned({ sell_pct: 30 });
    const { quantity } = desk.pair.holding;
    desk.quote(99);
    desk.wait(1_000);
    expect(fillsOf(desk).slice(1)).toEqual([['exit', 'sell', 'signal']]);
    expect(desk.pair.holding.quantity / quantity).toBeCloseTo(0.7, 2);
  });

  test('exits everything with that quote when it reverses, and enters nothing late', () => {
    const desk = returned({ ...BOTH, max_sell_loss_pct: 0, sell_pct: 30 });
    expect(desk.pair.exitSignal).toEqual({ kind: 'waiting', whole: true, enter: 0 });
    desk.quote(99);
    desk.wait(1_000);
    expect(fillsOf(desk).slice(1)).toEqual([['exit', 'sell', 'reverse']]);
    expect([desk.pair.position, desk.pair.exitSignal]).toEqual([null, null]);
  });
});

describe('an exit signal while a working entry has filled less than can be sold', () => {
  test('sells what the entry has filled when its cancel arrives', () => {
    const wire = new Wire(ALT, { stop_sell: [], min_buy_size: 0 });
    wire.quote(100e8, 100e8 + ALT.tick, 1_000);
    wire.enter(100, 'maker');
    const [entry] = wire.placed();
    if (entry === undefined) throw new Error('the bot did not buy');
    wire.opened(entry);
    // 3 USDT, less than the minimum order value.
    wire.deliver(wire.fillOf(entry, toUnits(0.03, ALT.assetDecimals)));
    wire.pair.exitSignal = signalExit(null, 0);
    strategyExit(turnOf({ bot: wire.bot, at: wire.now, effects: [] }, wire.pair));
    expect(wire.pair.exitSignal).toEqual({ kind: 'waiting', whole: false, enter: 0 });
    wire.deliver(wire.fillOf(entry, toUnits(0.2, ALT.assetDecimals)));
    wire.ended(entry, 'canceled');
    expect(wire.pair.entry).toBeNull();
    expect(wire.pair.exit).toMatchObject({ reason: 'signal', all: true });
    expect(wire.pair.exitSignal).toBeNull();
  });
});

describe('an exit that is filled before the first quote after downtime', () => {
  test('closes the position', () => {
    const desk = new Desk({ ...AVERAGES, order_type: 'maker', max_sell_loss_pct: 0 }, ALT, START);
    desk.quote(99.9, 100);
    desk.buy(1_000);
    for (const price of [102, 104, 106, 99.97]) desk.close(price);
    expect(desk.pair.exit?.order).toMatchObject({ type: 'limit_maker', status: 'open' });
    desk.feed({ type: 'history', at: desk.now, market: ALT, candles: [] });
    desk.quote(103);
    expect(desk.pair).toMatchObject({ phase: 'sold', position: null, exit: null });
    expect(desk.session.state.bot.losses + desk.session.state.bot.wins).toBe(1);
  });
});

describe('an exit of the strategy beside a manual sale', () => {
  test('is not limited by the slippage of the manual sale', () => {
    const desk = new Desk({ ...AVERAGES, order_type: 'maker', max_sell_loss_pct: 0 }, ALT, START);
    desk.quote(99.9, 100);
    desk.buy(1_000);
    for (const price of [102, 104, 106]) desk.close(price);
    const half = { type: 'sell', pair: 'ALT-USDT', order: 'maker', percent: 50, requestId: 'half' } as const;
    desk.command({ ...half, slippage: 1 });
    expect(desk.pair.exit).toMatchObject({ reason: 'manual', slippage: 1 });
    desk.close(99.97);
    expect(desk.notes.some(({ kind, data }) => kind === 'signal' && data.side === 'sell')).toBe(true);
    expect(desk.pair.exit).not.toBeNull();
    expect(desk.pair.exit?.slippage).toBeUndefined();
  });
});

describe('sell_pct', () => {
  test('ends the series by selling everything once a share is too small to trade', () => {
    // A sell of 10 % of an entry of 30 is below the minimum order value of 5, while the rest is above it.
    const given = {
      ...AVERAGES,
      max_sell_loss_pct: 0,
      sell_pct: 10,
      buy_pct: 100,
      currency_capital: 30,
      min_buy_size: 0,
    };
    const desk = new Desk(given, ALT, START);
    desk.close(102);
    expect(desk.fills()).toHaveLength(1);
    desk.close(99);
    expect(fillsOf(desk).slice(1)).toEqual([['exit', 'sell', 'signal']]);
    expect([desk.pair.position, desk.pair.phase]).toEqual([null, 'sold']);
  });
});

describe('an opposite signal while an entry works', () => {
  /** Places a maker entry at 102. A candle then closes at 99, and the order fills before its cancel arrives. */
  function hitWhileCancelled(given: ConstructorParameters<typeof Desk>[0]) {
    const desk = new Desk({ ...AVERAGES, order_type: 'maker', max_sell_loss_pct: 0, ...given }, ALT, START);
    desk.close(102);
    expect(desk.pair.entry?.order?.status).toBe('open');
    const { pair } = ALT;
    const time = desk.candleTime;
    desk.feed({
      type: 'candle',
      at: desk.now,
      pair,
      candle: { time, open: 99, high: 99, low: 99, close: 99, volume: 1 },
    });
    expect([desk.pair.entry?.order?.status, desk.pair.position]).toEqual(['cancelling', null]);
    desk.quote(98.99, 99, 50);
    return desk;
  }

  test('exits the quantity that the entry bought before its cancel arrived', () => {
    const desk = hitWhileCancelled({});
    desk.quote(99.5, 99.51);
    desk.wait(6_000);
    desk.quote(100, 100.01);
    expect(fillsOf(desk)).toEqual([
      ['entry', 'buy', 'signal'],
      ['exit', 'sell', 'signal'],
    ]);
    expect(desk.pair.position).toBeNull();
  });

  test('enters the other side after that where both are allowed', () => {
    const desk = hitWhileCancelled({ ...BOTH, max_sell_loss_pct: 0 });
    // Each order is one tick above the previous bid.
    for (const bid of [102.5, 103.5, 104.5]) {
      desk.quote(bid);
      desk.wait(200);
    }
    expect(fillsOf(desk)).toEqual([
      ['entry', 'buy', 'signal'],
      ['exit', 'sell', 'reverse'],
      ['entry', 'sell', 'reverse'],
    ]);
    expect(desk.pair.position?.direction).toBe(-1);
  });

  test('leaves nothing behind when the cancel arrives first', () => {
    const desk = new Desk({ ...AVERAGES, order_type: 'maker' }, ALT, START);
    desk.close(102);
    desk.close(99);
    expect(desk.fills()).toEqual([]);
    expect([desk.pair.exitSignal, desk.pair.phase]).toEqual([null, 'idle']);
  });
});

describe('max_buy_loss_pct', () => {
  const gatesOf = (desk: Desk) => desk.notes.flatMap(({ kind, data }) => (kind === 'refusal' ? [data.gate] : []));

  /** Exits a position at about 100, and signals an entry again at `again`. */
  function reentered(market: string, again: number, given: Record<string, unknown>): Desk {
    const options = { ...AVERAGES, ...BOTH, market, max_sell_loss_pct: 0, max_buy_loss_pct: 2, min_periods: 18 };
    const desk = new Desk({ ...options, ...given }, ALT, START);
    const long = market === 'only_long';
    desk.close(long ? 103 : 97);
    desk.close(100);
    expect(desk.pair.phase).toBe('sold');
    desk.close(long ? 98 : 102);
    desk.close(again);
    return desk;
  }

  test.each([
    ['only_long', 101.8, 102.3],
    ['only_short', 98.2, 97.7],
  ])('in %s compares the decision price of a taker, however much slippage is accepted', (market, fair, dear) => {
    for (const max_slippage_pct of [0.1, 0.5, 2]) {
      const taker = { order_type: 'taker', max_slippage_pct };
      expect(gatesOf(reentered(market, fair, taker)), `slippage ${max_slippage_pct}`).toEqual([]);
      expect(gatesOf(reentered(market, dear, taker)), `slippage ${max_slippage_pct}`).toEqual(['buy_loss']);
    }
  });
});

describe('a working entry (docs/accounting.md#cash-for-entries)', () => {
  test('reserves what its order may still buy, not its original quantity', () => {
    const desk = new Desk({ buy_pct: 100, max_slippage_pct: 2 }, ALT);
    desk.quote(100, 100.5);
    desk.buy(5_000, 'maker');
    desk.quote(101, 101.5, 4_000);
    desk.wait(2_000);
    const order = desk.pair.entry?.order;
    const target = desk.pair.entry?.target ?? 0;
    expect(order?.quantity).toBeLessThan(target);
    const reserved = desk.session.state.bot.wallet.quote - availableQuote(desk.session.bot, null);
    expect(reserved).toBe(Math.ceil(((order?.price ?? 0) * (order?.quantity ?? 0)) / 10 ** ALT.assetDecimals));
  });
});
