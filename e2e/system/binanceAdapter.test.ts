import { toUnits } from '@heron/engine/money/units.ts';
import { openBinance } from '@heron/exchanges/binance/public.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { expect, test } from 'vitest';
import { testPublicAdapter } from './adapterTests.ts';

const adapter = testPublicAdapter({
  name: 'binance',
  open: (at) => openBinance({ net: openGivenNet('binance', at, { now: Date.now }), now: Date.now }),
  beyondPage: 2500,
  noPeriod: '2m',
});

test('pairs, grids and tickers arrive in exact units', async () => {
  const exchange = adapter.exchange();
  const markets = await exchange.markets();
  const btc = markets.find(({ pair }) => pair === 'BTC-USDT');
  expect(btc).toMatchObject({
    base: 'BTC',
    quote: 'USDT',
    tick: toUnits(0.01),
    step: toUnits(0.00001, btc?.assetDecimals),
  });
  expect(markets.length).toBeGreaterThanOrEqual(10);
  const tickers = await exchange.tickers(['BTC-USDT', 'ETH-USDT']);
  expect(tickers.map(({ pair }) => pair).sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
  for (const { bid, ask, last } of tickers) {
    expect(Number.isSafeInteger(bid) && Number.isSafeInteger(ask) && Number.isSafeInteger(last)).toBe(true);
    expect(bid as number).toBeLessThan(ask as number);
  }
  await expect(exchange.tickers(['NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
});
