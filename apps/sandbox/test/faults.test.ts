import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { virtualClock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { exact, type StatementTrade, signedClient, sumOfTrades } from './signedClient.ts';

const clock = virtualClock(Date.UTC(2026, 5, 1, 10, 0, 1));
let sandbox: Sandbox;
let client: ReturnType<typeof signedClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 21, port: 0, clock, faults: true });
  client = signedClient(sandbox.binance, clock.now);
});

afterAll(() => sandbox.close());
afterEach(() => control('DELETE'));

async function control(method: string, body?: unknown, id = ''): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${sandbox.binance.rest}/faults${id}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: await response.json() };
}

const ORDER = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '60000' };
const place = (clientId: string) =>
  client.signed('POST', '/api/v3/order', { ...ORDER, newClientOrderId: clientId }).catch((error: Error) => error);
const exists = async (clientId: string) =>
  (await client.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: clientId })).status === 200;

/** A connection whose frames are kept in order. */
async function listen(url: string) {
  const socket = new WebSocket(url);
  const frames: { [name: string]: unknown }[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const wake of waiting.splice(0)) wake();
  });
  await once(socket, 'open');
  return {
    socket,
    frames,
    async until(condition: (frame: { [name: string]: unknown }) => boolean): Promise<void> {
      while (!frames.some(condition)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Waits until all earlier events have arrived. */
    async settle(): Promise<void> {
      socket.send(JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: 99 }));
      await this.until((frame) => frame.id === 99);
    },
  };
}
const streamUrl = (names: string) => `${sandbox.binance.rest.replace('http', 'ws')}/ws/${names}`;
const isTrade = (frame: { [name: string]: unknown }) => frame.e === 'trade';

describe('the fault control', () => {
  test('the control exists only when it is enabled', async () => {
    const plain = await startSandbox({ seed: 1, port: 0, clock });
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await fetch(`${plain.binance.rest}/faults`, { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: -5000 });
    }
    await plain.close();
  });

  test('the control adds, lists, counts and clears faults', async () => {
    const { status, body } = await control('POST', {
      kind: 'answer',
      status: 503,
      match: 'GET /api/v3/ping',
      count: 2,
    });
    expect(status).toBe(201);
    const { id } = body as { id: number };
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await client.public('/api/v3/ping')).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
    expect((await control('GET')).body).toEqual([
      {
        id,
        kind: 'answer',
        at: 'before',
        status: 503,
        code: -1000,
        msg: 'A scripted fault',
        match: 'GET /api/v3/ping',
        count: 2,
        skip: 0,
        probability: 1,
        seed: 1,
        seen: 2,
        struck: 2,
        active: false,
      },
    ]);
    expect((await control('DELETE', undefined, `/${id}`)).status).toBe(200);
    expect((await control('DELETE', undefined, `/${id}`)).status).toBe(404);
    expect((await control('GET')).body).toEqual([]);
  });

  test.each([
    ['no kind', {}],
    ['an unknown kind', { kind: 'flood' }],
    ['a strange name', { kind: 'lose', howOften: 3 }],
    ['a wrong status', { kind: 'answer', status: 200 }],
    ['a chance above 1', { kind: 'lose', probability: 2 }],
    ['a part that is all', { kind: 'partial', part: 1 }],
    ['half a count', { kind: 'lose', count: 1.5 }],
    ['no object', [1]],
  ])('the control rejects %s', async (_name, fault) => {
    const { status, body } = await control('POST', fault);
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.any(String) });
  });

  test('the control rejects everything that is no fault', async () => {
    const names = ['at', 'count', 'skip', 'forMs', 'probability', 'seed', 'match', 'delayMs', 'status', 'by', 'skewMs'];
    const anything = fc.oneof(fc.anything(), fc.constantFrom('before', 1, 0.5, 429, '*'));
    const kinds = ['delay', 'answer', 'reorder', 'skew', 'partial', 'lose', 'halt'];
    const fault = fc.oneof(
      fc.anything(),
      fc
        .tuple(fc.constantFrom(...kinds), fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 3 }))
        .map(([kind, own]) => ({ kind, ...own })),
    );
    await fc.assert(
      fc.asyncProperty(fault, async (sent) => {
        const json = JSON.stringify(sent, (_name, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
        const headers = { 'content-type': 'application/json' };
        const { status } = await fetch(`${sandbox.binance.rest}/faults`, { method: 'POST', body: json, headers });
        expect([201, 400]).toContain(status);
        expect((await control('DELETE')).status).toBe(200);
      }),
      { numRuns: 200 },
    );
  });

  test('the control rejects requests that a web page could send', async () => {
    const response = await fetch(`${sandbox.binance.rest}/faults`, { method: 'POST', body: '{"kind":"lose"}' });
    expect(response.status).toBe(415);
    expect((await control('GET')).body).toEqual([]);
  });

  test('seeded chances repeat, skips pass over the first, and faults end in time', async () => {
    const rounds: number[][] = [];
    for (let round = 0; round < 2; round++) {
      await control('POST', { kind: 'answer', status: 500, match: '*ping', probability: 0.4, seed: 12 });
      const struck: number[] = [];
      for (let i = 0; i < 40; i++) if ((await client.public('/api/v3/ping')).status === 500) struck.push(i);
      rounds.push(struck);
      await control('DELETE');
    }
    expect(rounds[1]).toEqual(rounds[0]);
    expect(rounds[0]?.length).toBeGreaterThan(8);
    expect(rounds[0]?.length).toBeLessThan(32);
    await control('POST', { kind: 'answer', status: 500, match: '*ping', skip: 2, forMs: 10_000 });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await client.public('/api/v3/ping')).status);
    clock.advance(10_000);
    statuses.push((await client.public('/api/v3/ping')).status);
    expect(statuses).toEqual([200, 200, 500, 500, 200]);
  });
});

