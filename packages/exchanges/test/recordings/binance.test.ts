import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { toUnits as u } from '@heron/engine/money/units.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { balancesOf, executionOf, statusOf } from '../../src/binance/parseAccount.ts';
import { candleOf, quoteOf, tradeOf } from '../../src/binance/parseMarket.ts';
import { openBinance } from '../../src/binance/public.ts';
import { openBinanceTrading } from '../../src/binance/trading.ts';
import type { PublicExchange } from '../../src/exchange.ts';
import { venueBudget } from '../../src/http/venueBudget.ts';
import { openGivenNet } from '../../src/net/openNet.ts';
import { BINANCE_RECORDINGS } from '../../src/testing/recordings/binance.ts';
import { bodyOf } from '../../src/testing/recordings/recording.ts';
import type { AccountEvent, TradingExchange } from '../../src/trading.ts';
import { jsonOf, openReplayVenue, type ReplayVenue } from './replayVenue.ts';

const { rest, streams } = BINANCE_RECORDINGS;
/** Client id of the recorded order. */
const NAME = 'x-R4BD3S82d1481ae59ba59326d82c8a';
let venue: ReplayVenue;
let reading: PublicExchange;
let trading: TradingExchange;
/** Messages that the account stream gets after its subscription. */
let events: unknown[] = [];

beforeAll(async () => {
  venue = await openReplayVenue(BINANCE_RECORDINGS, (socket, message) => {
    if (message === null || !message.includes('userDataStream.subscribe.signature')) return;
    socket.send(jsonOf({ id: 'subscribe', status: 200, result: { subscriptionId: 0 } }));
    for (const event of events) socket.send(jsonOf({ subscriptionId: 0, event }));
  });
  const net = openGivenNet('binance', venue, { now: Date.now });
  reading = await openBinance({ net, now: Date.now });
  trading = await openBinanceTrading({
    ...{ key: { key: 'k', secret: 's' }, net },
    ...{ budget: venueBudget('binance', Date.now), markets: () => reading.markets(), now: Date.now },
  });
});

beforeEach(() => venue.instead.clear());

afterAll(async () => {
  await trading.close();
  await reading.close();
  await venue.close();
});

const request = (given: Partial<SizedOrderRequest>): SizedOrderRequest => ({
  ...{ clientOrderId: 'a', pair: 'BTC-USDT', side: 'sell', type: 'market', price: 0, quantity: u(1) },
  ...{ assetDecimals: 8, exit: false, decidedAt: Date.now(), ...given },
});

const marketById = async () => {
  const byId = new Map((await reading.markets()).map((market) => [market.base + market.quote, market]));
  return (id: string) => byId.get(id);
};

test('an order bears the time of its decision, and of sending when the clock was set back since', async () => {
  const now = () => 1_700_000_000_000;
  const { serverTime } = bodyOf<{ serverTime: number }>(rest, 'GET /api/v3/time');
  const client = await openBinanceTrading({
    ...{ key: { key: 'k', secret: 's' }, net: openGivenNet('binance', venue, { now }) },
    ...{ budget: venueBudget('binance', now), markets: () => reading.markets(), now },
  });
  const timestampOf = async (decidedAt: number) => {
    await client.place(request({ decidedAt }));
    const sent = venue.requests.findLast(({ call }) => call === 'POST /api/v3/order');
    return Number(sent?.params.get('timestamp'));
  };
  expect(await timestampOf(now() - 2_000)).toBe(serverTime - 2_000);
  expect(await timestampOf(now() + 600_000)).toBe(serverTime);
  await client.close();
});

test('a pair has the grids, the minimums and the kind of stop of its filters', async () => {
  const [market] = await reading.markets();
  expect(market).toEqual({
    ...{ pair: 'BTC-USDT', base: 'BTC', quote: 'USDT', tick: u(0.01), step: u(0.00001) },
    ...{ minQuantity: u(0.00001), maxQuantity: u(9_000), minNotional: u(5), assetDecimals: 8 },
    stop: 'market',
  });
});

test('a ticker has last price, best prices with sizes, 24-hour change and quote volume', async () => {
  expect(await reading.tickers(['BTC-USDT'])).toEqual([
    {
      ...{ pair: 'BTC-USDT', last: u(73_369.84), bid: u(73_369.83), bidSize: 627_086_000 },
      ...{ ask: u(73_369.84), askSize: 3_321_000, change24h: 1.647, volume24h: 5_167_027_510.687_287 },
    },
  ]);
});

