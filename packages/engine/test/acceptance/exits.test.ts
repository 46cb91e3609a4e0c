import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { describe, expect, test } from 'vitest';
import { altMarket } from '../arbitraries.ts';
import { Desk } from '../harness.ts';

/** Creates a bot with an entry at 102.01 whose strategy signals an exit at 99.97, 2 % lower; max_sell_loss_pct 1 blocks it. */
function refusedExit() {
  const desk = new Desk(
    {
      strategy: 'ema_cross',
      period: '5m',
      min_periods: 18,
      order_type: 'taker',
      max_sell_loss_pct: 1,
      avg_slippage_pct: 0,
    },
    altMarket(),
    { params: { fast: 2, slow: 3, band: 0 }, history: 100 },
  );
  for (const price of [102, 104, 106, 99.97]) desk.close(price);
  expect(desk.fills()).toHaveLength(1);
  expect(desk.pair.exitSignal).toEqual({ kind: 'held', whole: false });
  return desk;
}

describe('a strategy exit at −2 % with max_sell_loss_pct 1 is pending', () => {
  test('until the price is back at −1 %', () => {
    const desk = refusedExit();
    desk.close(100.8);
    expect(desk.pair.position).not.toBeNull();
    desk.close(101);
    expect(desk.fills().at(-1)?.data).toMatchObject({ side: 'sell', reason: 'signal', price: '101' });
    expect(desk.pair.position).toBeNull();
  });

  test('until stop_sell closes the position', () => {
    const desk = refusedExit();
    desk.quote(96.9);
    desk.wait(200);
    expect(desk.fills().at(-1)?.data).toMatchObject({ side: 'sell', reason: 'stop_sell' });
    expect([desk.pair.position, desk.pair.exitSignal]).toEqual([null, null]);
  });
});

test('a restart between peak and trailing stop price keeps the price', () => {
  const [undisturbed, restarted] = [false, true].map((restart) => {
    const desk = new Desk({ avg_slippage_pct: 0, max_slippage_pct: 0.1, profit_win: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(6_100);
    // The peak is +10 %, so the callback price is at +6 %.
    desk.quote(66_000);
    if (restart) {
      desk.session = restoreSession(saveSession(desk.session));
      desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: [] });
    }
    return [63_600.01, 63_600].map((bid) => {
      desk.quote(bid);
      desk.wait(200);
      return desk.fills().at(-1)?.data.reason;
    });
  });
  expect(undisturbed).toEqual(['manual', 'profit_callback']);
  expect(restarted).toEqual(undisturbed);
});

test('the guard closes a 25× isolated long at 60,000 when the mark reaches 58,265.06', () => {
  const desk = new Desk({
    exchange: 'binanceusdm',
    margin_mode: 'isolated',
    leverage: 25,
    avg_slippage_pct: 0,
    max_slippage_pct: 0.1,
  });
  desk.quote(59_999.99, 60_000);
  desk.buy(250);
  expect(desk.fills()[0]?.data.price).toBe('60000');
  desk.quote(58_265.07);
  desk.wait(200);
  expect(desk.fills()).toHaveLength(1);
  desk.quote(58_265.06);
  desk.wait(200);
  expect(desk.fills().at(-1)?.data).toMatchObject({ side: 'sell', reason: 'liquidation_guard', liquidity: 'taker' });
  expect(desk.pair.position).toBeNull();
});