describe('faults of requests', () => {
  test.each([
    ['before', false],
    ['after', true],
  ])('a request dropped %s the exchange acts leaves an order: %s', async (at, left) => {
    await control('POST', { kind: 'drop', at, match: 'POST /api/v3/order', count: 1 });
    expect(await place(`drop-${at}`)).toBeInstanceOf(Error);
    expect(await exists(`drop-${at}`)).toBe(left);
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('a scripted response %s the exchange acts leaves an order: %s', async (at, left) => {
    const words = 'Timeout waiting for response from backend server. Send status unknown; execution status unknown.';
    await control('POST', { kind: 'answer', at, status: 503, code: -1007, msg: words, match: 'POST /api/v3/order' });
    expect(await place(`odd-${at}`)).toMatchObject({ status: 503, body: { code: -1007, msg: words } });
    await control('DELETE');
    expect(await exists(`odd-${at}`)).toBe(left);
  });

  test('a scripted 429 shows when to try again', async () => {
    await control('POST', { kind: 'answer', status: 418, code: -1003, msg: 'Way too much', retryAfter: 7, count: 1 });
    const { status, headers } = await client.public('/api/v3/time');
    expect([status, headers.get('retry-after')]).toEqual([418, '7']);
  });

  test('a hanging request gets no response, whether the exchange acted or not', async () => {
    for (const at of ['before', 'after']) {
      await control('POST', { kind: 'hang', at, match: 'POST /api/v3/order', count: 1 });
      let acknowledged = false;
      const pending = place(`hang-${at}`).then(() => {
        acknowledged = true;
      });
      // Later requests get their responses meanwhile.
      while (((await control('GET')).body as { struck: number }[])[0]?.struck !== 1)
        await client.public('/api/v3/ping');
      expect(await exists(`hang-${at}`)).toBe(at === 'after');
      expect(acknowledged).toBe(false);
      void pending;
      await control('DELETE');
    }
  });

  test('a delayed request arrives late, and later ones overtake it', async () => {
    await control('POST', { kind: 'delay', delayMs: 1_000, match: 'POST /api/v3/order', count: 1 });
    const order: string[] = [];
    const late = place('late').then(() => order.push('late'));
    const soon = client.public('/api/v3/ping').then(() => order.push('soon'));
    await Promise.all([late, soon]);
    expect(order).toEqual(['soon', 'late']);
    expect(await exists('late')).toBe(true);
  });

  test('requests over the WebSocket API have the same faults', async () => {
    const api = await listen(sandbox.binance.wsApi);
    await control('POST', { kind: 'answer', status: 503, code: -1007, msg: 'unknown', match: 'WS time', count: 1 });
    await control('POST', { kind: 'hang', match: 'WS ping', count: 1 });
    for (const [id, method] of ['time', 'ping', 'time', 'ping'].entries())
      api.socket.send(JSON.stringify({ id, method }));
    await api.until((frame) => frame.id === 3);
    expect(api.frames.map(({ id, status }) => [id, status])).toEqual([
      [0, 503],
      [2, 200],
      [3, 200],
    ]);
    await control('POST', { kind: 'answer', status: 418, code: -1003, retryAfter: 120, match: 'WS ping', count: 1 });
    api.socket.send(JSON.stringify({ id: 8, method: 'ping' }));
    await api.until((frame) => frame.id === 8);
    const now = clock.now();
    expect(api.frames.at(-1)).toMatchObject({ error: { data: { serverTime: now, retryAfter: now + 120_000 } } });
    await control('POST', { kind: 'drop', match: 'WS ping' });
    api.socket.send(JSON.stringify({ id: 9, method: 'ping' }));
    await once(api.socket, 'close');
  });
});

describe('events of the account', () => {
  /** Subscribes to the account over the WebSocket API. */
  async function subscribeAccount() {
    const api = await listen(sandbox.binance.wsApi);
    const params = { apiKey: sandbox.binance.key, timestamp: clock.now() };
    const payload = `apiKey=${params.apiKey}&timestamp=${params.timestamp}`;
    const signature = createHmac('sha256', sandbox.binance.secret).update(payload).digest('hex');
    const method = 'userDataStream.subscribe.signature';
    api.socket.send(JSON.stringify({ id: 1, method, params: { ...params, signature } }));
    await api.until((frame) => frame.id === 1);
    return {
      socket: api.socket,
      /** Returns the events in order, after all earlier ones have arrived. */
      async events(): Promise<{ [name: string]: unknown }[]> {
        api.socket.send(JSON.stringify({ id: 2, method: 'ping' }));
        await api.until((frame) => frame.id === 2);
        return api.frames.flatMap((frame) => (frame.event ? [frame.event as { [name: string]: unknown }] : []));
      },
    };
  }

  test('events show the life of a stop order: accepted, triggered, filled', async () => {
    const account = await subscribeAccount();
    const { body } = await client.public('/api/v3/ticker/price', { symbol: 'SOLUSDT' });
    const stopPrice = (Number((body as { price: string }).price) * 1.0005).toFixed(2);
    const order = { symbol: 'SOLUSDT', side: 'BUY', type: 'STOP_LOSS', quantity: '1', stopPrice };
    const placed = await client.signed('POST', '/api/v3/order', { ...order, newClientOrderId: 'buy-stop' });
    // The response is as short as Binance's.
    expect(placed.body).toEqual({
      symbol: 'SOLUSDT',
      orderId: expect.any(Number),
      orderListId: -1,
      clientOrderId: 'buy-stop',
      transactTime: clock.now(),
    });
    const seen = async () => {
      const query = { symbol: 'SOLUSDT', origClientOrderId: 'buy-stop' };
      return ((await client.signed('GET', '/api/v3/order', query)).body as { status: string }).status;
    };
    for (let i = 0; i < 600 && (await seen()) === 'NEW'; i++) clock.advance(60_000);
    expect(await seen()).toBe('FILLED');
    const reports = (await account.events()).filter(({ e, c }) => e === 'executionReport' && c === 'buy-stop');
    expect(reports.slice(0, 3).map(({ x, X, w, P }) => [x, X === 'NEW', w, Number(P)])).toEqual([
      ['NEW', true, false, Number(stopPrice)],
      ['NEW', true, true, Number(stopPrice)],
      ['TRADE', false, expect.any(Boolean), Number(stopPrice)],
    ]);
    expect(reports[0]).not.toHaveProperty('W');
    account.socket.terminate();
  });

  test('events are lost or repeated while REST stays correct', async () => {
    const account = await subscribeAccount();
    await control('POST', { kind: 'lose', match: 'EVENT user executionReport', count: 1 });
    await place('lost');
    await control('POST', { kind: 'duplicate', match: 'EVENT user executionReport', count: 1 });
    await place('received');
    const reports = (await account.events()).filter(({ e }) => e === 'executionReport');
    expect(reports.map(({ c }) => c)).toEqual(['received', 'received']);
    expect([await exists('lost'), await exists('received')]).toEqual([true, true]);
    account.socket.terminate();
  });
});

describe('faults of sockets and events', () => {
  test('sockets are cut at once, and new ones rejected until the fault is cleared', async () => {
    const [stream, api] = [await listen(streamUrl('btcusdt@trade')), await listen(sandbox.binance.wsApi)];
    const closed = once(stream.socket, 'close');
    await control('POST', { kind: 'cut', match: 'CONNECT /ws/*' });
    await closed;
    const rejected = new WebSocket(streamUrl('btcusdt@trade'));
    await once(rejected, 'error');
    expect(api.socket.readyState).toBe(WebSocket.OPEN);
    await control('DELETE');
    (await listen(streamUrl('btcusdt@trade'))).socket.terminate();
    api.socket.terminate();
  });

  test('events are lost, and a stale feed stays open and silent for its time', async () => {
    const stream = await listen(streamUrl('btcusdt@trade'));
    await control('POST', { kind: 'lose', match: 'EVENT btcusdt@*', forMs: 20_000 });
    clock.advance(19_000);
    await stream.settle();
    expect(stream.frames.filter(isTrade)).toEqual([]);
    clock.advance(10_000);
    await stream.until(isTrade);
    stream.socket.terminate();
  });

  test('events are sent twice, or after later ones', async () => {
    const ids = async (fault: object | undefined): Promise<number[]> => {
      const stream = await listen(streamUrl('btcusdt@trade'));
      if (fault) await control('POST', fault);
      clock.advance(10_000);
      await stream.settle();
      stream.socket.terminate();
      await control('DELETE');
      return stream.frames.filter(isTrade).map(({ t }) => t as number);
    };
    const plain = await ids(undefined);
    expect(plain).toEqual([...new Set(plain)].sort((a, b) => a - b));
    const doubled = await ids({ kind: 'duplicate', match: 'EVENT btcusdt@trade' });
    expect(doubled.length).toBe(2 * new Set(doubled).size);
    const mixed = await ids({ kind: 'reorder', by: 2, match: 'EVENT btcusdt@trade', probability: 0.3, seed: 4 });
    expect(mixed).not.toEqual([...mixed].sort((a, b) => a - b));
    // The last ones are held back until later ones follow.
    expect(new Set(mixed).size).toBe(mixed.length);
  });
});

describe('faults of clocks and markets', () => {
  const order = (change: object) => client.signed('POST', '/api/v3/order', { ...ORDER, ...change });
  const status = async () => {
    const { body } = await client.public('/api/v3/exchangeInfo', { symbol: 'BTCUSDT' });
    return (body as { symbols: { status: string }[] }).symbols[0]?.status;
  };
  const lastTrade = async () => {
    const { body } = await client.public('/api/v3/trades', { symbol: 'BTCUSDT', limit: 1 });
    return (body as { id: number }[])[0]?.id;
  };
  const bestBid = async () => {
    const { body } = await client.public('/api/v3/ticker/bookTicker', { symbol: 'BTCUSDT' });
    return Number((body as { bidPrice: string }).bidPrice);
  };

  test('an exchange with a skewed clock rejects correct times and returns its own', async () => {
    for (const [skewMs, words] of [
      [70_000, 'Timestamp for this request is outside of the recvWindow.'],
      [-2_000, "Timestamp for this request was 1000ms ahead of the server's time."],
    ] as const) {
      await control('POST', { kind: 'skew', skewMs });
      expect((await client.public('/api/v3/time')).body).toEqual({ serverTime: clock.now() + skewMs });
      expect(await client.signed('GET', '/api/v3/account')).toMatchObject({
        status: 400,
        body: { code: -1021, msg: words },
      });
      const timestamp = clock.now() + skewMs;
      expect((await client.signed('GET', '/api/v3/account', { timestamp })).status).toBe(200);
      await control('DELETE');
    }
  });

  test('a halted market rejects orders, allows cancels, and continues afterwards', async () => {
    await order({ newClientOrderId: 'before' });
    await control('POST', { kind: 'halt', match: 'BTCUSDT' });
    const seen = await lastTrade();
    clock.advance(30_000);
    expect([await status(), await lastTrade()]).toEqual(['HALT', seen]);
    for (const type of [{}, { type: 'MARKET', timeInForce: '', price: '' }]) {
      const change = Object.fromEntries(Object.entries({ ...ORDER, ...type }).filter(([, value]) => value !== ''));
      expect((await client.signed('POST', '/api/v3/order', change)).body).toEqual({
        code: -1013,
        msg: 'Market is closed.',
      });
    }
    expect(
      (await client.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: 'before' })).body,
    ).toMatchObject({ status: 'CANCELED' });
    await control('DELETE');
    clock.advance(30_000);
    expect(await status()).toBe('TRADING');
    expect(await lastTrade()).toBeGreaterThan(seen as number);
  });

  test('a delisted market expires its orders and no others', async () => {
    await order({ newClientOrderId: 'doomed' });
    await order({ symbol: 'ETHUSDT', quantity: '0.01', price: '2000', newClientOrderId: 'spared' });
    await control('POST', { kind: 'delist', match: 'BTCUSDT' });
    clock.advance(1_000);
    expect(await status()).toBe('BREAK');
    const seen = (symbol: string, origClientOrderId: string) =>
      client.signed('GET', '/api/v3/order', { symbol, origClientOrderId });
    expect((await seen('BTCUSDT', 'doomed')).body).toMatchObject({ status: 'EXPIRED' });
    expect((await seen('ETHUSDT', 'spared')).body).toMatchObject({ status: 'NEW' });
    expect((await order({})).body).toMatchObject({ code: -1013 });
  });

  test('orders can be filled in part only, as taker and as maker', async () => {
    clock.advance(1_000);
    await control('POST', { kind: 'partial', part: 0.4, match: 'BTCUSDT', count: 3 });
    const { price: _price, timeInForce: _timeInForce, ...market } = ORDER;
    const taker = await client.signed('POST', '/api/v3/order', { ...market, type: 'MARKET', quantity: '0.01' });
    expect(taker.body).toMatchObject({ status: 'EXPIRED', origQty: '0.01000000', executedQty: '0.00400000' });
    const bid = await bestBid();
    const high = await order({ quantity: '0.01', price: (bid * 1.01).toFixed(2) });
    expect(high.body).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '0.00400000' });
    await client.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    const low = await order({ quantity: '0.01', price: (bid * 0.995).toFixed(2) });
    expect(low.body).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '0.00400000' });
    const { orderId } = low.body as { orderId: number };
    const { body: fills } = await client.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', orderId });
    expect(fills).toMatchObject([{ isMaker: true, qty: '0.00400000' }]);
    await client.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    // The three injections are used up.
    clock.advance(1_000);
    const whole = await client.signed('POST', '/api/v3/order', { ...market, type: 'MARKET', quantity: '0.01' });
    expect(whole.body).toMatchObject({ status: 'FILLED' });
  });
});

