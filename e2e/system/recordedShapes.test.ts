import { createHmac } from 'node:crypto';
import { decodePush } from '@heron/exchanges/mexc/pushSchema.ts';
import { BINANCE_RECORDINGS } from '@heron/exchanges/testing/recordings/binance.ts';
import { BINANCEUSDM_RECORDINGS } from '@heron/exchanges/testing/recordings/binanceUsdm.ts';
import { MEXC_RECORDINGS } from '@heron/exchanges/testing/recordings/mexc.ts';
import { pushOf } from '@heron/exchanges/testing/recordings/mexcPush.ts';
import type { VenueRecordings } from '@heron/exchanges/testing/recordings/recording.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shapeDifferences, shapeOf } from './shapeOf.ts';
import { signedRequest } from './signedRequest.ts';

type Fields = Record<string, unknown>;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, seed: 21 });
});

afterAll(() => sandbox.close());

/** Responses of the demo market by request, and its stream messages by name. */
interface DemoResponses {
  readonly rest: Map<string, unknown>;
  readonly streams: Map<string, unknown>;
}

/** Queries a demo exchange for everything that Heron reads. */
class DemoClient implements DemoResponses {
  readonly rest = new Map<string, unknown>();
  readonly streams = new Map<string, unknown>();
  readonly #sockets: WebSocket[] = [];
  readonly #at: { rest: string; key: string; secret: string };

  constructor(at: { rest: string; key: string; secret: string }) {
    this.#at = at;
  }

