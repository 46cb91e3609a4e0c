import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { toUnits as u } from '@heron/engine/money/units.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { PublicExchange } from '../../src/exchange.ts';
import { venueBudget } from '../../src/http/venueBudget.ts';
import { pushedOrder } from '../../src/mexc/parseAccount.ts';
import { candleOf, quoteOf, tradesOf } from '../../src/mexc/parseMarket.ts';
import { openMexc } from '../../src/mexc/public.ts';
import { decodePush } from '../../src/mexc/pushSchema.ts';
import { openMexcTrading } from '../../src/mexc/trading.ts';
import { openGivenNet } from '../../src/net/openNet.ts';
import { MEXC_RECORDINGS } from '../../src/testing/recordings/mexc.ts';
import { pushOf } from '../../src/testing/recordings/mexcPush.ts';
import { bodyOf } from '../../src/testing/recordings/recording.ts';
import type { AccountEvent, TradingExchange } from '../../src/trading.ts';
import { openReplayVenue, type ReplayVenue } from './replayVenue.ts';

const { rest, streams } = MEXC_RECORDINGS;

/** Decimals of an asset unit here. */
const q = (amount: number) => u(amount, 6);
/** An order without a name of its own goes by its number. */
const ORDER_ID = 'C02__385413065019117569043';
let venue: ReplayVenue;
let reading: PublicExchange;
let trading: TradingExchange;

beforeAll(async () => {
  venue = await openReplayVenue(MEXC_RECORDINGS, (socket, message) => {
    const { method, params } = JSON.parse(message ?? '{}');
    if (method !== 'SUBSCRIPTION') return;
    socket.send(JSON.stringify({ id: 0, code: 0, msg: params.join(',') }));
    for (const name of ['order', 'account', 'deal']) socket.send(pushOf(bodyOf(streams, name)));
  });
  const net = openGivenNet('mexc', venue, { now: Date.now });
  reading = await openMexc({ net, now: Date.now });
  trading = await openMexcTrading({
    ...{ key: { key: 'k', secret: 's' }, net, budget: venueBudget('mexc', Date.now) },
    ...{ markets: () => reading.markets(), now: Date.now },
  });
});

beforeEach(() => venue.instead.clear());

afterAll(async () => {
  await trading.close();
  await reading.close();
  await venue.close();
});

const request = (given: Partial<SizedOrderRequest>): SizedOrderRequest => ({
  ...{ clientOrderId: 'a', pair: 'ATLAS-USDT', side: 'sell', type: 'limit_ioc', price: u(0.1), quantity: q(50) },
  ...{ assetDecimals: 6, exit: false, decidedAt: Date.now(), ...given },
});

const marketById = async () => {
  const byId = new Map((await reading.markets()).map((market) => [market.base + market.quote, market]));
  return (id: string) => byId.get(id);
};

