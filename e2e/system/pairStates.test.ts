import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { openBinanceUsdm } from '@heron/exchanges/binanceUsdm/public.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PAIR } from './tradingTestbed.ts';
import { BINANCE, BINANCEUSDM } from './venues.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, seed: 51, faults: true });
});

afterAll(() => sandbox.close());

const faults = (rest: string, init: RequestInit) =>
  fetch(`${rest}/faults`, { headers: { 'content-type': 'application/json' }, ...init });

const suspend = (rest: string, kind: string) =>
  faults(rest, { method: 'POST', body: JSON.stringify({ kind, match: 'BTCUSDT' }) });

afterEach(async () => {
  for (const { rest } of [sandbox.binance, sandbox.binanceusdm]) await faults(rest, { method: 'DELETE' });
});

test.each([
  { venue: BINANCE, kind: 'cancelOnly', state: 'CANCEL_ONLY', means: 'cancel_only' },
  { venue: BINANCE, kind: 'halt', state: 'HALT', means: 'halted' },
  { venue: BINANCE, kind: 'delist', state: 'BREAK', means: 'halted' },
  { venue: BINANCEUSDM, kind: 'delist', state: 'SETTLING', means: 'halted' },
] as const)(
  'a pair in the state $state is $means on $venue.name, and others are not',
  async ({ venue, kind, means }) => {
    const reading = await venue.openReading(sandbox);
    try {
      const pairs = (await reading.markets()).map(({ pair }) => pair);
      expect(pairs).toContain(PAIR);
      const { rest } = sandbox[venue.name as 'binance' | 'binanceusdm'];
      expect((await suspend(rest, kind)).status).toBe(201);
      expect(await reading.suspended?.([PAIR, 'ETH-USDT'])).toEqual(new Map([[PAIR, means]]));
    } finally {
      await reading.close();
    }
  },
);

test('while the venue only cancels, new orders are rejected and old ones cancelled', async () => {
  const reading = await BINANCE.openReading(sandbox);
  const trading = await BINANCE.openTrading(sandbox, reading);
  try {
    const market = (await reading.markets()).find(({ pair }) => pair === PAIR);
    const [ticker] = await reading.tickers([PAIR]);
    const tick = market?.tick ?? 1;
    const price = Math.round(((ticker?.last ?? 0) * 0.95) / tick) * tick;
    const ticket = (clientOrderId: string): SizedOrderRequest => ({
      ...{ clientOrderId, pair: PAIR, side: 'buy', type: 'limit_maker', price, quantity: 200 * (market?.step ?? 0) },
      ...{ assetDecimals: market?.assetDecimals ?? 0, exit: false, decidedAt: Date.now() },
    });
    await trading.place(ticket('rests-1-1'));
    await suspend(sandbox.binance.rest, 'cancelOnly');
    await expect(trading.place(ticket('comes-1-1'))).rejects.toMatchObject({ kind: 'refused' });
    expect(await trading.cancel(PAIR, 'rests-1-1')).toMatchObject({ status: 'canceled' });
  } finally {
    await trading.close();
    await reading.close();
  }
});

test('the state of a USD-M contract is at most a minute old', async () => {
  const { rest, ws } = sandbox.binanceusdm;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const reading = await openBinanceUsdm({ net: openGivenNet('binanceusdm', { rest, ws }, { now }), now });
  try {
    expect(await reading.suspended?.([PAIR])).toEqual(new Map());
    await suspend(rest, 'delist');
    ahead = 60_000;
    expect(await reading.suspended?.([PAIR])).toEqual(new Map([[PAIR, 'halted']]));
  } finally {
    await reading.close();
  }
});

test('a USD-M contract that is no longer listed is halted', async () => {
  const { rest, ws } = sandbox.binanceusdm;
  let listed = true;
  let ahead = 0;
  const front = createServer(async ({ url = '' }, answer) => {
    const asked = await fetch(`${rest}${url}`);
    const body = (await asked.json()) as { symbols?: { symbol: string }[] };
    const symbols = body.symbols?.filter(({ symbol }) => listed || symbol !== 'BTCUSDT');
    answer.writeHead(asked.status, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(symbols === undefined ? body : { ...body, symbols }));
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void front.close());
  const address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const now = () => Date.now() + ahead;
  const reading = await openBinanceUsdm({ net: openGivenNet('binanceusdm', { rest: address, ws }, { now }), now });
  try {
    expect(await reading.suspended?.([PAIR, 'ETH-USDT'])).toEqual(new Map());
    listed = false;
    ahead = 60_000;
    expect(await reading.suspended?.([PAIR, 'ETH-USDT'])).toEqual(new Map([[PAIR, 'halted']]));
  } finally {
    await reading.close();
  }
});
