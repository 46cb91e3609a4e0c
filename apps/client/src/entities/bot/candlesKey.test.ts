import { hashKey } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { candlesKey } from './candlesKey.ts';

test('another strategy, parameter or period of a bot changes the key of its candles', () => {
  const bot = { id: 'abc123', period: '1m', strategy: { id: 'macd', params: { fast: 12, slow: 26 } } };
  const isSame = (changed: object) =>
    hashKey(candlesKey({ ...bot, ...changed }, 'BTC-USDT')) === hashKey(candlesKey(bot, 'BTC-USDT'));
  expect(isSame({ strategy: { params: { slow: 26, fast: 12 }, id: 'macd' } })).toBe(true);
  expect(isSame({ period: '5m' })).toBe(false);
  expect(isSame({ strategy: { id: 'ema_cross', params: {} } })).toBe(false);
  expect(isSame({ strategy: { id: 'macd', params: { fast: 9, slow: 26 } } })).toBe(false);
});
