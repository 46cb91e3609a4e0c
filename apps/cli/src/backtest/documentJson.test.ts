import { type BacktestInput, runBacktest } from '@heron/engine/backtest/backtest.ts';
import { candleColumns } from '@heron/engine/market/candle.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { backtestDocument } from '@heron/engine/report/document.ts';
import { documentRows } from '@heron/engine/report/documentRows.ts';
import { expect, test } from 'vitest';
import { documentJson } from './documentJson.ts';

const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

/** A run over a price that goes up and down, so that means cross all the time. */
function inputOf(length: number): BacktestInput {
  const candles = candleColumns(length);
  for (let i = 0; i < length; i++) {
    const [open, close] = [i - 1, i].map((at) => Math.round(10_000 + 500 * Math.sin(at / 3)) / 100) as [number, number];
    candles.time[i] = START + i * MINUTE;
    candles.open[i] = open;
    candles.high[i] = Math.max(open, close);
    candles.low[i] = Math.min(open, close);
    candles.close[i] = close;
    candles.volume[i] = 1;
  }
  const market = marketOf({
    pair: 'A-USDT',
    tickSize: 0.01,
    stepSize: 0.001,
    minQuantity: 0.001,
    maxQuantity: 1e6,
    minNotional: 5,
  });
  const given = { watch_pairs: 'A-USDT', product_currency: 'USDT', strategy: 'ema_cross', period: '1m' };
  const checked = validateOptions({
    ...given,
    max_buy_loss_pct: 0,
    max_sell_loss_pct: 0,
    min_periods: 18,
    order_type: 'taker',
    buy_pct: 1,
  });
  if (!checked.ok) throw new Error('the options of the test are wrong');
  const pairs = [{ market, candles, candleMs: MINUTE }];
  return { pairs, options: checked.options, params: { fast: 2, slow: 3, band: 0 } };
}

test('the document in parts equals the whole, with many fills and with none', () => {
  for (const [length, many] of [
    [4_000, true],
    [5, false],
  ] as const) {
    const input = inputOf(length);
    const result = runBacktest(input);
    const document = backtestDocument(result, input, { venue: 'Binance spot', money: 'simulated money' });
    expect(document.fills.length > 300).toBe(many);
    const parts = [...documentJson(document, documentRows(result, input))];
    expect(parts.join('')).toBe(`${JSON.stringify(document)}\n`);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(0x11000);
  }
});
