import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { virtualClock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { signedClient } from './signedClient.ts';

const clock = virtualClock(Date.UTC(2026, 5, 1, 9, 59, 58));
let sandbox: Sandbox;
let client: ReturnType<typeof signedClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 21, port: 0, clock });
  client = signedClient(sandbox.binance, clock.now);
});

afterAll(() => sandbox.close());

type Frame = Record<string, unknown>;
type TradeFrame = { t: number; p: string; q: string; T: number; m: boolean };
type KlineFrame = {
  k: Record<'o' | 'h' | 'l' | 'c' | 'v' | 'q' | 'V' | 'Q' | 'i', string> &
    Record<'t' | 'T' | 'n' | 'f' | 'L', number> & { x: boolean };
};
type AggregateFrame = { e: string; E: number; s: string; a: number; f: number; l: number };
type DepthFrame = { U: number; u: number; b: [string, string][]; a: [string, string][] };
type Snapshot = { lastUpdateId: number; bids: [string, string][]; asks: [string, string][] };

/** The frames of one connection, in order, with a way to wait for one. */
async function listen(url: string) {
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    for (const wake of waiting.splice(0)) wake();
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    frames,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async until(condition: (frame: Frame) => boolean): Promise<Frame> {
      for (;;) {
        const found = frames.find(condition);
        if (found) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

/** Sends a request and waits for its response; all earlier events have then arrived. */
async function settle(connection: Awaited<ReturnType<typeof listen>>, id: number) {
  connection.send({ method: 'LIST_SUBSCRIPTIONS', id });
  return connection.until((frame) => frame.id === id);
}

describe("errors have Binance's codes and messages", () => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '90000' };
  const decimalRange = '^([0-9]{1,20})(\\.[0-9]{1,20})?$';
  test.each<[string, Record<string, string>, number, string]>([
    ['no symbol', { symbol: '' }, -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed."],
    ['unknown symbol', { symbol: 'NOPEUSDT' }, -1121, 'Invalid symbol.'],
    [
      'illegal symbol',
      { symbol: 'btc usdt' },
      -1100,
      "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
    ],
    ['side', { side: 'HOLD' }, -1117, 'Invalid side.'],
    ['type', { type: 'GUESS' }, -1116, 'Invalid orderType.'],
    ['time in force', { timeInForce: 'GTD' }, -1115, 'Invalid timeInForce.'],
    [
      'negative quantity',
      { quantity: '-1' },
      -1100,
      `Illegal characters found in parameter 'quantity'; legal range is '${decimalRange}'.`,
    ],
    ['empty price', { price: '' }, -1102, "Mandatory parameter 'price' was not sent, was empty/null, or malformed."],
    ['too precise', { quantity: '0.0123456789' }, -1111, "Parameter 'quantity' has too much precision."],
    ['off step', { quantity: '0.000001' }, -1013, 'Filter failure: LOT_SIZE'],
    ['too much', { quantity: '9001' }, -1013, 'Filter failure: LOT_SIZE'],
    ['off tick', { price: '90000.001' }, -1013, 'Filter failure: PRICE_FILTER'],
    ['too cheap', { price: '100' }, -1013, 'Filter failure: PERCENT_PRICE_BY_SIDE'],
    ['too small', { quantity: '0.00001' }, -1013, 'Filter failure: NOTIONAL'],
    ['too poor', { quantity: '50' }, -2010, 'Account has insufficient balance for requested action.'],
    ['stop at a limit', { type: 'STOP_LOSS' }, -1106, "Parameter 'timeInForce' sent when not required."],
    [
      'stop without its price',
      { type: 'STOP_LOSS_LIMIT' },
      -1102,
      "Mandatory parameter 'stopPrice' was not sent, was empty/null, or malformed.",
    ],
    ['stop price off tick', { type: 'STOP_LOSS_LIMIT', stopPrice: '90000.001' }, -1013, 'Filter failure: PRICE_FILTER'],
    [
      'stop price too high',
      { type: 'TAKE_PROFIT_LIMIT', stopPrice: '999999' },
      -1013,
      'Filter failure: PERCENT_PRICE_BY_SIDE',
    ],
    [
      'stop that has happened',
      { type: 'STOP_LOSS_LIMIT', stopPrice: '60000' },
      -2010,
      'Order would trigger immediately.',
    ],
    ['stop price without a stop', { stopPrice: '90000' }, -1106, "Parameter 'stopPrice' sent when not required."],
    ['trailing', { trailingDelta: '100' }, -1013, 'Trailing stop orders are not supported for this symbol.'],
    ['iceberg', { icebergQty: '0.001' }, -1013, 'Iceberg orders are not supported for this symbol.'],
    [
      'client id',
      { newClientOrderId: 'a b' },
      -1100,
      "Illegal characters found in parameter 'newClientOrderId'; legal range is '^[a-zA-Z0-9-_]{1,36}$'.",
    ],
    [
      'unknown parameter',
      { wish: '1' },
      -1104,
      "Not all sent parameters were read; read '9' parameter(s) but was sent '10'.",
    ],
    ['quote quantity', { quoteOrderQty: '10' }, -1106, "Parameter 'quoteOrderQty' sent when not required."],
  ])('%s', async (_name, change, code, msg) => {
    const { status, body } = await client.signed('POST', '/api/v3/order', { ...order, ...change });
    expect({ status, body }).toEqual({ status: 400, body: { code, msg } });
  });

  test('market orders, queries and cancels have their errors', async () => {
    const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET' };
    const answers = await Promise.all([
      client.signed('POST', '/api/v3/order', { ...market, quantity: '0.01', price: '1' }),
      client.signed('POST', '/api/v3/order', market),
      client.signed('POST', '/api/v3/order', { ...market, quoteOrderQty: '4.99' }),
      client.signed('POST', '/api/v3/order', { ...market, quantity: '121' }),
      client.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT' }),
      client.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId: 1 }),
      client.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId: 1 }),
      client.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }),
      client.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', startTime: 0, endTime: 90_000_000 }),
      client.public('/api/v3/klines', { symbol: 'BTCUSDT', interval: '7m' }),
      client.public('/api/v3/klines', { symbol: 'BTCUSDT', interval: '1m', limit: 0 }),
      client.public('/api/v3/ticker/24hr', { symbols: '["BTCUSDT","BTCUSDT"]' }),
      client.send('GET', '/api/v3/depth?symbol=BTCUSDT&symbol=ETHUSDT'),
      client.send('GET', '/api/v3/depth?symbol=%E0%A4'),
    ]);
    expect(answers.map(({ body }) => (body as { code: number }).code)).toEqual([
      -1106, -1102, -1013, -1013, -1102, -2013, -2011, -2011, -1127, -1120, -1130, -1151, -1101, -1100,
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  });

  test('a failed cancel-replace shows which half failed', async () => {
    const { status, body } = await client.signed('POST', '/api/v3/order/cancelReplace', {
      ...order,
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: 1,
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: -2022,
      msg: 'Order cancel-replace failed.',
      data: {
        cancelResult: 'FAILURE',
        newOrderResult: 'NOT_ATTEMPTED',
        cancelResponse: { code: -2011, msg: 'Unknown order sent.' },
        newOrderResponse: null,
      },
    });
  });

  test('weight is counted, shown, and limited', async () => {
    clock.advance(60_000);
    const { headers } = await client.public('/api/v3/exchangeInfo');
    expect(headers.get('x-mbx-used-weight-1m')).toBe('20');
    const placed = await client.signed('POST', '/api/v3/order', { ...order, quantity: '50' });
    expect(placed.headers.get('x-mbx-order-count-10s')).toBe('1');
    let last = placed;
    for (let i = 0; i < 24; i++) last = await client.public('/api/v3/depth', { symbol: 'BTCUSDT', limit: 5000 });
    expect(last.status).toBe(429);
    expect(last.body).toMatchObject({ code: -1003 });
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    clock.advance(60_000);
    expect((await client.public('/api/v3/ping')).status).toBe(200);
  });

  let last: Awaited<ReturnType<typeof client.public>>;

  test('a client that goes on after 429 is banned, longer each time', async () => {
    for (const minutes of [2, 4]) {
      clock.advance(60_000);
      for (let i = 0; i < 25; i++) last = await client.public('/api/v3/depth', { symbol: 'BTCUSDT', limit: 5000 });
      for (let i = 0; i < 101; i++) last = await client.public('/api/v3/ping');
      expect(last.status).toBe(418);
      expect(last.body).toEqual({
        code: -1003,
        msg: `Way too much request weight used; IP banned until ${clock.now() + minutes * 60_000}. Please use WebSocket Streams for live updates to avoid bans.`,
      });
      expect(last.headers.get('retry-after')).toBe(String(minutes * 60));
      clock.advance(minutes * 60_000);
      expect((await client.public('/api/v3/ping')).status).toBe(200);
    }
  });
});