const market = async (id: string) => {
  const found = (await marketById())(id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};

test('a pair has its grids and its minimum order value, and no stop orders', async () => {
  expect(await market('ATLASUSDT')).toEqual({
    ...{ pair: 'ATLAS-USDT', base: 'ATLAS', quote: 'USDT', tick: u(0.000001), step: q(0.01), minQuantity: 0 },
    ...{ maxQuantity: Number.MAX_SAFE_INTEGER, minNotional: u(1), assetDecimals: 6 },
  });
});

test.each([
  { status: '2' },
  { status: '3' },
  { isSpotTradingAllowed: false },
  { tradeSideType: 2 },
  { tradeSideType: '3' },
  { tradeSideType: 4 },
])('a pair that may not be traded both ways over the API is not offered: %o', async (given) => {
  const body = bodyOf<{ symbols: object[] }>(rest, 'GET /api/v3/exchangeInfo');
  const [first, ...others] = body.symbols;
  venue.instead.set('GET /api/v3/exchangeInfo', { body: { ...body, symbols: [{ ...first, ...given }, ...others] } });
  const other = await openMexc({ net: openGivenNet('mexc', venue, { now: Date.now }), now: Date.now });
  expect((await other.markets()).map(({ pair }) => pair)).toEqual(['BTC-USDT', 'MX-USDT']);
  await other.close();
});

test('a ticker has last price, best prices with sizes, 24-hour change and quote volume', async () => {
  expect(await reading.tickers(['BTC-USDT'])).toEqual([
    {
      ...{ pair: 'BTC-USDT', last: u(73_397.77), bid: u(73_369.83), bidSize: q(10.010045) },
      ...{ ask: u(73_369.84), askSize: q(6.337532), change24h: 1.73, volume24h: 554877037.44 },
    },
  ]);
  const ticker = bodyOf(rest, 'GET /api/v3/ticker/24hr');
  // As the documents have it: sizes are empty, the value is null.
  const body = { ...ticker, bidQty: '', askQty: '', quoteVolume: null };
  venue.instead.set('GET /api/v3/ticker/24hr', { body });
  expect(await reading.tickers(['BTC-USDT'])).toMatchObject([{ bidSize: null, askSize: null, last: u(73_397.77) }]);
});

test('a candle has its open time, four prices and the volume of the asset', async () => {
  expect(await reading.candles('BTC-USDT', '1h', 1_710_327_600_000, 1_710_331_200_000)).toEqual([
    { time: 1_710_327_600_000, open: 73_260, high: 73_442.95, low: 73_238.69, close: 73_414.21, volume: 49.560236 },
  ]);
});

test('order and cancel responses lack the order state, which is queried', async () => {
  expect(await trading.place(request({}))).toEqual({ report: null, fills: [] });
  expect(await trading.cancel('ATLAS-USDT', 'myOrder1')).toBeNull();
  expect(await trading.order('ATLAS-USDT', 'myOrder1')).toEqual({
    ...{ clientOrderId: ORDER_ID, pair: 'ATLAS-USDT', side: 'sell', type: 'market', price: 0, quantity: q(1_220) },
    ...{ filled: q(1_220), status: 'filled', at: 1_707_671_871_000, exit: false },
  });
});

/** The last two orders that were sent. */
function sentOrders(): Record<string, string>[] {
  const orders = venue.requests.filter(({ call }) => call === 'POST /api/v3/order').map(({ params }) => params);
  return orders.slice(-2).map((params) => {
    const { type = '', side = '', price = '' } = Object.fromEntries(params);
    return { type, side, price };
  });
}

test('a market buy is an IOC limit order: MEXC documents a quantity for sales only', async () => {
  await trading.place(request({ side: 'buy', type: 'market', price: 0 }));
  expect(sentOrders().at(-1)).toEqual({ type: 'IMMEDIATE_OR_CANCEL', side: 'BUY', price: '0.004769' });
});

test('a market sale is sent as such, and across the book where the pair rejects it', async () => {
  await trading.place(request({ type: 'market', price: 0 }));
  expect(sentOrders().at(-1)).toEqual({ type: 'MARKET', side: 'SELL', price: '' });
  for (const code of [30_018, 30_019, 30_041]) {
    const body = { code, msg: 'api market order is disabled' };
    venue.instead.set('POST /api/v3/order', { status: 400, body });
    await expect(trading.place(request({ type: 'market', price: 0 }))).rejects.toMatchObject({ kind: 'refused' });
    expect(sentOrders()).toEqual([
      { type: 'MARKET', side: 'SELL', price: '' },
      { type: 'IMMEDIATE_OR_CANCEL', side: 'SELL', price: '0.00431' },
    ]);
  }
});

test('a fill whose time was cut to the second is not missed', async () => {
  await trading.ownTrades('ATLAS-USDT', { at: 1_707_671_871_654, id: '' });
  const { params } = venue.requests.filter(({ call }) => call === 'GET /api/v3/myTrades').at(-1) ?? {};
  expect(params?.get('startTime')).toBe('1707671871000');
});

test('every documented status has a meaning, over REST and in the stream', async () => {
  const row = bodyOf(rest, 'GET /api/v3/order');
  const meanings = {
    ...{ NEW: 'open', PARTIALLY_FILLED: 'open', FILLED: 'filled', CANCELED: 'canceled' },
    ...{ PARTIALLY_CANCELED: 'canceled' },
  };
  for (const [status, meaning] of Object.entries(meanings)) {
    venue.instead.set('GET /api/v3/order', { body: { ...row, status } });
    expect(await trading.order('ATLAS-USDT', 'x')).toMatchObject({ status: meaning });
  }
  const { privateOrders } = decodePush(pushOf(bodyOf(streams, 'order'))) as { privateOrders: object };
  const byId = await marketById();
  for (const [i, meaning] of ['open', 'filled', 'open', 'canceled', 'canceled'].entries()) {
    const received = pushedOrder({ ...privateOrders, status: i + 1 }, 'MXUSDT', 1, byId, () => true);
    expect(received?.status).toBe(meaning);
  }
});

test('an untouched order has no change time, and its quantity may be called `Qty`', async () => {
  const { origQty, ...row } = bodyOf<{ origQty: string }>(rest, 'GET /api/v3/order');
  const body = { ...row, Qty: origQty, executedQty: '0', status: 'NEW', updateTime: null, type: 'LIMIT' };
  venue.instead.set('GET /api/v3/order', { body });
  expect(await trading.order('ATLAS-USDT', 'x')).toMatchObject({
    ...{ quantity: q(1_220), status: 'open', at: 1_707_671_871_000, type: null, price: u(0.004327) },
  });
});

test('open orders, trades, balances and permissions are read row by row', async () => {
  expect(await trading.openOrders(['ATLAS-USDT'])).toMatchObject([
    { clientOrderId: 'myOrder1', price: u(0.1), quantity: q(1), filled: 0, status: 'open', at: 1_499_827_319_559 },
  ]);
  expect(await trading.ownTrades('ATLAS-USDT', { at: 1_707_671_871_000, id: '' })).toEqual([
    {
      ...{ id: 'dd44f79dda764c2e927a190ac5e7a1e5', at: 1_707_671_871_000, pair: 'ATLAS-USDT' },
      ...{ clientOrderId: ORDER_ID, side: 'sell', price: u(0.004542), quantity: q(1_220), fee: 0 },
      ...{ feeAsset: 'USDT', liquidity: 'taker', exit: false },
    },
  ]);
  expect(await trading.balances()).toEqual([
    { asset: 'NBNTEST', free: '1111078', locked: '33' },
    { asset: 'MAIN', free: '1020000', locked: '0' },
  ]);
  expect(await trading.account()).toBe('209302839');
  expect(await trading.permissions()).toEqual({ trade: true, withdraw: null, ipRestricted: null });
});

test.each([
  // Meanings of refusals, from the table of codes.
  { code: 10_072, msg: 'Api key info invalid', kind: 'refused', about: 'not_allowed' },
  { code: 700_001, msg: 'API-key format invalid', kind: 'refused', about: 'not_allowed' },
  { code: 700_002, msg: 'Signature for this request is not valid', kind: 'refused', about: 'not_allowed' },
  { code: 602, msg: 'Signature verification failed', kind: 'refused', about: 'not_allowed' },
  { code: 700_006, msg: 'IP non white list', kind: 'refused', about: 'not_allowed' },
  { code: 700_007, msg: 'No permission to access the endpoint', kind: 'refused', about: 'not_allowed' },
  { code: 700_003, msg: 'Timestamp for this request is outside of the recvWindow', kind: 'unreachable' },
  { code: 10_073, msg: 'invalid Request-Time', kind: 'unreachable' },
  { code: 30_004, msg: 'Insufficient position', kind: 'refused', about: 'no_money' },
  { code: 30_005, msg: 'Oversold', kind: 'refused', about: 'no_money' },
  { code: 10_101, msg: 'Insufficient balance', kind: 'refused', about: 'no_money' },
  { code: 30_002, msg: 'The minimum transaction volume cannot be less than:1USDT', kind: 'refused', about: 'other' },
  { code: 30_019, msg: 'api market order is disabled', kind: 'refused', about: 'other' },
  { code: 30_020, msg: 'no permission for the symbol', kind: 'refused', about: 'other' },
  { code: 30_087, msg: 'Order price exceeds allowed range', kind: 'refused', about: 'other' },
  { code: 603, msg: 'Repeated request', kind: 'unknown_outcome' },
  { code: 500, msg: 'Internal error', kind: 'unknown_outcome' },
  { code: 503, msg: 'service not available, please try again', kind: 'unknown_outcome' },
  { code: 504, msg: 'Gateway Time-out', kind: 'unknown_outcome' },
  { code: 429, msg: 'Too Many Requests', kind: 'rate_limited' },
])('the rejection $code of an order is $kind $about', async ({ code, msg, ...meaning }) => {
  venue.instead.set('POST /api/v3/order', { status: 400, body: { code, msg } });
  await expect(trading.place(request({}))).rejects.toMatchObject(meaning);
});

test('a pair closed to the account says nothing about the permissions of its key', async () => {
  const body = { code: 30_020, msg: 'no permission for the symbol' };
  venue.instead.set('POST /api/v3/order/test', { status: 400, body });
  expect(await trading.permissions()).toMatchObject({ trade: true });
});

test.each([
  { code: -2013, msg: 'Order does not exist.' },
  { code: -2011, msg: 'Unknown order sent.' },
])('an order for which MEXC returns $code does not exist', async (body) => {
  venue.instead.set('GET /api/v3/order', { status: 400, body });
  expect(await trading.order('ATLAS-USDT', 'x')).toBeNull();
});

test('quotes, trades and candles of the streams have every field that a feed uses', async () => {
  const btc = await market('BTCUSDT');
  expect(quoteOf(decodePush(pushOf(bodyOf(streams, 'bookTicker'))), btc)).toEqual({
    ...{ type: 'quote', pair: 'BTC-USDT', bid: u(93_387.28), bidSize: q(3.73485), ask: u(93_387.29) },
    askSize: q(7.669875),
  });
  expect(tradesOf(decodePush(pushOf(bodyOf(streams, 'deals'))), btc)).toEqual([
    { type: 'trade', pair: 'BTC-USDT', price: u(93_220), quantity: q(0.044382) },
  ]);
  const kline = bodyOf(streams, 'kline');
  const candle = {
    ...{ type: 'candle', pair: 'BTC-USDT', period: '15m', closed: false },
    candle: {
      time: 1_736_410_500_000,
      open: 92_925,
      high: 93_158.47,
      low: 92_800,
      close: 93_158.47,
      volume: 36.83803224,
    },
  };
  expect(candleOf(decodePush(pushOf(kline)), btc)).toEqual(candle);
  // Written after its end.
  const last = decodePush(pushOf({ ...kline, createTime: 1_736_411_400_000 }));
  expect(candleOf(last, btc)).toEqual({ ...candle, closed: true });
});

test('fields that the schema got in June 2026 and later are harmless', async () => {
  const btc = await market('BTCUSDT');
  const best = bodyOf(streams, 'bookTicker');
  // Field 6 of a best price, `lastOrderCreateTime`, and a number 99 that nobody knows, inside of field 315.
  const added = Uint8Array.from([0x30, 0x81, 0x01, 0x98, 0x06, 0x07]);
  const { publicAggreBookTicker, ...envelope } = best as { publicAggreBookTicker: object };
  const inner = pushOf({ publicAggreBookTicker }).subarray(3);
  const header = pushOf({ publicAggreBookTicker }).subarray(0, 2);
  const frame = [...pushOf(envelope), ...header, inner.length + added.length, ...inner, ...added];
  const decoded = decodePush(Uint8Array.from(frame));
  expect(quoteOf(decoded, btc)).toEqual(quoteOf(decodePush(pushOf(best)), btc));
});

test('the account stream emits orders, balances and, from the list of trades, fills', async () => {
  const received: AccountEvent[] = [];
  const filled = Promise.withResolvers<void>();
  venue.instead.set('GET /api/v3/myTrades', {
    body: [{ ...bodyOf<[object]>(rest, 'GET /api/v3/myTrades')[0], symbol: 'MXUSDT' }],
  });
  const stream = trading.stream((event) => {
    received.push(event);
    if (event.type === 'fill') filled.resolve();
  });
  await filled.promise;
  await stream.close();
  expect(received.slice(0, 3)).toEqual([
    { type: 'connected' },
    {
      type: 'order',
      report: {
        ...{ clientOrderId: 'C02__505979017439002624115', pair: 'MX-USDT', side: 'sell', type: 'market', price: 0 },
        ...{ quantity: q(1), filled: q(1), status: 'filled', at: 1_736_417_034_281 },
      },
    },
    { type: 'balances', balances: [{ asset: 'USDT', free: '21.94210356004384', locked: '0' }] },
  ]);
  expect(received[3]).toMatchObject({
    type: 'fill',
    fill: { id: 'dd44f79dda764c2e927a190ac5e7a1e5', pair: 'MX-USDT' },
  });
});
