import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { virtualClock } from '../src/clock.ts';
import { mexcProtocol } from '../src/protocols/mexc/mexc.ts';
import { MEXC_FEES, MEXC_PAIRS } from '../src/protocols/mexc/pairs.ts';
import { REJECTIONS_BEFORE_BAN, WINDOW_WEIGHT } from '../src/protocols/mexc/rateLimits.ts';
import { MAX_CHANNELS } from '../src/protocols/mexc/streams.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { serve } from '../src/server/serve.ts';
import { makeKeys } from '../src/storage/dataFolder.ts';
import { SpotExchange } from '../src/venues/spot/spotExchange.ts';
import { type Decoded, decodePush, form, mexcClient } from './mexcClient.ts';

const START = Date.UTC(2026, 0, 15, 10, 30);
const clock = virtualClock(START);
let sandbox: Sandbox;
let client: ReturnType<typeof mexcClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 5, port: 0, clock, faults: true });
  client = mexcClient(sandbox.mexc, clock.now);
  await client.public('/api/v3/ping');
}, 60_000);

// The limits of an endpoint are counted over ten seconds of the market's time.
afterEach(() => clock.advance(10_000));

afterAll(() => sandbox.close());

/** Starts MEXC with one pair and no timers, so that its time can jump. @param wires the time of connections */
async function oneStall(connectionClock?: { now(): number }) {
  const market = virtualClock(START);
  const exchange = SpotExchange.open({ seed: 1, pairs: MEXC_PAIRS.slice(0, 1), now: START }, MEXC_FEES);
  const keys = makeKeys();
  const protocol = mexcProtocol(exchange, market, keys, undefined, connectionClock);
  const served = await serve(() => protocol, '127.0.0.1', 0, undefined);
  const host = `127.0.0.1:${served.port}`;
  return { market, protocol, served, address: { rest: `http://${host}`, ws: `ws://${host}/ws`, ...keys } };
}

type Row = { [name: string]: string };

/** A connection that records what it receives: texts, and pushes as ccxt's decoder reads them. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  const texts: string[] = [];
  const pushes: Decoded[] = [];
  let received = () => {};
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) pushes.push(decodePush(data));
    else texts.push(String(data));
    received();
  });
  await once(socket, 'open');
  /** Waits until `condition` holds after a message was received. */
  const until = async (condition: () => boolean, what: string) => {
    const signal = AbortSignal.timeout(60_000);
    while (!condition()) {
      await new Promise<void>((resolve, reject) => {
        received = resolve;
        signal.addEventListener('abort', () => reject(new Error(`never received ${what}`)), { once: true });
      });
    }
  };
  const request = async (message: object) => {
    const before = texts.length;
    socket.send(JSON.stringify(message));
    await until(() => texts.length > before, `an answer to ${JSON.stringify(message)}`);
    return texts.slice(before).map((text) => (JSON.parse(text) as { msg: string }).msg);
  };
  return {
    socket,
    texts,
    pushes,
    until,
    request,
    subscribe: (...params: string[]) => request({ method: 'SUBSCRIPTION', params }),
  };
}