test('under many faults every response is true and no order exists twice', async () => {
  type Account = { balances: { asset: string; free: string; locked: string }[] };
  const symbol = 'XRPUSDT';
  const totals = async () => {
    const { body } = await client.signed('GET', '/api/v3/account');
    return new Map((body as Account).balances.map((row) => [row.asset, exact(row.free) + exact(row.locked)]));
  };
  const statement = async () =>
    (await client.signed('GET', '/api/v3/myTrades', { symbol, limit: 1000 })).body as StatementTrade[];
  const before = { totals: await totals(), trades: (await statement()).length };
  const match = 'POST /api/v3/order';
  const unknown = {
    kind: 'answer',
    status: 503,
    code: -1007,
    msg: 'Timeout waiting for response from backend server.',
  };
  for (const [seed, fault] of [
    { kind: 'drop', at: 'before' },
    { kind: 'drop', at: 'after' },
    { ...unknown, at: 'before' },
    { ...unknown, at: 'after' },
    { kind: 'delay', at: 'after', delayMs: 20 },
  ].entries()) {
    await control('POST', { ...fault, match, probability: 0.12, seed });
  }
  await control('POST', { kind: 'partial', part: 0.5, match: symbol, probability: 0.3, seed: 9 });
  const acknowledged = new Map<string, { orderId: number; executedQty: string }>();
  const unanswered: string[] = [];
  for (let i = 0; i < 150; i++) {
    clock.advance(400);
    const newClientOrderId = `storm-${i}`;
    const order = { symbol, side: i % 2 === 0 ? 'BUY' : 'SELL', type: 'MARKET', quantity: '50', newClientOrderId };
    const answer = await client.signed('POST', '/api/v3/order', order).catch(() => undefined);
    if (answer?.status === 200)
      acknowledged.set(newClientOrderId, answer.body as { orderId: number; executedQty: string });
    else unanswered.push(newClientOrderId);
  }
  await control('DELETE');
  const { body } = await client.signed('GET', '/api/v3/allOrders', { symbol, limit: 1000 });
  const orders = body as { orderId: number; clientOrderId: string; executedQty: string }[];
  expect(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size).toBe(orders.length);
  for (const [clientOrderId, reported] of acknowledged) {
    const { orderId, executedQty } = reported;
    expect(orders).toContainEqual(expect.objectContaining({ clientOrderId, orderId, executedQty }));
  }
  // Some of the orders without a response exist and some do not.
  const there = unanswered.filter((id) => orders.some(({ clientOrderId }) => clientOrderId === id));
  expect(there.length).toBeGreaterThan(5);
  expect(unanswered.length - there.length).toBeGreaterThan(5);
  const sums = sumOfTrades((await statement()).slice(before.trades));
  for (const [asset, units] of await totals()) {
    expect(units).toBe((before.totals.get(asset) as bigint) + (sums.get(asset) ?? 0n));
  }
});

