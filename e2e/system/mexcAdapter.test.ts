import { toUnits } from '@heron/engine/money/units.ts';
import type { Channel } from '@heron/exchanges/exchange.ts';
import { openMexc } from '@heron/exchanges/mexc/public.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { startSandbox } from '@heron/sandbox/sandbox.ts';
import { expect, test } from 'vitest';
import { testPublicAdapter } from './adapterTests.ts';
import { until } from './botHost.ts';

const adapter = testPublicAdapter({
  name: 'mexc',
  open: (at) => openMexc({ net: openGivenNet('mexc', at, { now: Date.now }), now: Date.now }),
  beyondPage: 1700,
  noPeriod: '3m',
});

test('pairs, grids and tickers arrive in exact units', async () => {
  const exchange = adapter.exchange();
  const markets = await exchange.markets();
  const btc = markets.find(({ pair }) => pair === 'BTC-USDT');
  expect(btc).toMatchObject({
    base: 'BTC',
    quote: 'USDT',
    tick: toUnits(0.01),
    step: toUnits(0.000001, btc?.assetDecimals),
    minNotional: toUnits(1),
  });
  expect(markets).toHaveLength(10);
  const tickers = await exchange.tickers(['BTC-USDT', 'ETH-USDT']);
  expect(tickers.map(({ pair }) => pair).sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
  for (const { bid, ask, last, bidSize } of tickers) {
    expect([bid, ask, last, bidSize].every(Number.isSafeInteger)).toBe(true);
    expect(bid as number).toBeLessThan(ask as number);
  }
  expect(await exchange.tickers()).toHaveLength(10);
  await expect(exchange.tickers(['NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
});

test('all channels are received when one connection has too few slots', async () => {
  const exchange = adapter.exchange();
  const quoted = new Set<string>();
  const formed = new Set<string>();
  const stream = exchange.stream((event) => {
    if (event.type === 'quote') quoted.add(event.pair);
    if (event.type === 'candle') formed.add(`${event.pair} ${event.period}`);
  });
  try {
    const pairs = (await exchange.markets()).map(({ pair }) => pair);
    const channels = pairs.flatMap((pair): Channel[] => [
      { kind: 'quotes', pair },
      { kind: 'trades', pair },
      ...(['1m', '5m', '1h'] as const).map((period): Channel => ({ kind: 'candles', pair, period })),
    ]);
    stream.watch(channels);
    await until(() => quoted.size === 10 && formed.size === 30, 'every pair', 30_000);
  } finally {
    await stream.close();
  }
});

test('trades that arrive twice are reported once, and none is left out', async () => {
  const faulty = await startSandbox({ port: 0, seed: 11, faults: true });
  const adapter = await openMexc({ net: openGivenNet('mexc', faulty.mexc, { now: Date.now }), now: Date.now });
  const trades: string[] = [];
  const stream = adapter.stream((event) => {
    if (event.type === 'trade') trades.push(`${event.price} ${event.quantity}`);
  });
  try {
    await fetch(`${faulty.mexc.rest}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'duplicate', match: 'EVENT spot@public.aggre.deals*' }),
    });
    await adapter.markets();
    stream.watch([{ kind: 'trades', pair: 'BTC-USDT' }]);
    await until(() => trades.length > 30, 'trades');
    const listed = await fetch(`${faulty.mexc.rest}/api/v3/trades?symbol=BTCUSDT&limit=1000`);
    const rows = (await listed.json()) as { price: string; qty: string }[];
    const market = (await adapter.markets()).find(({ pair }) => pair === 'BTC-USDT');
    const known = rows
      .reverse()
      .map(({ price, qty }) => `${toUnits(Number(price))} ${toUnits(Number(qty), market?.assetDecimals)}`);
    const received = trades.slice(0, 30).join();
    expect(known.some((_, from) => known.slice(from, from + 30).join() === received)).toBe(true);
  } finally {
    await stream.close();
    await adapter.close();
    await faulty.close();
  }
});
