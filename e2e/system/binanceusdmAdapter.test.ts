import { PERIODS } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { openBinanceUsdm } from '@heron/exchanges/binanceUsdm/public.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { expect, test } from 'vitest';
import { testPublicAdapter } from './adapterTests.ts';

const FUNDING_MS = 8 * PERIODS['1h'];
const adapter = testPublicAdapter({
  name: 'binanceusdm',
  open: (at) => openBinanceUsdm({ net: openGivenNet('binanceusdm', at, { now: Date.now }), now: Date.now }),
  beyondPage: 2200,
  noPeriod: '2m',
});

test('contracts, grids and tickers arrive in exact units', async () => {
  const exchange = adapter.exchange();
  const markets = await exchange.markets();
  const btc = markets.find(({ pair }) => pair === 'BTC-USDT');
  expect(btc).toMatchObject({
    base: 'BTC',
    quote: 'USDT',
    tick: toUnits(0.1),
    step: toUnits(0.001, btc?.assetDecimals),
    minNotional: toUnits(100),
  });
  expect(markets).toHaveLength(10);
  const tickers = await exchange.tickers(['BTC-USDT', 'ETH-USDT']);
  expect(tickers.map(({ pair }) => pair).sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
  for (const { last } of tickers) expect(Number.isSafeInteger(last)).toBe(true);
  for (const { bid, ask } of tickers) expect(bid as number).toBeLessThan(ask as number);
  expect(await exchange.tickers()).toHaveLength(10);
  await expect(exchange.tickers(['NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
});

test('mark prices, funding rates and payments equal those of the venue', async () => {
  const exchange = adapter.exchange();
  const [terms, ...others] = await exchange.funding(['BTC-USDT']);
  expect(others).toEqual([]);
  expect(terms?.nextAt).toBe(Math.ceil(exchange.time() / FUNDING_MS) * FUNDING_MS);
  expect(Math.abs((terms?.mark as number) / (terms?.index as number) - 1)).toBeLessThan(0.005);
  expect(Math.abs(terms?.rate as number)).toBeLessThanOrEqual(0.003);
  expect(await exchange.funding()).toHaveLength(10);
  const to = Math.floor(exchange.time() / FUNDING_MS) * FUNDING_MS;
  const paid = await exchange.fundingHistory('BTC-USDT', to - 30 * FUNDING_MS, to);
  expect(paid.map(({ time }) => time)).toEqual(Array.from({ length: 30 }, (_, i) => to - (30 - i) * FUNDING_MS));
  for (const { mark, rate } of paid) {
    expect(Number.isSafeInteger(mark) && mark > 0).toBe(true);
    expect(Math.abs(rate)).toBeLessThanOrEqual(0.003);
  }
});
