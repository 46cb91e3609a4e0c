import { once } from 'node:events';
import type { StreamEvent } from '@heron/exchanges/exchange.ts';
import type { AccountEvent } from '@heron/exchanges/trading.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';
import { PAIR } from './tradingTestbed.ts';
import { BINANCE } from './venues.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, seed: 31, faults: true });
});

afterAll(() => sandbox.close());

/** Announces a shutdown of the server behind a socket path, and waits until its sockets are closed. */
async function shutServerDown(socketPath: string, noticeMs: number): Promise<unknown> {
  const socket = new WebSocket(`${sandbox.binance.rest.replace('http', 'ws')}${socketPath}`);
  await once(socket, 'open');
  const notice = once(socket, 'message');
  const closed = once(socket, 'close');
  const { status } = await fetch(`${sandbox.binance.rest}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'shutdown', noticeMs, match: `CONNECT ${socketPath}*` }),
  });
  expect(status).toBe(201);
  const [{ data }] = (await notice) as [MessageEvent];
  const [{ code }] = (await closed) as [CloseEvent];
  expect(code).toBe(1001);
  return JSON.parse(String(data));
}

test('market data move to a new connection before a shutdown without loss or repeat', async () => {
  const exchange = await BINANCE.openReading(sandbox);
  const events: StreamEvent[] = [];
  const stream = exchange.stream((event) => events.push(event));
  const count = (wanted: StreamEvent['type']) => events.filter(({ type }) => type === wanted).length;
  try {
    stream.watch([
      { kind: 'trades', pair: PAIR },
      { kind: 'quotes', pair: PAIR },
      { kind: 'candles', pair: PAIR, period: '1m' },
    ]);
    await until(() => count('trade') >= 5 && count('candle') > 0, 'trades and candles');
    expect(await shutServerDown('/stream/ws/0', 3_000)).toEqual({ e: 'serverShutdown', E: expect.any(Number) });
    const before = { trade: count('trade'), quote: count('quote'), candle: count('candle') };
    await until(() => count('trade') >= before.trade + 10, 'trades after the server has gone');
    await until(() => count('quote') > before.quote && count('candle') > before.candle, 'quotes and candles');
    expect(count('lost')).toBe(0);
    expect(count('connected')).toBe(1);
    const streamed = events.flatMap((event) => (event.type === 'trade' ? [`${event.price} ${event.quantity}`] : []));
    const response = await fetch(`${sandbox.binance.rest}/api/v3/trades?symbol=BTCUSDT&limit=1000`);
    const rows = (await response.json()) as { price: string; qty: string }[];
    const all = rows.map(({ price, qty }) => `${Math.round(Number(price) * 1e8)} ${Math.round(Number(qty) * 1e8)}`);
    expect(all.join('\n')).toContain(streamed.join('\n'));
  } finally {
    await stream.close();
    await exchange.close();
  }
});

test('an account stream moves to a new connection before a shutdown without lost fills', async () => {
  const reading = await BINANCE.openReading(sandbox);
  const trading = await BINANCE.openTrading(sandbox, reading);
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  const connected = () => events.filter(({ type }) => type === 'connected').length;
  const market = (await reading.markets()).find(({ pair }) => pair === PAIR);
  let number = 0;
  const trade = async () => {
    number += 1;
    const clientOrderId = `shut-${number}-1`;
    const quantity = 100 * (market?.step ?? 0);
    await trading.place({
      ...{ clientOrderId, pair: PAIR, side: number % 2 === 1 ? 'buy' : 'sell', type: 'market', price: 0 },
      ...{ quantity, assetDecimals: market?.assetDecimals ?? 0, exit: false, decidedAt: Date.now() },
    });
    return clientOrderId;
  };
  try {
    await until(() => connected() === 1, 'the stream');
    let gone = false;
    const shutdown = shutServerDown('/ws-api/v3', 3_000).finally(() => {
      gone = true;
    });
    const placed: string[] = [];
    const filled = () => new Set(events.flatMap((event) => (event.type === 'fill' ? [event.fill.clientOrderId] : [])));
    // The number stays below the exchange's order limit of ten seconds.
    while (!gone && placed.length < 60) {
      const id = await trade();
      placed.push(id);
      await until(() => filled().has(id), 'the fill');
    }
    expect(await shutdown).toEqual({ event: { e: 'serverShutdown', E: expect.any(Number) } });
    const last = await trade();
    await until(() => filled().has(last), 'the last fill');
    expect(placed.length).toBeGreaterThan(3);
    expect(events.some(({ type }) => type === 'lost')).toBe(false);
    // The second `connected` event makes listeners query for missed events.
    expect(connected()).toBe(2);
  } finally {
    await stream.close();
    await trading.close();
    await reading.close();
  }
});