test('a candle has its open time, four prices and the volume of the asset', async () => {
  expect(await reading.candles('BTC-USDT', '1m', 1_499_040_000_000, 1_499_040_060_000)).toEqual([
    {
      ...{ time: 1_499_040_000_000, open: 0.0163479, high: 0.8, low: 0.015758, close: 0.015771 },
      volume: 148_976.11427815,
    },
  ]);
});

test('the response to a new order has its state and its fills with their fees', async () => {
  const { report, fills } = await trading.place(request({}));
  expect(report).toEqual({
    ...{ clientOrderId: '6gCrw2kRUAF9CvJDGP16IP', pair: 'BTC-USDT', side: 'sell', type: 'market', price: 0 },
    ...{ quantity: u(10), filled: u(10), status: 'filled', at: 1_507_725_176_595, exit: false },
  });
  expect(fills).toHaveLength(2);
  expect(fills[1]).toEqual({
    ...{ id: '57', at: 1_507_725_176_595, pair: 'BTC-USDT', clientOrderId: '6gCrw2kRUAF9CvJDGP16IP', side: 'sell' },
    ...{ price: u(3_999), quantity: u(5), fee: u(19.995), feeAsset: 'USDT', liquidity: 'taker' },
    exit: false,
  });
});

test('the response to a cancel is the final state of the cancelled order', async () => {
  expect(await trading.cancel('LTC-USDT', 'myOrder1')).toEqual({
    ...{ clientOrderId: 'myOrder1', pair: 'LTC-USDT', side: 'buy', type: null, price: u(2), quantity: u(1) },
    ...{ filled: 0, status: 'canceled', at: 1_684_804_350_068, exit: false },
  });
});

test('an order query has the state and the time of its last change', async () => {
  expect(await trading.order('LTC-USDT', NAME)).toEqual({
    ...{ clientOrderId: NAME, pair: 'LTC-USDT', side: 'buy', type: null },
    ...{ price: u(50), quantity: u(0.1), filled: 0, status: 'canceled', at: 1_706_883_268_013, exit: false },
  });
});

test('a stop order has its trigger, and every documented status has a meaning', async () => {
  const row = bodyOf(rest, 'GET /api/v3/order');
  const meanings = {
    ...{ NEW: 'open', PENDING_NEW: 'open', PARTIALLY_FILLED: 'open', PENDING_CANCEL: 'open', FILLED: 'filled' },
    ...{ CANCELED: 'canceled', REJECTED: 'rejected', EXPIRED: 'expired', EXPIRED_IN_MATCH: 'expired' },
  };
  for (const [status, meaning] of Object.entries(meanings)) {
    venue.instead.set('GET /api/v3/order', {
      body: {
        ...row,
        status,
        type: 'STOP_LOSS_LIMIT',
        side: 'SELL',
        stopPrice: '49.50000000',
        expiryReason: 'REJECTED',
      },
    });
    expect(await trading.order('LTC-USDT', NAME)).toMatchObject({
      ...{ status: meaning, type: 'stop_limit', side: 'sell', trigger: { price: u(49.5), by: 'last' } },
    });
  }
  expect(() => statusOf('SOMETHING_NEW')).toThrow('SOMETHING_NEW');
});

test('open orders, balances and trades are read row by row', async () => {
  expect(await trading.openOrders(['LTC-USDT'])).toMatchObject([
    { clientOrderId: 'myOrder1', price: u(0.1), quantity: u(1), status: 'open', at: 1_499_827_319_559 },
  ]);
  expect(await trading.balances()).toContainEqual({ asset: 'LTC', free: '0.91974100', locked: '0.00000000' });
  expect(await trading.account()).toBe('365859102');
  expect(await trading.ownTrades('LTC-USDT', { at: 0, id: '28457' })).toEqual([
    {
      ...{ id: '28457', at: 1_499_865_549_590, pair: 'LTC-USDT', side: 'buy', price: u(4.000001) },
      ...{ clientOrderId: NAME, quantity: u(12), fee: u(10.1) },
      ...{ feeAsset: 'BNB', liquidity: 'taker', exit: false },
    },
  ]);
});

