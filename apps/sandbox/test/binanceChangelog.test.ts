import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { virtualClock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { signedClient } from './signedClient.ts';

const clock = virtualClock(Date.UTC(2026, 10, 20, 8, 15, 20));
let sandbox: Sandbox;
let spot: ReturnType<typeof signedClient>;
let usdm: ReturnType<typeof signedClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, port: 0, clock });
  spot = signedClient(sandbox.binance, clock.now);
  usdm = signedClient(sandbox.binanceusdm, clock.now);
});

afterAll(() => sandbox.close());

const RESTING = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price: '50000',
};

describe('changes in the documents of Binance spot since 2025', () => {
  test('listen keys are gone, over REST and over the WebSocket API', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await spot.send(method, '/api/v3/userDataStream')).toMatchObject({ status: 410, body: { code: -1016 } });
    }
    const socket = new WebSocket(sandbox.binance.wsApi);
    await once(socket, 'open');
    socket.send(JSON.stringify({ id: 1, method: 'userDataStream.start', params: {} }));
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(String(answer))).toMatchObject({ status: 410, error: { code: -1016 } });
    socket.terminate();
  });

  test('recvWindow has up to three decimals', async () => {
    const ask = (recvWindow: string) => spot.signed('GET', '/api/v3/account', { recvWindow });
    expect((await ask('6000.346')).status).toBe(200);
    expect((await ask('6000.3461')).body).toMatchObject({ code: -1111 });
    expect((await ask('60000.001')).body).toMatchObject({ code: -1131 });
  });

  test('orders and cancels have a weight only when they fail', async () => {
    const used = async () => Number((await spot.public('/api/v3/ping')).headers.get('x-mbx-used-weight-1m'));
    const before = await used();
    const { body } = await spot.signed('POST', '/api/v3/order', RESTING);
    const { orderId } = body as { orderId: number };
    expect((await spot.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId })).status).toBe(200);
    expect(await used()).toBe(before + 1);
    expect((await spot.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId })).status).toBe(400);
    expect(await used()).toBe(before + 3);
  });

  test('an id and a client id of two different orders have their own error', async () => {
    const { body } = await spot.signed('POST', '/api/v3/order', RESTING);
    const { orderId } = body as { orderId: number };
    const ask = (id: number) =>
      spot.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId: id, origClientOrderId: 'another' });
    expect((await ask(orderId)).body).toMatchObject({ code: -2039 });
    expect((await ask(999_999_999)).body).toMatchObject({ code: -2013 });
  });

  test('the reference price and its calculation have endpoints', async () => {
    const calculation = await spot.public('/api/v3/referencePrice/calculation', { symbol: 'BTCUSDT' });
    expect(calculation.body).toMatchObject({ calculationType: 'ARITHMETIC_MEAN', bucketCount: 300 });
    clock.advance(60_000);
    const { body } = await spot.public('/api/v3/referencePrice', { symbol: 'BTCUSDT' });
    expect(body).toMatchObject({ symbol: 'BTCUSDT', referencePrice: expect.stringMatching(/^\d+\.\d{8}$/) });
    expect(
      (await spot.public('/api/v3/executionRules', { symbol: 'BTCUSDT', symbolStatus: 'TRADING' })).body,
    ).toMatchObject({
      code: -1128,
    });
  });
});

describe('changes in the documents of Binance USD-M futures', () => {
  test('too many candles and unsupported numbers of levels are rejected', async () => {
    const candles = (limit: number) => usdm.public('/fapi/v1/klines', { symbol: 'BTCUSDT', interval: '1m', limit });
    expect((await candles(1_500)).status).toBe(200);
    expect((await candles(1_501)).body).toMatchObject({ code: -1130 });
    const levels = (limit: number) => usdm.public('/fapi/v1/depth', { symbol: 'BTCUSDT', limit });
    expect((await levels(20)).status).toBe(200);
    expect((await levels(7)).body).toEqual({ code: -4021, msg: "'7' is not valid depth limit" });
  });

  test('best prices have the decimals of their contract', async () => {
    const { body } = await usdm.public('/fapi/v1/ticker/bookTicker', { symbol: 'BTCUSDT' });
    expect(body).toMatchObject({
      bidPrice: expect.stringMatching(/^\d+\.\d$/),
      bidQty: expect.stringMatching(/^\d+\.\d{3}$/),
      askPrice: expect.stringMatching(/^\d+\.\d$/),
    });
  });

  test('order responses have no average price and no value, but queries have', async () => {
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01', newOrderRespType: 'RESULT' };
    const { body } = await usdm.signed('POST', '/fapi/v1/order', order);
    expect(body).toMatchObject({ status: 'FILLED' });
    expect(Object.keys(body as object).filter((name) => ['avgPrice', 'cumQuote'].includes(name))).toEqual([]);
    const { orderId } = body as { orderId: number };
    const context = await usdm.signed('GET', '/fapi/v1/order', { symbol: 'BTCUSDT', orderId });
    expect(context.body).toMatchObject({ avgPrice: expect.any(String), cumQuote: expect.any(String) });
  });

  test('margin type changes list positions, and TRIGGERING precedes the order', async () => {
    const { body } = await usdm.signed('POST', '/fapi/v1/listenKey');
    const { listenKey } = body as { listenKey: string };
    const socket = new WebSocket(`${sandbox.binanceusdm.wsBase}/private/ws/${listenKey}`);
    const received: { e: string; o?: { X: string; caid?: string; c?: string }; a?: { m: string; P: object[] } }[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    await once(socket, 'open');
    await usdm.signed('POST', '/fapi/v1/marginType', { symbol: 'ETHUSDT', marginType: 'ISOLATED' });
    const stop = {
      algoType: 'CONDITIONAL',
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'STOP_MARKET',
      clientAlgoId: 'stop-1',
    };
    const { body: ticker } = await usdm.public('/fapi/v1/ticker/price', { symbol: 'BTCUSDT' });
    const triggerPrice = Math.round(Number((ticker as { price: string }).price) * 0.9995);
    const rest = { quantity: '0.01', triggerPrice, workingType: 'CONTRACT_PRICE', reduceOnly: 'true' };
    expect((await usdm.signed('POST', '/fapi/v1/algoOrder', { ...stop, ...rest })).status).toBe(200);
    const of = () =>
      received.filter(({ o }) => o?.caid === 'stop-1' || o?.c === 'stop-1').map(({ e, o }) => `${e} ${o?.X}`);
    for (let minute = 0; minute < 600 && !of().includes('ORDER_TRADE_UPDATE FILLED'); minute++) {
      clock.advance(60_000);
      // The response comes after all events that were sent before it.
      await usdm.public('/fapi/v1/ping');
    }
    expect(of().slice(0, 4)).toEqual([
      'ALGO_UPDATE NEW',
      'ALGO_UPDATE TRIGGERING',
      'ORDER_TRADE_UPDATE NEW',
      'ALGO_UPDATE TRIGGERED',
    ]);
    const change = received.find(({ a }) => a?.m === 'MARGIN_TYPE_CHANGE');
    expect(change?.a?.P).toMatchObject([{ s: 'ETHUSDT', pa: '0.000', mt: 'isolated', ps: 'BOTH' }]);
    socket.terminate();
  });
});