describe('malformed requests', () => {
  test('malformed requests get a 4xx with a Binance body, never a crash or a 5xx', async () => {
    const paths = [
      'order',
      'order/test',
      'order/cancelReplace',
      'order/amend/keepPriority',
      'order/amendments',
      'rateLimit/order',
      'allOrderList',
      'openOrders',
      'klines',
      'depth',
      'aggTrades',
      'ticker/24hr',
    ];
    const names = [
      'symbol',
      'side',
      'type',
      'quantity',
      'price',
      'limit',
      'interval',
      'startTime',
      'symbols',
      'orderId',
      'newQty',
      'stopPrice',
      'timeInForce',
    ];
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.constantFrom(
        'BTCUSDT',
        'BUY',
        'LIMIT',
        'MARKET',
        'STOP_LOSS',
        'TAKE_PROFIT_LIMIT',
        'GTC',
        '1',
        '0',
        '-1',
        '1e9',
        '9'.repeat(20),
        '[]',
        '["BTCUSDT"]',
        '1m',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
        fc.constantFrom(...paths),
        fc.dictionary(fc.constantFrom(...names), value),
        fc.boolean(),
        async (method, path, parameters, signed) => {
          clock.advance(2000);
          const { status, body } = signed
            ? await client.signed(method, `/api/v3/${path}`, parameters)
            : await client.send(method, `/api/v3/${path}?${new URLSearchParams(parameters)}`);
          expect(status).toBeLessThan(500);
          if (status >= 400)
            expect(body).toEqual(expect.objectContaining({ code: expect.any(Number), msg: expect.any(String) }));
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ['nonsense', 'HELLO\r\n\r\n', /^HTTP\/1\.1 400/],
    ['a bad length', 'POST /api/v3/order HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', /^HTTP\/1\.1 400/],
    ['a huge header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, /^HTTP\/1\.1 4/],
    [
      'an upgrade to nowhere',
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
    [
      'a broken upgrade',
      'GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
  ])('%s on the wire is rejected', async (_name, bytes, expected) => {
    const socket = connect(Number(new URL(sandbox.binance.rest).port), '127.0.0.1');
    socket.write(bytes);
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(expected);
    expect((await client.public('/api/v3/ping')).status).toBe(200);
  });

  test('a body beyond the limit is rejected', async () => {
    const { status, body } = await client.send('POST', '/api/v3/order', { body: 'a'.repeat(100_000) });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: -1101 });
  });

  test('malformed stream messages get a response, and the stream goes on', async () => {
    const connection = await listen(`${sandbox.binance.ws}/0`);
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"id":1}',
      '{"method":"X","id":2}',
      '{"method":"SUBSCRIBE","params":[1],"id":3}',
    ]) {
      connection.send(text);
    }
    connection.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade', 'what@ever'], id: 9 });
    await connection.until((frame) => frame.id === 9);
    expect(connection.frames.slice(0, 7).every((frame) => typeof frame.code === 'number')).toBe(true);
    clock.advance(5000);
    expect(await connection.until((frame) => frame.e === 'trade')).toMatchObject({ s: 'BTCUSDT' });
    connection.socket.close();
    const api = await listen(sandbox.binance.wsApi);
    for (const text of [
      '',
      '{',
      '[]',
      '{"method":1}',
      '{"id":"a","method":"nope"}',
      '{"id":"b","method":"order.place","params":{}}',
    ]) {
      api.send(text);
    }
    api.send({ id: 'last', method: 'ping' });
    await api.until((frame) => frame.id === 'last');
    expect(api.frames.map((frame) => frame.status)).toEqual([400, 400, 400, 400, 400, 401, 200]);
    api.socket.close();
  });
});

