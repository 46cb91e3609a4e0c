import { runBacktest } from '@heron/engine/backtest/backtest.ts';
import { fillsOf } from '@heron/engine/backtest/runRecord.ts';
import { candleColumns } from '@heron/engine/market/candle.ts';
import type { Market } from '@heron/engine/market/market.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { unusedOptions } from '@heron/engine/options/unusedOptions.ts';
import { strategyOf } from '@heron/engine/strategies/catalogue.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import { describe, expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { options } from '../harness.ts';

const SOL = MARKETS[2] as Market;
const MINUTE = 60_000;
const CANDLES = 600;

/** Other values of the options that are said to have no effect. */
const OTHERS: Partial<Record<keyof BotOptions, unknown>> = {
  sell_pct: 50,
  trailing_stop: [{ profit: 1, stop: 100 }],
  profit_callback_start: 0,
  profit_callback: [{ profit: 90, stop: 100 }],
  profit_win: [{ profit: 0.5, stop: 100 }],
  max_buy_loss_pct: 0,
  max_sell_loss_pct: 0,
};

/** Returns the fills of a backtest over a wave that falls slowly. */
function fillsIn(
  strategy: string,
  given: Parameters<typeof options>[0],
  chosen: Params = { mode: 'averaging', start: 'now' },
) {
  const candles = candleColumns(CANDLES);
  for (let i = 0; i < CANDLES; i++) {
    const price = (at: number) => Math.round((100 + 6 * Math.sin(at / 9) - at / 100) * 100) / 100;
    const [open, close] = [price(i), price(i + 1)];
    candles.time[i] = Date.UTC(2024, 0, 1) + i * MINUTE;
    candles.open[i] = open;
    candles.close[i] = close;
    candles.high[i] = Math.max(open, close) + 0.2;
    candles.low[i] = Math.min(open, close) - 0.2;
    candles.volume[i] = 1;
  }
  const { params } = strategyOf(strategy, strategy === 'dca' ? chosen : {});
  const checked = options({ strategy, period: '1m', watch_pairs: 'SOL-USDT', min_periods: 18, ...given });
  const { record } = runBacktest({ pairs: [{ market: SOL, candles, candleMs: MINUTE }], options: checked, params });
  return [...fillsOf(record)];
}

describe.each(['grid', 'dca'])('with the strategy %s', (strategy) => {
  const unused = unusedOptions(options({ strategy }), {});

  test('the options that are called unused change no fill', () => {
    const usual = fillsIn(strategy, {});
    expect(usual.length).toBeGreaterThan(3);
    for (const [name, value] of Object.entries(OTHERS)) {
      expect(unused, name).toContain(name);
      expect(fillsIn(strategy, { [name]: value }), name).toEqual(usual);
    }
  });

  test('other options do change fills', () => {
    expect(fillsIn(strategy, { buy_pct: 30 })).not.toEqual(fillsIn(strategy, {}));
    for (const name of ['buy_pct', 'stop_sell', 'max_slippage_pct', 'quarentine_time', 'period'])
      expect(unused).not.toContain(name);
  });
});

test('all exit tables act on periodic entries, and options about signals do not', () => {
  const periodic = { mode: 'periodic', every: 20 };
  const unused = unusedOptions(options({ strategy: 'dca' }), periodic);
  const usual = fillsIn('dca', {}, periodic);
  expect(usual.length).toBeGreaterThan(3);
  for (const [name, value] of Object.entries(OTHERS)) {
    const fills = fillsIn('dca', { [name]: value }, periodic);
    if (unused.has(name as keyof BotOptions)) expect(fills, name).toEqual(usual);
    else expect(fills, name).not.toEqual(usual);
  }
});

test('the activation of a trailing take-profit is unused without its rows', () => {
  expect(unusedOptions(options({}), {})).toEqual(new Set());
  expect(unusedOptions(options({ profit_callback: [] }), {})).toEqual(new Set(['profit_callback_start']));
});

test('a manual strategy uses no option about automatic entries', () => {
  const unused = unusedOptions(options({ strategy: 'manual' }), {});
  for (const name of ['buy_pct', 'quarentine_time', 'min_periods']) expect(unused).toContain(name);
  for (const name of ['stop_sell', 'profit_win', 'max_buy_size', 'order_type']) expect(unused).not.toContain(name);
});