  /** @param keep false for a request whose response is compared elsewhere */
  async call(call: string, parameters: Record<string, string> = {}, keep = true): Promise<Fields> {
    const [method = '', path = ''] = call.split(' ');
    const answer = await signedRequest<Fields>(this.#at, method, path, parameters);
    if (keep) this.rest.set(call, answer);
    return answer;
  }

  async read(path: string, parameters: Record<string, string> = {}): Promise<void> {
    const answer = await fetch(`${this.#at.rest}${path}?${new URLSearchParams(parameters)}`);
    this.rest.set(`GET ${path}`, await answer.json());
  }

  /** Collects stream messages. @param nameOf returns null for messages that are not compared */
  async listen(url: string, first: object | null, nameOf: (data: unknown) => [string, unknown] | null): Promise<void> {
    const socket = new WebSocket(url);
    this.#sockets.push(socket);
    socket.binaryType = 'arraybuffer';
    const open = Promise.withResolvers<void>();
    socket.onopen = () => {
      if (first !== null) socket.send(JSON.stringify(first));
      else open.resolve();
    };
    socket.onmessage = ({ data }) => {
      open.resolve();
      const [name, body] = nameOf(data) ?? [];
      // The first message of each name belongs to a placed order, as in the recordings.
      if (name !== undefined && !this.streams.has(name)) this.streams.set(name, body);
    };
    await open.promise;
  }

  async finishReceiving(names: readonly string[]): Promise<void> {
    await expect.poll(() => names.filter((name) => !this.streams.has(name)), { timeout: 90_000 }).toEqual([]);
    for (const socket of this.#sockets) socket.close();
  }
}

const events = (data: unknown): [string, unknown] | null => {
  const message = JSON.parse(String(data)) as Fields;
  const event = (message.event ?? message.data ?? message) as Fields;
  if (typeof event.e === 'string') return [event.e, event];
  return 'b' in event && 'a' in event ? ['bookTicker', event] : null;
};

/** Subscribes to trades, best prices and candles. */
const subscription = {
  method: 'SUBSCRIBE',
  id: 1,
  params: ['btcusdt@trade', 'btcusdt@bookTicker', 'btcusdt@kline_1m'],
};

async function queryBinance(): Promise<DemoResponses> {
  const { ws, wsApi, key, secret } = sandbox.binance;
  const client = new DemoClient(sandbox.binance);
  await client.listen(`${ws}/0`, subscription, events);
  const text = `apiKey=${key}&timestamp=${Date.now()}`;
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  const params = { apiKey: key, timestamp: Number(text.split('=').at(-1)), signature };
  await client.listen(wsApi, { id: 's', method: 'userDataStream.subscribe.signature', params }, events);
  const symbol = 'BTCUSDT';
  await client.read('/api/v3/time');
  await client.read('/api/v3/exchangeInfo');
  await client.read('/api/v3/klines', { symbol, interval: '1m', limit: '1' });
  await client.read('/api/v3/ticker/24hr', { symbol });
  const away = { ...{ symbol, side: 'BUY', quantity: '0.001', type: 'LIMIT', timeInForce: 'GTC', price: '40000' } };
  const { orderId } = await client.call('POST /api/v3/order', away, false);
  await client.call('GET /api/v3/order', { symbol, orderId: String(orderId) });
  await client.call('GET /api/v3/openOrders', { symbol });
  await client.call('DELETE /api/v3/order', { symbol, orderId: String(orderId) });
  await client.call('POST /api/v3/order', { symbol, side: 'BUY', quantity: '0.001', type: 'MARKET' });
  for (const call of ['allOrders', 'myTrades']) await client.call(`GET /api/v3/${call}`, { symbol });
  for (const call of ['/api/v3/account', '/sapi/v1/account/apiRestrictions']) await client.call(`GET ${call}`);
  await client.finishReceiving(['trade', 'bookTicker', 'kline', 'executionReport', 'outboundAccountPosition']);
  return client;
}

async function queryUsdm(): Promise<DemoResponses> {
  const { wsBase } = sandbox.binanceusdm;
  const client = new DemoClient(sandbox.binanceusdm);
  const [symbol, id] = ['BTCUSDT', (order: Fields) => String(order.orderId)];
  await client.listen(`${wsBase}/ws`, subscription, events);
  const { listenKey } = await client.call('POST /fapi/v1/listenKey');
  await client.listen(`${wsBase}/private/ws?listenKey=${String(listenKey)}`, null, events);
  await client.read('/fapi/v1/time');
  await client.read('/fapi/v1/exchangeInfo');
  await client.read('/fapi/v1/klines', { symbol, interval: '1m', limit: '1' });
  await client.read('/fapi/v1/ticker/24hr', { symbol });
  await client.read('/fapi/v1/ticker/bookTicker', { symbol });
  await client.read('/fapi/v1/premiumIndex');
  await client.read('/fapi/v1/fundingRate', { symbol });
  await client.call('POST /fapi/v1/leverage', { symbol, leverage: '5' });
  await client.call('POST /fapi/v1/marginType', { symbol, marginType: 'ISOLATED' });
  const order = { symbol, side: 'BUY', quantity: '0.01' };
  const away = await client.call('POST /fapi/v1/order', {
    ...order,
    type: 'LIMIT',
    timeInForce: 'GTX',
    price: '60000',
  });
  await client.call('GET /fapi/v1/openOrders', { symbol });
  await client.call('DELETE /fapi/v1/order', { symbol, orderId: id(away) });
  await client.call('POST /fapi/v1/order', { ...order, type: 'MARKET' }, false);
  await client.call('GET /fapi/v1/order', { symbol, orderId: id(away) });
  const stop = { ...{ symbol, side: 'SELL', quantity: '0.01', type: 'STOP_MARKET', algoType: 'CONDITIONAL' } };
  const { algoId } = await client.call('POST /fapi/v1/algoOrder', { ...stop, triggerPrice: '50000' });
  await client.call('GET /fapi/v1/algoOrder', { algoId: String(algoId) });
  await client.call('GET /fapi/v1/openAlgoOrders', { symbol });
  await client.call('DELETE /fapi/v1/algoOrder', { algoId: String(algoId) });
  for (const call of ['allOrders', 'userTrades', 'leverageBracket'])
    await client.call(`GET /fapi/v1/${call}`, { symbol });
  for (const call of ['income', 'symbolConfig', 'accountConfig']) await client.call(`GET /fapi/v1/${call}`);
  for (const call of ['balance', 'positionRisk']) await client.call(`GET /fapi/v3/${call}`);
  await client.call('GET /sapi/v1/account/apiRestrictions');
  await client.call('POST /fapi/v1/order', { ...order, side: 'SELL', type: 'MARKET' }, false);
  const market = ['trade', 'bookTicker', 'kline'];
  await client.finishReceiving([
    ...market,
    'ORDER_TRADE_UPDATE',
    'ACCOUNT_UPDATE',
    'ALGO_UPDATE',
    'ACCOUNT_CONFIG_UPDATE',
  ]);
  return client;
}

const PUSHES: readonly (readonly [part: string, name: string])[] = [
  ['publicAggreBookTicker', 'bookTicker'],
  ['publicAggreDeals', 'deals'],
  ['publicSpotKline', 'kline'],
  ['privateOrders', 'order'],
  ['privateDeals', 'deal'],
  ['privateAccount', 'account'],
];

function push(data: unknown): [string, unknown] | null {
  if (!(data instanceof ArrayBuffer)) return null;
  const fields = decodePush(new Uint8Array(data));
  const name = PUSHES.find(([part]) => part in fields)?.[1];
  // The first message of an order has no fill yet, but the recorded order is filled.
  const order = fields.privateOrders as Fields | undefined;
  return name === undefined || (order !== undefined && order.status !== 2) ? null : [name, fields];
}

async function queryMexc(): Promise<DemoResponses> {
  const { ws } = sandbox.mexc;
  const client = new DemoClient(sandbox.mexc);
  const symbol = 'BTCUSDT';
  const { listenKey } = await client.call('POST /api/v3/userDataStream');
  const channels = ['aggre.bookTicker.v3.api.pb@100ms@BTCUSDT', 'aggre.deals.v3.api.pb@100ms@BTCUSDT'];
  const params = [...channels.map((name) => `spot@public.${name}`), 'spot@public.kline.v3.api.pb@BTCUSDT@Min1'];
  const own = ['orders', 'deals', 'account'].map((name) => `spot@private.${name}.v3.api.pb`);
  await client.listen(ws, { method: 'SUBSCRIPTION', params }, push);
  await client.listen(`${ws}?listenKey=${String(listenKey)}`, { method: 'SUBSCRIPTION', params: own }, push);
  await client.read('/api/v3/time');
  await client.read('/api/v3/exchangeInfo');
  await client.read('/api/v3/klines', { symbol, interval: '1m', limit: '1' });
  await client.read('/api/v3/ticker/24hr', { symbol });
  await client.read('/api/v3/ticker/bookTicker', { symbol });
  const order = { symbol, side: 'BUY', quantity: '0.001' };
  const limit = { ...order, type: 'LIMIT', price: '40000' };
  await client.call('POST /api/v3/order/test', limit);
  const { orderId } = await client.call('POST /api/v3/order', limit);
  await client.call('GET /api/v3/openOrders', { symbol });
  await client.call('DELETE /api/v3/order', { symbol, orderId: String(orderId) });
  await client.call('POST /api/v3/order', { ...order, side: 'SELL', type: 'MARKET' }, false);
  await client.call('GET /api/v3/order', { symbol, orderId: String(orderId) });
  await client.call('GET /api/v3/myTrades', { symbol });
  for (const call of ['account', 'uid', 'userDataStream']) await client.call(`GET /api/v3/${call}`);
  await client.finishReceiving(PUSHES.map(([, name]) => name));
  for (const call of ['PUT', 'DELETE']) {
    await client.call(`${call} /api/v3/userDataStream`, { listenKey: String(listenKey) });
  }
  return client;
}

/** Lists the allowed differences of the demo market, with reasons; any other difference fails. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The exchange has added these fields since the documentation was recorded.
  'mexc GET /api/v3/account': ['+ balances[].available'],
  'mexc GET /api/v3/exchangeInfo': [
    '+ symbols[].contractAddress',
    '+ symbols[].quoteOrderQtyMarketAllowed',
    '+ symbols[].st',
  ],
  // The schema has these fields; the documented examples show taker orders without a client order ID.
  'mexc deal': ['+ privateDeals.clientOrderId', '+ privateDeals.isMaker', '+ privateDeals.isSelfTrade'],
  'mexc order': ['+ privateOrders.clientId', '+ privateOrders.isMaker'],
};

interface Venue {
  readonly name: 'binance' | 'binanceusdm' | 'mexc';
  readonly recordings: VenueRecordings;
  query(): Promise<DemoResponses>;
  /** Converts a recorded message to its format on the wire. */
  message(body: unknown): unknown;
  /** Contains messages that come only at a server shutdown or a key's expiry. */
  readonly rare: readonly string[];
}

const VENUES: readonly Venue[] = [
  {
    ...{ name: 'binance', recordings: BINANCE_RECORDINGS, query: queryBinance, message: (body) => body },
    rare: ['eventStreamTerminated', 'serverShutdown'],
  },
  {
    ...{ name: 'binanceusdm', recordings: BINANCEUSDM_RECORDINGS, query: queryUsdm, message: (body) => body },
    rare: ['listenKeyExpired'],
  },
  {
    ...{
      name: 'mexc',
      recordings: MEXC_RECORDINGS,
      query: queryMexc,
      message: (body) => decodePush(pushOf(body as object)),
    },
    rare: [],
  },
];

test.each(VENUES)(
  'the demo market responds as $name: same keys, same types',
  async ({ name, recordings, ...venue }) => {
    const responses = await venue.query();
    const found: Record<string, readonly string[]> = {};
    const compare = (what: string, ours: unknown, theirs: unknown) => {
      const differences = shapeDifferences(shapeOf(ours), shapeOf(theirs));
      if (differences.length > 0) found[`${name} ${what}`] = differences;
    };
    const compared = Object.keys(recordings.streams).filter((message) => !venue.rare.includes(message));
    expect([...responses.rest.keys()].sort()).toEqual(Object.keys(recordings.rest).sort());
    expect([...responses.streams.keys()]).toEqual(expect.arrayContaining(compared));
    for (const [call, { body }] of Object.entries(recordings.rest)) compare(call, responses.rest.get(call), body);
    for (const message of compared) {
      compare(message, responses.streams.get(message), venue.message(recordings.streams[message]?.body));
    }
    expect(found).toEqual(Object.fromEntries(Object.entries(ALLOWED).filter(([what]) => what.startsWith(`${name} `))));
  },
);