describe('streams', () => {
  test('final candles equal REST candles and the sum of the streamed trades', async () => {
    const connection = await listen(
      `${sandbox.binance.rest.replace('http', 'ws')}/stream?streams=ethusdt@trade/ethusdt@aggTrade/ethusdt@kline_1m/ethusdt@kline_5m`,
    );
    const begin = Math.ceil(clock.now() / 60_000) * 60_000;
    clock.advance(11 * 60_000);
    await settle(connection, 1);
    const data = connection.frames.filter(({ stream }) => stream).map((frame) => frame.data as Frame);
    const kind = (e: string) => data.filter((frame) => frame.e === e) as unknown[];
    const trades = kind('trade') as TradeFrame[];
    for (const [interval, length, min] of [
      ['1m', 60_000, 9],
      ['5m', 300_000, 1],
    ] as const) {
      const finals = (kind('kline') as KlineFrame[]).filter(({ k }) => k.i === interval && k.x && k.t >= begin);
      expect(finals.length).toBeGreaterThanOrEqual(min);
      const { body } = await client.public('/api/v3/klines', {
        symbol: 'ETHUSDT',
        interval,
        startTime: begin,
        limit: 20,
      });
      const rows = new Map((body as [number, ...unknown[]][]).map((row) => [row[0], row]));
      for (const { k } of finals) {
        const candleTrades = trades.filter((trade) => trade.T >= k.t && trade.T <= k.T);
        const sum = (of: (trade: TradeFrame) => bigint) => candleTrades.reduce((total, trade) => total + of(trade), 0n);
        const units = (text: string) => BigInt(text.replace('.', ''));
        const [first, last] = [candleTrades.at(0), candleTrades.at(-1)];
        expect(rows.get(k.t)).toEqual([k.t, k.o, k.h, k.l, k.c, k.v, k.T, k.q, k.n, k.V, k.Q, '0']);
        expect(k.T - k.t + 1).toBe(length);
        expect([k.o, k.c, k.n, k.f, k.L]).toEqual([first?.p, last?.p, candleTrades.length, first?.t, last?.t]);
        expect(units(k.v)).toBe(sum((trade) => units(trade.q)));
        expect(units(k.q)).toBe(sum((trade) => (units(trade.q) * units(trade.p)) / 10n ** 8n));
        expect(units(k.V)).toBe(sum((trade) => (trade.m ? 0n : units(trade.q))));
        expect(Number(k.h)).toBe(Math.max(...candleTrades.map((trade) => Number(trade.p))));
        expect(Number(k.l)).toBe(Math.min(...candleTrades.map((trade) => Number(trade.p))));
      }
    }
    const aggregates = kind('aggTrade') as AggregateFrame[];
    expect(aggregates.at(-1)?.l).toBe(trades.at(-1)?.t);
    aggregates.slice(1).forEach((row, i) => {
      expect(row.f).toBe((aggregates[i]?.l ?? 0) + 1);
    });
    const { e: _e, E: _E, s: _s, ...row } = aggregates[5] as AggregateFrame;
    const { body: rest } = await client.public('/api/v3/aggTrades', { symbol: 'ETHUSDT', fromId: row.a, limit: 1 });
    expect(rest).toEqual([row]);
    connection.socket.close();
  });

  test('a book kept by the documented steps equals the exchange, at both speeds', async () => {
    const book = async () =>
      (await client.public('/api/v3/depth', { symbol: 'BTCUSDT', limit: 5000 })).body as Snapshot;
    for (const name of ['btcusdt@depth@100ms', 'btcusdt@depth']) {
      const connection = await listen(`${sandbox.binance.rest.replace('http', 'ws')}/ws/${name}`);
      clock.advance(1000);
      const snapshot = await book();
      clock.advance(20_000);
      await settle(connection, 1);
      const events = (connection.frames.filter(({ e }) => e === 'depthUpdate') as unknown as DepthFrame[]).filter(
        ({ u }) => u > snapshot.lastUpdateId,
      );
      expect(events[0]?.U).toBeLessThanOrEqual(snapshot.lastUpdateId + 1);
      const sides = { b: new Map(snapshot.bids), a: new Map(snapshot.asks) };
      events.forEach((event, i) => {
        if (i > 0) expect(event.U).toBe((events[i - 1]?.u ?? 0) + 1);
        for (const side of ['b', 'a'] as const) applyLevels(sides[side], event[side]);
      });
      const after = await book();
      expect(after.lastUpdateId).toBe(events.at(-1)?.u);
      const sorted = (side: Map<string, string>, direction: number) =>
        [...side].sort(([x], [y]) => direction * (Number(x) - Number(y)));
      expect(sorted(sides.b, -1)).toEqual(after.bids);
      expect(sorted(sides.a, 1)).toEqual(after.asks);
      connection.socket.close();
      clock.advance(60_000);
    }
  });

  test('subscriptions can be added, listed and removed, wrapped or raw', async () => {
    const connection = await listen(`${sandbox.binance.rest.replace('http', 'ws')}/ws`);
    const names = [
      'btcusdt@bookTicker',
      'btcusdt@depth5@100ms',
      'btcusdt@ticker',
      '!miniTicker@arr',
      '!ticker@arr',
      'btcusdt@avgPrice',
    ];
    connection.send({ method: 'SUBSCRIBE', params: names, id: 1 });
    expect(await connection.until((frame) => frame.id === 1)).toEqual({ result: null, id: 1 });
    clock.advance(3000);
    expect((await settle(connection, 2)).result).toEqual(names);
    const kinds = connection.frames.map((frame) =>
      Array.isArray(frame) ? `list of ${(frame[0] as Frame).e}` : (frame.e as string),
    );
    for (const kind of ['24hrTicker', 'avgPrice', 'list of 24hrMiniTicker', 'list of 24hrTicker']) {
      expect(kinds).toContain(kind);
    }
    const best = connection.frames.findLast((frame) => frame.B !== undefined && frame.e === undefined);
    expect(Number(best?.b)).toBeLessThan(Number(best?.a));
    const partial = connection.frames.findLast((frame) => frame.lastUpdateId) as unknown as Snapshot;
    expect([partial.bids.length, partial.asks.length]).toEqual([5, 5]);
    connection.send({ method: 'SET_PROPERTY', params: ['combined', true], id: 3 });
    await connection.until((frame) => frame.id === 3);
    clock.advance(1000);
    expect(await connection.until((frame) => frame.stream === '!ticker@arr')).toMatchObject({
      data: expect.any(Array),
    });
    connection.send({ method: 'UNSUBSCRIBE', params: names, id: 4 });
    expect(await connection.until((frame) => frame.id === 4)).toEqual({ result: null, id: 4 });
    const count = connection.frames.length;
    clock.advance(3000);
    expect((await settle(connection, 5)).result).toEqual([]);
    expect(connection.frames.length).toBe(count + 1);
    connection.socket.close();
  });
});

/** Applies changed levels to one side of a book. A level without quantity is removed. */
function applyLevels(side: Map<string, string>, levels: Iterable<readonly [string, string]>): void {
  for (const [price, quantity] of levels) {
    if (Number(quantity) === 0) side.delete(price);
    else side.set(price, quantity);
  }
}
