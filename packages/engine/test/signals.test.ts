import { marketOf } from '@heron/engine/market/market.ts';
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

/** Creates a bot whose averages are flat at 100 and cross at the next move. */
function desk(given: ConstructorParameters<typeof Desk>[0] = {}) {
  return new Desk(
    { strategy: 'ema_cross', period: '5m', min_periods: 18, order_type: 'taker', avg_slippage_pct: 0, ...given },
    ALT,
    { params: { fast: 2, slow: 3, band: 0 }, history: 100 },
  );
}
const kinds = (notes: { kind: string; data: Record<string, unknown> }[], kind: string) =>
  notes.filter((note) => note.kind === kind).map(({ data }) => data);
const gates = (trader: Desk) => kinds(trader.notes, 'refusal').map(({ gate }) => gate);

describe('signals', () => {
  test('buy when flat, ignore while long, sell when long, ignore when flat', () => {
    const trader = desk();
    trader.close(102);
    expect(trader.pair.phase).toBe('bought');
    trader.close(103);
    trader.close(101);
    expect(trader.pair.phase).toBe('sold');
    trader.close(90);
    expect(trader.fills().map(({ data }) => [data.side, data.reason])).toEqual([
      ['buy', 'signal'],
      ['sell', 'signal'],
    ]);
  });

  test('3.1: drops the entry of a candle that arrives too late, and obeys a late exit', () => {
    const late = desk();
    late.close(102, 61_000);
    expect(late.fills()).toEqual([]);
    expect(gates(late)).toEqual(['late_signal']);
    const held = desk({ max_sell_loss_pct: 0 });
    held.close(102);
    held.close(99, 120_000);
    expect(held.fills().map(({ data }) => data.side)).toEqual(['buy', 'sell']);
  });

  test('3.1: a signal of a missed candle after a restart sells late and never buys', () => {
    const trader = desk({ max_sell_loss_pct: 0 });
    trader.close(102);
    const missed = [102, 99, 98].map((price, i) => ({
      time: trader.candleTime + i * 300_000,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 1,
    }));
    trader.now += 1_000_000;
    trader.feed({ type: 'history', at: trader.now, market: ALT, candles: missed });
    trader.quote(98);
    trader.wait(3_000);
    expect(trader.fills().map(({ data }) => data.side)).toEqual(['buy', 'sell']);
  });
});

describe('gates in order', () => {
  test('warming_up before the warm-up is over', () => {
    const trader = desk({ min_periods: 300 });
    trader.close(102);
    expect(gates(trader)).toEqual(['warming_up']);
    expect(trader.pair.lastRefusal?.inputs).toEqual({ held: 201, needed: 300 });
  });

  test('disabled with buy_pct 0, while manual orders still work', () => {
    const trader = desk({ buy_pct: 0 });
    trader.close(102);
    expect(gates(trader)).toEqual(['disabled']);
    trader.buy(1_000);
    expect(trader.fills()).toHaveLength(1);
  });

  test('quarantine after a loss, for its minutes and on that pair', () => {
    const trader = desk({ quarentine_time: 60, max_buy_loss_pct: 0, max_sell_loss_pct: 0 });
    trader.close(102);
    trader.close(99);
    expect(kinds(trader.notes, 'position_closed')).toHaveLength(1);
    trader.close(103);
    expect(gates(trader)).toEqual(['quarantine']);
    trader.close(99);
    for (let i = 0; i < 12; i++) trader.close(99);
    trader.close(103);
    expect(trader.fills().map(({ data }) => data.side)).toEqual(['buy', 'sell', 'buy']);
  });

  test('buy_loss: no re-entry 1 % above the last exit within min_periods candles', () => {
    const trader = desk({ min_periods: 18, max_sell_loss_pct: 0 });
    trader.close(102);
    trader.close(100);
    trader.close(102);
    expect(gates(trader)).toEqual(['buy_loss']);
    expect(trader.pair.lastRefusal?.inputs).toMatchObject({ lastExit: '100', limit: '101' });
    for (let i = 0; i < 20; i++) trader.close(99);
    trader.close(102);
    expect(trader.fills().map(({ data }) => data.side)).toEqual(['buy', 'sell', 'buy']);
  });

  test("insufficient_balance below min_buy_size; below_minimum below the exchange's", () => {
    const poor = desk({ currency_capital: 5 });
    poor.close(102);
    expect(gates(poor)).toEqual(['insufficient_balance']);
    const small = desk({ currency_capital: 20, min_buy_size: 0 });
    small.close(102);
    expect(gates(small)).toEqual(['below_minimum']);
  });

  test('slippage: a taker entry into a wide book', () => {
    const trader = desk({ max_slippage_pct: 0.1 });
    trader.close(100);
    const candle = { time: trader.candleTime, open: 102, high: 102, low: 102, close: 102, volume: 1 };
    trader.wait(299_000);
    trader.quote(101.5, 102.5);
    trader.feed({ type: 'candle', at: trader.now, pair: 'ALT-USDT', candle });
    expect(gates(trader)).toEqual(['slippage']);
  });
});

describe('guards of strategy exits', () => {
  test('below −2 % with max_sell_loss 2 the exit waits and goes when the price is back', () => {
    const trader = desk({ stop_sell: [], max_sell_loss_pct: 2 });
    trader.close(102);
    trader.close(99.5);
    expect(gates(trader)).toEqual(['sell_loss']);
    expect(trader.pair.exitSignal?.kind).toBe('held');
    trader.close(99.5);
    expect(trader.pair.position).not.toBeNull();
    trader.close(99.98);
    expect(trader.pair.position).toBeNull();
  });

  test('sell_pct 50 sells half, and half of the rest at the next exit signal', () => {
    const trader = desk({ sell_pct: 50, max_sell_loss_pct: 0, stop_sell: [] });
    trader.close(102);
    const held = trader.pair.holding.quantity;
    trader.close(100);
    expect(trader.pair.phase).toBe('partSell');
    trader.close(104);
    trader.close(100);
    expect(trader.pair.holding.quantity / held).toBeCloseTo(0.25, 2);
  });
});

describe('run_for', () => {
  test('stops entries at the hour, lets the exit come, then is finished', () => {
    const trader = desk({ run_for: 1, max_sell_loss_pct: 0 });
    trader.close(102);
    for (let i = 0; i < 12; i++) trader.close(102.5);
    expect(trader.session.state.bot.status).toBe('stopping');
    expect(trader.pair.position).not.toBeNull();
    trader.close(100);
    expect(trader.session.state.bot.status).toBe('finished');
    trader.close(110);
    expect(trader.fills().map(({ data }) => data.side)).toEqual(['buy', 'sell']);
  });
});
