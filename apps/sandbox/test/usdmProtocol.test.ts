import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { virtualClock } from '../src/clock.ts';
import { ROUTES } from '../src/protocols/binanceusdm/routes.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { signedClient } from './signedClient.ts';

const START = Date.UTC(2026, 4, 3, 8, 15, 20);
const MINUTE = 60_000;
const played = virtualClock(START);
let jumped = 0;
/** A market clock that can also jump over minutes, without playing them. */
const clock = {
  now: () => played.now() + jumped,
  every: played.every,
  advance: played.advance,
  jump(ms: number): void {
    jumped += ms;
    played.advance(1000);
  },
};
let sandbox: Sandbox;
let client: ReturnType<typeof signedClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, port: 0, clock });
  client = signedClient(sandbox.binanceusdm, clock.now);
});

afterAll(() => sandbox.close());

type Row = { [name: string]: unknown };

/** A socket that records what it receives. */
async function listen(
  path: string,
): Promise<{ received: Row[]; next(matches: (event: Row) => boolean): Promise<Row>; close(): void }> {
  const socket = new WebSocket(sandbox.binanceusdm.wsBase + path);
  const received: Row[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    received.push(JSON.parse(String(data)) as Row);
    for (const look of waiting) look();
  });
  await once(socket, 'open');
  return {
    received,
    next: (matches) =>
      new Promise((resolve) => {
        const look = () => {
          const found = received.find(matches);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => socket.terminate(),
  };
}

async function listenKey(): Promise<string> {
  const { body } = await client.signed('POST', '/fapi/v1/listenKey');
  return (body as { listenKey: string }).listenKey;
}

describe('authentication', () => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };

  test.each([
    ['a time too far behind', { timestamp: START - 70_000 }, 400, -1021],
    ['a time ahead', { timestamp: START + 5_000 }, 400, -1021],
    ['a window that is too wide', { recvWindow: 70_000 }, 400, -1131],
  ])('%s', async (_name, over, status, code) => {
    const answer = await client.signed('POST', '/fapi/v1/order', { ...order, ...over });
    expect([answer.status, (answer.body as Row).code]).toEqual([status, code]);
  });

  test('keys and signatures are checked', async () => {
    const { rest, key } = sandbox.binanceusdm;
    const code = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(rest + path, { headers });
      return [response.status, ((await response.json()) as Row).code];
    };
    const signed = `/fapi/v3/account?timestamp=${clock.now()}&signature=${'0'.repeat(64)}`;
    expect(await code(signed)).toEqual([401, -2014]);
    expect(await code(signed, { 'X-MBX-APIKEY': 'a'.repeat(64) })).toEqual([401, -2015]);
    expect(await code(signed, { 'X-MBX-APIKEY': key })).toEqual([400, -1022]);
    expect(await code(`/fapi/v3/account?timestamp=${clock.now()}`, { 'X-MBX-APIKEY': key })).toEqual([400, -1102]);
    expect(await code('/fapi/v9/nothing')).toEqual([404, -5000]);
  });

  test('parameters in query, body or both are signed as they are sent', async () => {
    const { rest, key, secret } = sandbox.binanceusdm;
    const { createHmac } = await import('node:crypto');
    const query = 'symbol=BTCUSDT&side=BUY';
    const body = `type=MARKET&quantity=0.01&timestamp=${clock.now()}`;
    const signature = createHmac('sha256', secret)
      .update(query + body)
      .digest('hex');
    const response = await fetch(`${rest}/fapi/v1/order/test?${query}`, {
      method: 'POST',
      headers: { 'X-MBX-APIKEY': key, 'content-type': 'application/x-www-form-urlencoded' },
      body: `${body}&signature=${signature}`,
    });
    expect([response.status, await response.json()]).toEqual([200, {}]);
  });
});