describe('faults on all three exchanges', () => {
  test.each([
    ['binance', '/api/v3'],
    ['binanceusdm', '/fapi/v1'],
    ['mexc', '/api/v3'],
  ] as const)('%s has its scripted faults, and the others have none', async (name, base) => {
    const { rest } = sandbox[name];
    const at = (path: string) => fetch(`${rest}${base}${path}`);
    const add = (fault: object) =>
      fetch(`${rest}/faults`, {
        method: 'POST',
        body: JSON.stringify(fault),
        headers: { 'content-type': 'application/json' },
      });
    const overloaded = { code: -1008, msg: 'Server is currently overloaded with other requests.' };
    await add({ kind: 'answer', status: 503, ...overloaded, match: `GET ${base}/time`, count: 1 });
    const rejected = await at('/time');
    expect([rejected.status, await rejected.json()]).toEqual([503, overloaded]);
    await add({ kind: 'skew', skewMs: 5_000 });
    expect(await (await at('/time')).json()).toEqual({ serverTime: clock.now() + 5_000 });
    await add({ kind: 'drop', at: 'after', match: `GET ${base}/depth`, count: 1 });
    await expect(at('/depth?symbol=BTCUSDT')).rejects.toThrow();
    expect((await at('/depth?symbol=BTCUSDT')).status).toBe(200);
    await add({ kind: 'halt', match: 'ETHUSDT' });
    const { symbols } = (await (await at('/exchangeInfo')).json()) as { symbols: { symbol: string; status: string }[] };
    const statuses = new Map(symbols.map(({ symbol, status }) => [symbol, status]));
    expect(statuses.get('ETHUSDT')).not.toBe(statuses.get('BTCUSDT'));
    for (const other of ['binance', 'binanceusdm', 'mexc'] as const) {
      if (other === name) continue;
      expect(await (await fetch(`${sandbox[other].rest}/faults`)).json()).toEqual([]);
    }
    await fetch(`${rest}/faults`, { method: 'DELETE' });
    expect(await (await at('/time')).json()).toEqual({ serverTime: clock.now() });
  });
});