describe('requests to MEXC', () => {
  test('signatures cover query and body together, in lower case', async () => {
    const { key } = sandbox.mexc;
    const query = 'symbol=BTCUSDT&side=BUY&type=MARKET';
    const body = form({ quantity: '0.001', timestamp: clock.now() });
    const send = (target: string, text: string) =>
      client.send('POST', target, { headers: { 'X-MEXC-APIKEY': key }, body: text });
    const path = '/api/v3/order/test';
    const signature = client.sign(query + body);
    expect(await send(`${path}?${query}`, `${body}&signature=${signature}`)).toMatchObject({ status: 200, body: {} });
    expect(await send(`${path}?${query}`, `${body}&signature=${signature.toUpperCase()}`)).toMatchObject({
      status: 400,
      body: { code: 700002, msg: 'Signature for this request is not valid.' },
    });
    expect(await send(`${path}?${query}`, `${body}&signature=${client.sign(`${query}&${body}`)}`)).toMatchObject({
      body: { code: 700002 },
    });
    const json = JSON.stringify({ quantity: '0.001', timestamp: clock.now() });
    expect(await send(`${path}?${query}&signature=${client.sign(query + json)}`, json)).toMatchObject({ status: 200 });
  });

  test('rejections have the code of the error', async () => {
    const code = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await answer;
      expect(status).toBe(400);
      return (body as { code: number }).code;
    };
    const account = '/api/v3/account';
    expect(await code(client.public(account))).toBe(400);
    const headers = { 'X-MEXC-APIKEY': sandbox.mexc.key };
    expect(await code(client.send('GET', `${account}?timestamp=${clock.now()}`, { headers }))).toBe(700004);
    expect(await code(client.send('GET', `${account}?signature=00`, { headers }))).toBe(700004);
    expect(await code(client.signed('GET', account, { recvWindow: 60_001 }))).toBe(700005);
    expect(await code(client.signed('GET', account, { timestamp: clock.now() + 1000 }))).toBe(700003);
    expect(await code(client.signed('GET', account, { timestamp: clock.now() - 60_001 }))).toBe(700003);
    expect((await client.signed('GET', account, { timestamp: clock.now() - 60_000 })).status).toBe(200);
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
    const placing = (changes: Record<string, string>) =>
      code(client.signed('POST', '/api/v3/order', { ...order, ...changes }));
    expect(await placing({ symbol: 'NOPEUSDT' })).toBe(10007);
    expect(await placing({ type: 'STOP_LOSS' })).toBe(30041);
    expect(await placing({ side: 'HOLD' })).toBe(33333);
    expect(await placing({ quantity: '' })).toBe(10095);
    expect(await placing({ quantity: '0' })).toBe(10102);
    expect(await placing({ quantity: '0.0000001' })).toBe(400);
    expect(await placing({ price: '50000.001' })).toBe(400);
    expect(await placing({ price: '0' })).toBe(30010);
    expect(await placing({ price: 'much' })).toBe(700008);
    expect(await placing({ newClientOrderId: 'no spaces' })).toBe(700008);
    expect(await code(client.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT' }))).toBe(700004);
    expect(await code(client.public('/api/v3/klines', { symbol: 'BTCUSDT', interval: '1h' }))).toBe(-1121);
    expect(await code(client.public('/api/v3/aggTrades', { symbol: 'BTCUSDT', startTime: START }))).toBe(-1128);
    expect((await client.public('/api/v3/nothing')).status).toBe(404);
  });

  test('requests of any shape never get a 5xx', async () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('BTCUSDT', 'BUY', 'LIMIT', 'MARKET', '1', '0.5', '-1', '1e9', '[]'),
    );
    const name = fc.constantFrom(
      ...['symbol', 'side', 'type', 'quantity', 'price', 'quoteOrderQty', 'orderId', 'origClientOrderId', 'limit'],
      ...['startTime', 'endTime', 'interval', 'batchOrders', 'listenKey', 'newClientOrderId', 'recvWindow'],
    );
    const endpoint = fc.constantFrom(
      ...['GET depth', 'GET klines', 'GET trades', 'GET aggTrades', 'GET ticker/24hr', 'GET exchangeInfo', 'GET order'],
      ...['POST order', 'POST order/test', 'POST batchOrders', 'DELETE order', 'DELETE openOrders', 'GET openOrders'],
      ...['GET allOrders', 'GET myTrades', 'GET tradeFee', 'PUT userDataStream', 'DELETE userDataStream'],
    );
    await fc.assert(
      fc.asyncProperty(endpoint, fc.dictionary(name, word), async (target, values) => {
        const [method = '', path = ''] = target.split(' ');
        const { status } = await client.signed(method, `/api/v3/${path}`, values);
        expect(status).toBeLessThan(500);
        clock.advance(500);
      }),
      { numRuns: 300 },
    );
  });

  test('an endpoint above its limit gets 429, then 418; others are served', async () => {
    const crowded = await startSandbox({ seed: 5, port: 0, clock });
    const { send } = mexcClient(crowded.mexc, clock.now);
    const ticker = () => send('GET', '/api/v3/ticker/24hr');
    const max = Math.floor(WINDOW_WEIGHT / 40);
    for (let i = 0; i < max; i++) expect((await ticker()).status).toBe(200);
    const rejected = await ticker();
    expect(rejected).toMatchObject({ status: 429, body: { code: 429 } });
    expect(rejected.headers.get('retry-after')).toBe('10');
    expect((await send('GET', '/api/v3/time')).status).toBe(200);
    clock.advance(10_000);
    expect((await ticker()).status).toBe(200);
    for (let i = 1; i < max; i++) await ticker();
    for (let i = 0; i < REJECTIONS_BEFORE_BAN; i++) expect((await ticker()).status).toBe(429);
    const banned = await ticker();
    expect(banned.status).toBe(418);
    expect(banned.headers.get('retry-after')).toBe('120');
    expect((await send('GET', '/api/v3/time')).status).toBe(418);
    clock.advance(120_000);
    expect((await send('GET', '/api/v3/time')).status).toBe(200);
    await crowded.close();
  });

  test('a batch has a result for each order', async () => {
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT_ORDER', price: '60000' };
    const { status, body } = await client.signed('POST', '/api/v3/batchOrders', {
      batchOrders: JSON.stringify([
        { ...order, quantity: '0.001', newClientOrderId: 9588234 },
        { ...order, quantity: '0.000001', newClientOrderId: 'small' },
      ]),
    });
    expect(status).toBe(200);
    expect(body).toEqual([
      { symbol: 'BTCUSDT', orderId: expect.stringMatching(/^C02__/), newClientOrderId: '9588234', orderListId: -1 },
      { newClientOrderId: 'small', code: 30002, msg: 'The minimum transaction volume cannot be less than：1USDT' },
    ]);
    const cancelled = await client.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT,ETHUSDT' });
    expect(cancelled.body).toMatchObject([{ origClientOrderId: '9588234', status: 'CANCELED' }]);
    expect((await client.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body).toEqual([]);
  });
});