describe('the listen key', () => {
  test('a key stays the same until it is closed or expires, with an event', async () => {
    const first = await listenKey();
    expect(await listenKey()).toBe(first);
    const socket = await listen(`/ws/${first}`);
    clock.jump(50 * MINUTE);
    await client.signed('PUT', '/fapi/v1/listenKey');
    clock.jump(50 * MINUTE);
    expect(await listenKey()).toBe(first);
    clock.jump(61 * MINUTE);
    expect(await socket.next(({ e }) => e === 'listenKeyExpired')).toMatchObject({ listenKey: first });
    const { body } = await client.signed('PUT', '/fapi/v1/listenKey');
    expect(body).toEqual({ code: -1125, msg: 'This listenKey does not exist.' });
    expect(await listenKey()).not.toBe(first);
    await client.signed('DELETE', '/fapi/v1/listenKey');
    expect((await client.signed('PUT', '/fapi/v1/listenKey')).status).toBe(400);
    socket.close();
  });

  test('a key opens every stream address of Binance, and events come in order', async () => {
    const key = await listenKey();
    const addresses = [
      `/private/ws?listenKey=${key}`,
      `/private/ws/${key}`,
      `/ws/${key}`,
      `/private/stream?streams=${key}`,
    ];
    const sockets = await Promise.all(addresses.map(listen));
    await client.signed('POST', '/fapi/v1/leverage', { symbol: 'SOLUSDT', leverage: 7 });
    const order = { symbol: 'SOLUSDT', side: 'BUY', type: 'MARKET', quantity: '3' };
    await client.signed('POST', '/fapi/v1/order', order);
    await client.signed('POST', '/fapi/v1/order', { ...order, side: 'SELL', reduceOnly: 'true' });
    for (const [i, socket] of sockets.entries()) {
      const plain = (event: Row) => (i === 3 ? (event.data as Row) : event);
      await socket.next((event) => {
        const { e, o } = plain(event) as { e: string; o: Row };
        return e === 'ORDER_TRADE_UPDATE' && o.X === 'FILLED' && o.S === 'SELL';
      });
      const reported = socket.received.map((event) => {
        const { e, o, a } = plain(event) as { e: string; o?: Row; a?: Row };
        return o ? `${e} ${o.x} ${o.X}` : a ? `${e} ${a.m}` : e;
      });
      expect(reported[0]).toBe('ACCOUNT_CONFIG_UPDATE');
      expect(reported[1]).toBe('ORDER_TRADE_UPDATE NEW NEW');
      expect(reported[2]).toBe('ACCOUNT_UPDATE ORDER');
      expect(reported.at(-1)).toBe('ORDER_TRADE_UPDATE TRADE FILLED');
      socket.close();
    }
  });
});

describe('streams', () => {
  test('each address carries its own kind of streams, the legacy one all', async () => {
    const names = 'btcusdt@kline_1m/btcusdt@bookTicker';
    const [market, publicOne, all] = await Promise.all(
      ['/market', '/public', ''].map((address) => listen(`${address}/stream?streams=${names}`)),
    );
    for (let i = 0; i < 30; i++) clock.advance(100);
    await all?.next(({ stream }) => stream === 'btcusdt@bookTicker');
    await all?.next(({ stream }) => stream === 'btcusdt@kline_1m');
    await market?.next(({ stream }) => stream === 'btcusdt@kline_1m');
    await publicOne?.next(({ stream }) => stream === 'btcusdt@bookTicker');
    expect(new Set(market?.received.map(({ stream }) => stream))).toEqual(new Set(['btcusdt@kline_1m']));
    expect(new Set(publicOne?.received.map(({ stream }) => stream))).toEqual(new Set(['btcusdt@bookTicker']));
    for (const socket of [market, publicOne, all]) socket?.close();
  });

  test('a book kept by the documented steps equals the exchange', async () => {
    const socket = await listen('/public/ws/btcusdt@depth@100ms');
    clock.advance(500);
    const { body } = await client.public('/fapi/v1/depth', { symbol: 'BTCUSDT', limit: 1000 });
    const snapshot = body as { lastUpdateId: number; bids: string[][]; asks: string[][] };
    const sides = { b: new Map(snapshot.bids as [string, string][]), a: new Map(snapshot.asks as [string, string][]) };
    for (let i = 0; i < 40; i++) clock.advance(100);
    const { body: now } = await client.public('/fapi/v1/depth', { symbol: 'BTCUSDT', limit: 1000 });
    const end = now as typeof snapshot;
    await socket.next(({ u }) => (u as number) >= end.lastUpdateId);
    let last = snapshot.lastUpdateId;
    for (const event of socket.received as { U: number; u: number; pu: number; b: string[][]; a: string[][] }[]) {
      if (event.u < snapshot.lastUpdateId) continue;
      if (last !== snapshot.lastUpdateId) expect(event.pu).toBe(last);
      last = event.u;
      for (const side of ['b', 'a'] as const) applyLevels(sides[side], event[side]);
    }
    expect(last).toBe(end.lastUpdateId);
    const sorted = (rows: Iterable<string[]>) => [...rows].sort(([p = ''], [q = '']) => Number(p) - Number(q));
    expect(sorted(sides.b)).toEqual(sorted(end.bids));
    expect(sorted(sides.a)).toEqual(sorted(end.asks));
    socket.close();
  });
});