test('a trade whose order id is unknown gets its id from the list of orders', async () => {
  const [row] = bodyOf<[object]>(rest, 'GET /api/v3/myTrades');
  const [order] = bodyOf<[object]>(rest, 'GET /api/v3/allOrders');
  venue.instead.set('GET /api/v3/myTrades', { body: [{ ...row, orderId: 99 }] });
  venue.instead.set('GET /api/v3/allOrders', { body: [{ ...order, orderId: 99, clientOrderId: 'mine' }] });
  const [fill] = await trading.ownTrades('LTC-USDT', { at: 0, id: '28457' });
  expect(fill?.clientOrderId).toBe('mine');
});

test('a key that may transfer counts as one that may withdraw', async () => {
  expect(await trading.permissions()).toEqual({ trade: false, withdraw: true, ipRestricted: false });
});

test('quotes, trades and candles of the streams have every field that a feed uses', async () => {
  const byId = await marketById();
  expect(quoteOf(bodyOf(streams, 'bookTicker'), byId)).toEqual({
    ...{ type: 'quote', pair: 'BTC-USDT', bid: u(25.3519), bidSize: u(31.21) },
    ...{ ask: u(25.3652), askSize: u(40.66) },
  });
  expect(tradeOf(bodyOf(streams, 'trade'), byId)).toEqual({
    id: 12_345,
    event: { type: 'trade', pair: 'BTC-USDT', price: u(0.001), quantity: u(100) },
  });
  expect(candleOf(bodyOf(streams, 'kline'), byId)).toEqual({
    ...{ type: 'candle', pair: 'BTC-USDT', period: '1m', closed: false },
    candle: { time: 1_672_515_780_000, open: 0.001, high: 0.0025, low: 0.0015, close: 0.002, volume: 1_000 },
  });
});

test('an execution report is the order and, for a trade, its fill; `C` names a cancel', async () => {
  const byId = await marketById();
  const event = bodyOf<Record<string, unknown>>(streams, 'executionReport');
  const order = {
    ...{ clientOrderId: 'mUvoqJxFIILMdfAW5iGSOW', pair: 'BTC-USDT', side: 'buy', type: null, price: u(0.1026441) },
    ...{ quantity: u(1), filled: 0, status: 'open', at: 1_499_405_658_657 },
  };
  expect(executionOf(event, byId)).toEqual({ report: order, order: 'BTCUSDT 4293153', fill: null });
  const traded = { x: 'TRADE', X: 'PARTIALLY_FILLED', l: '0.332', z: '0.332', L: '46.866', n: '0.000332', N: 'BNB' };
  expect(executionOf({ ...event, ...traded, t: 109_747_654, m: true }, byId)?.fill).toEqual({
    ...{ id: '109747654', at: 1_499_405_658_657, pair: 'BTC-USDT', clientOrderId: 'mUvoqJxFIILMdfAW5iGSOW' },
    ...{ side: 'buy', price: u(46.866), quantity: u(0.332), fee: 33_200, feeAsset: 'BNB' },
    ...{ liquidity: 'maker', exit: false },
  });
  const cancelled = executionOf({ ...event, x: 'CANCELED', X: 'CANCELED', C: 'mine', c: 'of the cancel' }, byId);
  expect(cancelled?.report).toMatchObject({ clientOrderId: 'mine', status: 'canceled' });
});

test('the account stream emits orders and balances, and reconnects when it is ended', async () => {
  const received: AccountEvent[] = [];
  const again = Promise.withResolvers<void>();
  events = ['executionReport', 'outboundAccountPosition', 'eventStreamTerminated'].map((name) => bodyOf(streams, name));
  const stream = trading.stream((event) => {
    received.push(event);
    if (event.type === 'lost') again.resolve();
  });
  await again.promise;
  await stream.close();
  expect(received.map(({ type }) => type)).toEqual(['connected', 'order', 'balances', 'lost']);
  expect(received[2]).toEqual({
    type: 'balances',
    balances: [{ asset: 'ETH', free: '10000.000000', locked: '0.000000' }],
  });
  expect(balancesOf(bodyOf<never>(streams, 'outboundAccountPosition'))).toHaveLength(1);
});