describe('streams of MEXC', () => {
  test('pings get responses, unknown channels are rejected, and 30 are allowed', async () => {
    const one = await connect(sandbox.mexc.ws);
    expect(await one.request({ method: 'PING' })).toEqual(['PONG']);
    expect(await one.subscribe('spot@public.kline.v3.api.pb@BTCUSDT@Min2')).toEqual([
      'Not Subscribed successfully! [spot@public.kline.v3.api.pb@BTCUSDT@Min2].  Reason： Blocked! ',
    ]);
    // A connection without a listen key gets no account events.
    expect((await one.subscribe('spot@private.orders.v3.api.pb'))[0]).toContain('Not Subscribed');
    const names = MEXC_PAIRS.flatMap(({ symbol }) =>
      ['Min1', 'Min5', 'Min15', 'Min30'].map((period) => `spot@public.kline.v3.api.pb@${symbol}@${period}`),
    );
    for (const name of names.slice(0, MAX_CHANNELS)) expect(await one.subscribe(name)).toEqual([name]);
    const extra = names[MAX_CHANNELS] as string;
    expect((await one.subscribe(extra))[0]).toContain('Not Subscribed');
    const first = names[0] as string;
    expect(await one.request({ method: 'UNSUBSCRIPTION', params: [first] })).toEqual([first]);
    expect(await one.subscribe(extra)).toEqual([extra]);
    expect(await one.request({ nonsense: 1 })).toEqual(['msg format invalid']);
    one.socket.terminate();
  });

  test('every channel has the shape that clients decode', async () => {
    const one = await connect(sandbox.mexc.ws);
    const channels = {
      publicAggreDeals: 'spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT',
      publicAggreDepths: 'spot@public.aggre.depth.v3.api.pb@10ms@BTCUSDT',
      publicAggreBookTicker: 'spot@public.aggre.bookTicker.v3.api.pb@100ms@BTCUSDT',
      publicBookTickerBatch: 'spot@public.bookTicker.batch.v3.api.pb@BTCUSDT',
      publicLimitDepths: 'spot@public.limit.depth.v3.api.pb@BTCUSDT@5',
      publicSpotKline: 'spot@public.kline.v3.api.pb@BTCUSDT@Min1',
      publicMiniTicker: 'spot@public.miniTicker.v3.api.pb@BTCUSDT@UTC+8',
      publicMiniTickers: 'spot@public.miniTickers.v3.api.pb@UTC+8',
    };
    await one.subscribe(...Object.values(channels));
    clock.advance(5_000);
    const of = (channel: string) => one.pushes.find((push) => push.channel === channel);
    await one.until(() => Object.values(channels).every((channel) => of(channel)), 'every channel');
    for (const [body, channel] of Object.entries(channels)) expect(of(channel)?.[body]).toBeDefined();
    expect(of(channels.publicAggreDeals)?.publicAggreDeals).toMatchObject({
      deals: expect.arrayContaining([
        {
          price: expect.any(String),
          quantity: expect.any(String),
          tradeType: expect.any(Number),
          time: expect.any(Number),
        },
      ]),
      eventType: 'spot@public.aggre.deals.v3.api.pb@100ms',
    });
    const kline = of(channels.publicSpotKline)?.publicSpotKline as { windowStart: number; windowEnd: number };
    expect(kline.windowEnd - kline.windowStart).toBe(60);
    expect(of(channels.publicLimitDepths)?.publicLimitDepths).toMatchObject({ asks: Array(5).fill(expect.anything()) });
    one.socket.terminate();
  });

  test('a closed candle of a stream equals that of REST', async () => {
    const one = await connect(sandbox.mexc.ws);
    await one.subscribe('spot@public.kline.v3.api.pb@SOLUSDT@Min1');
    clock.advance(130_000);
    const start = Math.floor(clock.now() / 60_000) * 60_000 - 60_000;
    type Kline = { windowStart: number; [name: string]: unknown };
    const klines = () => one.pushes.map(({ publicSpotKline }) => publicSpotKline as Kline);
    await one.until(() => klines().some(({ windowStart }) => windowStart * 1000 > start), 'the next candle');
    const last = klines().findLast(({ windowStart }) => windowStart * 1000 === start);
    const { body } = await client.public('/api/v3/klines', {
      symbol: 'SOLUSDT',
      interval: '1m',
      startTime: start,
      endTime: start + 1,
    });
    expect(body).toEqual([
      [
        start,
        last?.openingPrice,
        last?.highestPrice,
        last?.lowestPrice,
        last?.closingPrice,
        last?.volume,
        start + 60_000,
        last?.amount,
      ],
    ]);
    one.socket.terminate();
  });

  test("a book kept by MEXC's documented steps equals a later snapshot", async () => {
    const one = await connect(sandbox.mexc.ws);
    await one.subscribe('spot@public.aggre.depth.v3.api.pb@100ms@LINKUSDT');
    clock.advance(3_000);
    type Depth = { asks?: Row[]; bids?: Row[]; fromVersion: string; toVersion: string };
    const depths = () => one.pushes.map(({ publicAggreDepths }) => publicAggreDepths as Depth);
    await one.until(() => depths().length > 3, 'some changes');
    type Snapshot = { lastUpdateId: number; bids: [string, string][]; asks: [string, string][] };
    const snapshot = async () =>
      (await client.public('/api/v3/depth', { symbol: 'LINKUSDT', limit: 5000 })).body as Snapshot;
    const begin = await snapshot();
    clock.advance(5_000);
    const end = await snapshot();
    await one.until(() => Number(depths().at(-1)?.toVersion) >= end.lastUpdateId, 'the last change');
    const sides = { bids: new Map(begin.bids), asks: new Map(begin.asks) };
    let version: number | undefined;
    for (const depth of depths()) {
      if (version !== undefined) expect(Number(depth.fromVersion)).toBe(version + 1);
      version = Number(depth.toVersion);
      if (version <= begin.lastUpdateId) continue;
      for (const side of ['bids', 'asks'] as const) applyLevels(sides[side], depth[side] ?? []);
    }
    expect(version).toBe(end.lastUpdateId);
    const sorted = (levels: Iterable<[string, string]>) => [...levels].sort(([a], [b]) => Number(a) - Number(b));
    expect(sorted(sides.bids)).toEqual(sorted(end.bids));
    expect(sorted(sides.asks)).toEqual(sorted(end.asks));
    one.socket.terminate();
  });

  test('connections with a listen key get orders, fills and balances', async () => {
    const { body } = await client.signed('POST', '/api/v3/userDataStream');
    const { listenKey } = body as { listenKey: string };
    const one = await connect(`${sandbox.mexc.ws}?listenKey=${listenKey}`);
    await one.subscribe(
      'spot@private.orders.v3.api.pb',
      'spot@private.deals.v3.api.pb',
      'spot@private.account.v3.api.pb',
    );
    const { body: placed } = await client.signed('POST', '/api/v3/order', {
      ...{ symbol: 'XRPUSDT', side: 'BUY', type: 'MARKET', quantity: '10.5', newClientOrderId: 'own' },
    });
    const id = (placed as { orderId: string }).orderId;
    const orders = () => one.pushes.flatMap(({ privateOrders }) => (privateOrders ? [privateOrders as Row] : []));
    await one.until(() => orders().some(({ status }) => Number(status) === 2), 'the filled order');
    expect(orders()[0]).toMatchObject({
      id,
      clientId: 'own',
      status: 1,
      tradeType: 1,
      orderType: 5,
      quantity: '10.5',
    });
    expect(orders().at(-1)).toMatchObject({ id, status: 2, remainQuantity: '0', cumulativeQuantity: '10.5' });
    const { body: mine } = await client.signed('GET', '/api/v3/myTrades', { symbol: 'XRPUSDT', orderId: id });
    const deals = one.pushes.flatMap(({ privateDeals }) => (privateDeals ? [privateDeals as Row] : []));
    expect(deals.map(({ tradeId, feeAmount, feeCurrency }) => [tradeId, feeAmount, feeCurrency])).toEqual(
      (mine as Row[]).reverse().map(({ id: trade, commission }) => [trade, commission, 'USDT']),
    );
    const { body: account } = await client.signed('GET', '/api/v3/account');
    for (const { asset, free, locked } of (account as { balances: Row[] }).balances) {
      const reported = one.pushes.findLast(
        ({ privateAccount }) => (privateAccount as Row | undefined)?.vcoinName === asset,
      );
      if (reported) expect(reported.privateAccount).toMatchObject({ balanceAmount: free, frozenAmount: locked });
      else expect(['BTC', 'ETH']).toContain(asset);
    }
    one.socket.terminate();
  });

  test('a listen key lasts an hour, can be renewed and closed, for five connections', async () => {
    const { market, address, served, protocol } = await oneStall();
    const own = mexcClient(address, market.now);
    const path = '/api/v3/userDataStream';
    const create = async () => ((await own.signed('POST', path)).body as { listenKey: string }).listenKey;
    const listenKey = await create();
    const url = `${address.ws}?listenKey=${listenKey}`;
    const five = await Promise.all(Array.from({ length: 5 }, () => connect(url)));
    const sixth = await connect(url);
    await once(sixth.socket, 'close');
    market.advance(59 * 60_000);
    expect((await own.signed('PUT', path, { listenKey })).body).toEqual({ listenKey });
    market.advance(59 * 60_000);
    expect((await own.signed('GET', path)).body).toEqual({ listenKey: [listenKey] });
    const closed = Promise.all(five.map(({ socket }) => once(socket, 'close')));
    market.advance(60_000);
    protocol.pushEverySecond(market.now());
    await closed;
    expect((await own.signed('GET', path)).body).toEqual({ listenKey: [] });
    const late = await connect(url);
    await once(late.socket, 'close');
    expect(late.texts).toEqual(['Invalid listen key']);
    const other = await create();
    expect((await own.signed('DELETE', path, { listenKey: other })).status).toBe(200);
    expect((await own.signed('PUT', path, { listenKey: other })).status).toBe(400);
    await served.close();
  });

  test('scripted faults halt, delist, thin out and skew the exchange', async () => {
    const fault = (body: object) =>
      client.send('POST', '/faults', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const clear = () => client.send('DELETE', '/faults');
    const place = async (values: Record<string, string>) =>
      client.signed('POST', '/api/v3/order', { symbol: 'ADAUSDT', side: 'BUY', ...values });
    const status = async (orderId: string) =>
      ((await client.signed('GET', '/api/v3/order', { symbol: 'ADAUSDT', orderId })).body as Row).status;
    const info = async () =>
      ((await client.public('/api/v3/exchangeInfo', { symbol: 'ADAUSDT' })).body as { symbols: Row[] }).symbols[0];
    const resting = { type: 'LIMIT', quantity: '10', price: '0.4' };
    const orderId = ((await place(resting)).body as Row).orderId as string;
    await fault({ kind: 'halt', match: 'ADAUSDT' });
    expect(await info()).toMatchObject({ status: '2', isSpotTradingAllowed: false });
    expect((await place(resting)).body).toEqual({ code: 30000, msg: 'suspended transaction for the symbol' });
    expect(await status(orderId)).toBe('NEW');
    await clear();
    await fault({ kind: 'delist', match: 'ADAUSDT' });
    clock.advance(1_000);
    expect(await info()).toMatchObject({ status: '3' });
    expect((await place(resting)).body).toEqual({ code: 30016, msg: 'trading disabled' });
    expect(await status(orderId)).toBe('CANCELED');
    await clear();
    await fault({ kind: 'partial', match: 'ADAUSDT', part: 0.4 });
    const { orderId: thin } = (await place({ type: 'MARKET', quantity: '1000' })).body as { orderId: string };
    expect((await client.signed('GET', '/api/v3/order', { symbol: 'ADAUSDT', orderId: thin })).body).toMatchObject({
      status: 'PARTIALLY_CANCELED',
      executedQty: '400',
    });
    await clear();
    await fault({ kind: 'skew', skewMs: 120_000 });
    expect((await client.public('/api/v3/time')).body).toEqual({ serverTime: clock.now() + 120_000 });
    expect((await place(resting)).body).toMatchObject({ code: 700003 });
    await clear();
  });

  test('scripted faults match the names of channels', async () => {
    const fault = (body: object) =>
      client.send('POST', '/faults', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const one = await connect(sandbox.mexc.ws);
    const lost = 'spot@public.aggre.bookTicker.v3.api.pb@100ms@ETHUSDT';
    const twice = 'spot@public.aggre.deals.v3.api.pb@100ms@ETHUSDT';
    await fault({ kind: 'lose', match: `EVENT ${lost}` });
    await fault({ kind: 'duplicate', match: `EVENT ${twice}` });
    await fault({ kind: 'answer', match: 'POST /api/v3/order', status: 503, code: 503, msg: 'busy', count: 1 });
    await one.subscribe(lost, twice);
    clock.advance(20_000);
    const deals = () => one.pushes.filter(({ channel }) => channel === twice);
    await one.until(() => deals().length >= 4, 'doubled trades');
    expect(deals()[0]).toEqual(deals()[1]);
    expect(one.pushes.some(({ channel }) => channel === lost)).toBe(false);
    const order = { symbol: 'ETHUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
    expect((await client.signed('POST', '/api/v3/order', order)).status).toBe(503);
    expect((await client.signed('POST', '/api/v3/order', order)).status).toBe(200);
    await client.send('DELETE', '/faults');
    one.socket.terminate();
  });

  test('an idle, silent, old or flooding connection is closed', async () => {
    const connectionClock = { time: 1_000_000, now: () => connectionClock.time };
    const { address, served, protocol } = await oneStall(connectionClock);
    const url = address.ws;
    const channel = 'spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT';
    const pass = (ms: number) => {
      connectionClock.time += ms;
      protocol.pushEverySecond(START);
    };
    const idle = await connect(url);
    const pinging = await connect(url);
    const silent = await connect(url);
    await silent.subscribe(channel);
    pass(20_000);
    await pinging.request({ method: 'PING' });
    const idleClosed = once(idle.socket, 'close');
    pass(15_000);
    await idleClosed;
    const silentClosed = once(silent.socket, 'close');
    await pinging.request({ method: 'PING' });
    pass(25_000);
    await silentClosed;
    expect(await pinging.request({ method: 'PING' })).toEqual(['PONG']);
    await pinging.subscribe(channel);
    const oldClosed = once(pinging.socket, 'close');
    for (let hours = 0; hours < 24; hours++) {
      connectionClock.time += 3_600_000;
      if (hours < 23) await pinging.request({ method: 'PING' });
    }
    protocol.pushEverySecond(START);
    await oldClosed;
    const loud = await connect(url);
    const loudClosed = once(loud.socket, 'close');
    for (let i = 0; i <= 100; i++) loud.socket.send('{"method":"PING"}');
    await loudClosed;
    await served.close();
  });
});

/** Applies changed levels to one side of a book. A level without quantity is removed. */
function applyLevels(side: Map<string, string>, levels: readonly Row[]): void {
  for (const { price = '', quantity = '' } of levels) {
    if (Number(quantity) === 0) side.delete(price);
    else side.set(price, quantity);
  }
}