describe('limits', () => {
  test('weight is shown; above the limit a client gets 429, then 418', async () => {
    const own = await startSandbox({ seed: 7, port: 0, clock });
    const ownClient = signedClient(own.binanceusdm, clock.now);
    const all = () => ownClient.public('/fapi/v1/ticker/24hr');
    const first = await all();
    expect(first.headers.get('x-mbx-used-weight-1m')).toBe('40');
    let answer = first;
    for (let i = 0; i < 60 && answer.status === 200; i++) answer = await all();
    expect([answer.status, (answer.body as Row).code]).toEqual([429, -1003]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    for (let i = 0; i < 100 && answer.status === 429; i++) answer = await all();
    expect([answer.status, (answer.body as Row).code]).toEqual([418, -1003]);
    expect((answer.body as Row).msg).toMatch(/IP\(127\.0\.0\.1\) banned until \d{13}/);
    clock.jump(6 * MINUTE);
    expect((await all()).status).toBe(200);
    await own.close();
  });

  test('orders are counted, shown and limited', async () => {
    const own = await startSandbox({ seed: 7, port: 0, clock });
    const ownClient = signedClient(own.binanceusdm, clock.now);
    const order = { symbol: 'SOLUSDT', side: 'BUY', type: 'MARKET', quantity: '0' };
    const first = await ownClient.signed('POST', '/fapi/v1/order', order);
    expect([(first.body as Row).code, first.headers.get('x-mbx-order-count-10s')]).toEqual([-4003, '1']);
    let answer = first;
    for (let i = 0; i < 310 && answer.status === 400; i++)
      answer = await ownClient.signed('POST', '/fapi/v1/order', order);
    expect([answer.status, (answer.body as Row).code]).toEqual([429, -1015]);
    await own.close();
  });
});

describe('malformed requests', () => {
  const value = fc.oneof(
    fc.constantFrom(
      'BTCUSDT',
      'BUY',
      'SELL',
      'LIMIT',
      'MARKET',
      'STOP_MARKET',
      'CONDITIONAL',
      'LONG',
      'true',
      '',
      '-1',
    ),
    fc.constantFrom(
      '0',
      '0.01',
      '1e9',
      '99999999999999999999',
      '0.000000001',
      '5000000',
      'NaN',
      '[]',
      '{',
      '1m',
      'GTC',
    ),
    fc.string({ maxLength: 12 }),
  );
  const names = [
    'symbol',
    'side',
    'type',
    'quantity',
    'price',
    'timeInForce',
    'positionSide',
    'reduceOnly',
    'closePosition',
    'triggerPrice',
    'callbackRate',
    'activatePrice',
    'algoType',
    'algoId',
    'clientAlgoId',
    'orderId',
    'leverage',
    'origClientOrderId',
    'newClientOrderId',
    'marginType',
    'dualSidePosition',
    'amount',
    'batchOrders',
    'orderIdList',
    'startTime',
    'endTime',
    'fromId',
    'limit',
    'interval',
    'pair',
    'workingType',
    'goodTillDate',
    'incomeType',
    'page',
  ];
  const request = fc.record({
    route: fc.constantFrom(...ROUTES),
    parameters: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 9 }),
  });

  test('malformed requests get a 4xx with a Binance body, never a crash or a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ route, parameters }) => {
        // Each request has its own minute, so that rate limits do not hide the errors behind them.
        clock.jump(6 * MINUTE);
        const { status, body } = await client.signed(route.method, route.path, parameters);
        expect(status).toBeLessThan(500);
        if (status !== 200) expect(body).toMatchObject({ code: expect.any(Number), msg: expect.any(String) });
      }),
      { numRuns: 400 },
    );
    expect((await client.public('/fapi/v1/ping')).status).toBe(200);
  }, 120_000);
});

test('scripted faults affect futures as they do the others', async () => {
  const own = await startSandbox({ seed: 7, port: 0, clock, faults: true });
  const { rest } = own.binanceusdm;
  const ownClient = signedClient(own.binanceusdm, clock.now);
  const fault = (body: Row) =>
    fetch(`${rest}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  try {
    await fault({ kind: 'drop', at: 'after', match: 'POST /fapi/v1/order', count: 1 });
    const order = { symbol: 'SOLUSDT', side: 'BUY', type: 'MARKET', quantity: '3', newClientOrderId: 'lost-answer' };
    await expect(ownClient.signed('POST', '/fapi/v1/order', order)).rejects.toThrow();
    const context = { symbol: 'SOLUSDT', origClientOrderId: 'lost-answer' };
    expect((await ownClient.signed('GET', '/fapi/v1/order', context)).body).toMatchObject({ status: 'FILLED' });
    await fault({ kind: 'skew', skewMs: 90_000, count: 2 });
    const late = await ownClient.signed('GET', '/fapi/v3/account', { timestamp: clock.now() });
    expect((late.body as Row).code).toBe(-1021);
    await fetch(`${rest}/faults`, { method: 'DELETE' });
    await fault({ kind: 'halt', match: 'SOLUSDT' });
    const rejected = await ownClient.signed('POST', '/fapi/v1/order', { ...order, newClientOrderId: 'while-halted' });
    expect(rejected.body).toEqual({ code: -4141, msg: 'Symbol is closed.' });
  } finally {
    await own.close();
  }
});

/** Applies changed levels to one side of a book. A level without quantity is removed. */
function applyLevels(side: Map<string, string>, levels: Iterable<readonly string[]>): void {
  for (const [price = '', quantity = ''] of levels) {
    if (Number(quantity) === 0) side.delete(price);
    else side.set(price, quantity);
  }
}
