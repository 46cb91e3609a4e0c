import { VENUES } from '@heron/engine/options/venues.ts';
import { expect, test } from 'vitest';
import { backtestMoney } from './backtestMoney.ts';

test('a backtest names simulated prices on a demo market, real ones on a real market', () => {
  for (const { id, environment } of VENUES) {
    const { zh, en } = backtestMoney(id, 'venue');
    expect(en.includes('invented prices of the demo market'), id).toBe(environment === 'demo');
    expect(zh.includes('虚构行情'), id).toBe(environment === 'demo');
    expect(en.includes('real prices'), id).toBe(environment === 'real');
    expect(zh.includes('真实行情'), id).toBe(environment === 'real');
    expect([en.includes('simulated money'), zh.includes('模拟资金')]).toEqual([true, true]);
  }
});

test('candle files are not described as real prices', () => {
  expect(backtestMoney('binance', 'files').en).toBe('backtest, prices of the candle files, simulated money');
  expect(backtestMoney('mexc-demo', 'files')).toEqual(backtestMoney('mexc-demo', 'venue'));
});
