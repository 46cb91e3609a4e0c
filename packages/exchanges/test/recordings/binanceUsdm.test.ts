import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { toUnits as u } from '@heron/engine/money/units.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { candleOf, quoteOf, tradeOf } from '../../src/binance/parseMarket.ts';
import { orderUpdateOf, stopOf, stopUpdateOf } from '../../src/binanceUsdm/parseAccount.ts';
import { openBinanceUsdm } from '../../src/binanceUsdm/public.ts';
import { openBinanceUsdmTrading } from '../../src/binanceUsdm/trading.ts';
import type { PublicFutures } from '../../src/exchange.ts';
import { venueBudget } from '../../src/http/venueBudget.ts';
import { openGivenNet } from '../../src/net/openNet.ts';
import { BINANCEUSDM_RECORDINGS } from '../../src/testing/recordings/binanceUsdm.ts';
import { bodyOf } from '../../src/testing/recordings/recording.ts';
import type { AccountEvent, MarginAccount, TradingExchange } from '../../src/trading.ts';
import { jsonOf, openReplayVenue, type ReplayVenue } from './replayVenue.ts';

const { rest, streams } = BINANCEUSDM_RECORDINGS;
/** Decimals of an asset unit of BTC here. */
const DECIMALS = 7;
const q = (amount: number) => u(amount, DECIMALS);
let venue: ReplayVenue;
let reading: PublicFutures;
let trading: TradingExchange;
let margin: MarginAccount;

beforeAll(async () => {
  venue = await openReplayVenue(BINANCEUSDM_RECORDINGS, (socket, message) => {
    if (message !== null) return;
    for (const name of ['ORDER_TRADE_UPDATE', 'ALGO_UPDATE', 'ACCOUNT_UPDATE', 'ACCOUNT_CONFIG_UPDATE']) {
      socket.send(jsonOf(bodyOf(streams, name)));
    }
    socket.send(jsonOf(bodyOf(streams, 'listenKeyExpired')));
  });
  const net = openGivenNet('binanceusdm', venue, { now: Date.now });
  reading = await openBinanceUsdm({ net, now: Date.now });
  trading = await openBinanceUsdmTrading({
    ...{ key: { key: 'k', secret: 's' }, net, budget: venueBudget('binanceusdm', Date.now) },
    ...{ markets: () => reading.markets(), now: Date.now },
  });
  margin = trading.margin as MarginAccount;
});

beforeEach(() => venue.instead.clear());

afterAll(async () => {
  await trading.close();
  await reading.close();
  await venue.close();
});

const request = (given: Partial<SizedOrderRequest>): SizedOrderRequest => ({
  ...{ clientOrderId: 'a', pair: 'BTC-USDT', side: 'sell', type: 'limit_maker', price: u(9_300), quantity: q(10) },
  ...{ assetDecimals: DECIMALS, exit: false, decidedAt: Date.now(), ...given },
});

const marketById = async () => {
  const [market] = await reading.markets();
  return (id: string) => (id === 'BTCUSDT' ? market : undefined);
};

test('a contract has the grids and minimums that its filters say, and a stop at market', async () => {
  expect(await reading.markets()).toEqual([
    {
      ...{ pair: 'BTC-USDT', base: 'BTC', quote: 'USDT', tick: u(0.1), step: q(0.001), minQuantity: q(0.001) },
      ...{ maxQuantity: q(1_000), minNotional: u(100), assetDecimals: DECIMALS, stop: 'market' },
    },
  ]);
});

test('a ticker has the best prices, which are in a response of their own', async () => {
  const ticker = {
    ...{ pair: 'BTC-USDT', last: u(4.000002), bid: u(4), bidSize: q(431), ask: u(4.000002), askSize: q(9) },
    ...{ change24h: -95.96, volume24h: 15.3 },
  };
  expect(await reading.tickers(['BTC-USDT'])).toEqual([ticker]);
  for (const path of ['24hr', 'bookTicker']) {
    const call = `GET /fapi/v1/ticker/${path}`;
    venue.instead.set(call, { body: [bodyOf(rest, call)] });
  }
  expect(await reading.tickers()).toEqual([ticker]);
});

test('candles, funding terms and past fundings are read', async () => {
  expect(await reading.candles('BTC-USDT', '1m', 1_499_040_000_000, 1_499_040_060_000)).toEqual([
    {
      ...{ time: 1_499_040_000_000, open: 0.0163479, high: 0.8, low: 0.015758, close: 0.015771 },
      volume: 148_976.11427815,
    },
  ]);
  expect(await reading.funding(['BTC-USDT'])).toEqual([
    {
      ...{ pair: 'BTC-USDT', mark: u(11_793.63104562), index: u(11_781.8049597), rate: 0.00038246 },
      nextAt: 1_597_392_000_000,
    },
  ]);
  expect(await reading.fundingHistory('BTC-USDT', 1_570_608_000_000, 1_570_608_000_001)).toEqual([
    { time: 1_570_608_000_000, rate: -0.0375, mark: u(34_287.54619963) },
  ]);
});

test('responses to a new order and to a cancel contain the state of the order', async () => {
  expect((await trading.place(request({}))).report).toEqual({
    ...{ clientOrderId: 'testOrder', pair: 'BTC-USDT', side: 'sell', type: null, price: 0, quantity: q(10) },
    ...{ filled: 0, status: 'open', at: 1_566_818_724_722, exit: false },
  });
  expect(await trading.cancel('BTC-USDT', 'myOrder1')).toEqual({
    ...{ clientOrderId: 'myOrder1', pair: 'BTC-USDT', side: 'buy', type: null, price: u(9_300), quantity: q(11) },
    ...{ filled: 0, status: 'canceled', at: 1_571_110_484_038, exit: true },
  });
});

test('an order query has the last change time; every documented status has a meaning', async () => {
  expect(await trading.order('BTC-USDT', 'x')).toEqual({
    ...{ clientOrderId: 'x-xcKtGhcud2deca88ac9f4ccb9485a9', pair: 'BTC-USDT', side: 'buy', type: 'market', price: 0 },
    ...{ quantity: q(0.01), filled: q(0.01), status: 'filled', at: 1_707_550_415_587, exit: false },
  });
  const row = bodyOf(rest, 'GET /fapi/v1/order');
  const meanings = {
    ...{ NEW: 'open', PARTIALLY_FILLED: 'open', FILLED: 'filled', CANCELED: 'canceled', REJECTED: 'rejected' },
    ...{ EXPIRED: 'expired', EXPIRED_IN_MATCH: 'expired', NEW_INSURANCE: 'open', NEW_ADL: 'open' },
  };
  for (const [status, meaning] of Object.entries(meanings)) {
    venue.instead.set('GET /fapi/v1/order', { body: { ...row, status } });
    expect(await trading.order('BTC-USDT', 'x')).toMatchObject({ status: meaning });
  }
});

test('a stop has its own endpoints for place, query, list and cancel, and known states', async () => {
  const stop = {
    ...{ clientOrderId: '6B2I9XVcJpCjqPAJ4YoFX7', pair: 'BTC-USDT', side: 'sell', type: 'stop_market', price: 0 },
    ...{ quantity: q(0.01), trigger: { price: u(750), by: 'last' }, filled: 0, exit: false },
  };
  const asked = request({ type: 'stop_market', trigger: { price: u(750), by: 'last' }, exit: true });
  const { report } = await trading.place(asked);
  expect(report).toEqual({ ...stop, status: 'open', at: 1_750_485_492_076 });
  expect(await trading.order('BTC-USDT', 'x', 'stop')).toEqual({ ...stop, status: 'canceled', at: 1_750_514_545_091 });
  expect((await trading.openOrders(['BTC-USDT']))[0]).toEqual({ ...stop, status: 'open', at: 1_750_514_941_540 });
  expect(await trading.cancel('BTC-USDT', '6B2I9XVcJpCjqPAJ4YoFX7', 'stop')).toBeNull();
  const byId = await marketById();
  const row = bodyOf(rest, 'GET /fapi/v1/algoOrder');
  const meanings = {
    ...{ NEW: 'open', TRIGGERING: 'open', TRIGGERED: 'open', FINISHED: 'open', CANCELED: 'canceled' },
    ...{ EXPIRED: 'expired', REJECTED: 'expired' },
  };
  for (const [algoStatus, meaning] of Object.entries(meanings)) {
    expect(stopOf({ ...row, algoStatus }, byId).status).toBe(meaning);
  }
});

test('the state of a triggered stop is that of its order', async () => {
  const row = bodyOf(rest, 'GET /fapi/v1/algoOrder');
  const body = { ...row, algoStatus: 'FINISHED', actualOrderId: '262065925771' };
  venue.instead.set('GET /fapi/v1/algoOrder', { body });
  expect(await trading.order('BTC-USDT', 'x', 'stop')).toMatchObject({
    ...{ clientOrderId: '6B2I9XVcJpCjqPAJ4YoFX7', type: 'stop_market', status: 'filled', filled: q(0.01) },
  });
});

test('open orders and trades are read row by row', async () => {
  expect((await trading.openOrders(['BTC-USDT']))[1]).toEqual({
    ...{ clientOrderId: 'abc', pair: 'BTC-USDT', side: 'buy', type: 'limit_maker', price: u(9_300) },
    ...{ quantity: q(0.4), filled: 0, status: 'open', at: 1_579_276_756_075, exit: true },
  });
  const row = bodyOf<[object]>(rest, 'GET /fapi/v1/userTrades')[0];
  venue.instead.set('GET /fapi/v1/userTrades', { body: [{ ...row, orderId: 4711 }] });
  const listed = bodyOf<[object]>(rest, 'GET /fapi/v1/allOrders')[0];
  venue.instead.set('GET /fapi/v1/allOrders', { body: [{ ...listed, orderId: 4711 }] });
  expect(await trading.ownTrades('BTC-USDT', { at: 0, id: '698759' })).toEqual([
    {
      ...{ id: '698759', at: 1_569_514_978_020, pair: 'BTC-USDT', clientOrderId: 'x-xcKtGhcud2deca88ac9f4ccb9485a9' },
      ...{ side: 'sell', price: u(7_819.01), quantity: q(0.002), fee: u(0.0781901), feeAsset: 'USDT' },
      ...{ liquidity: 'taker', exit: false, pnl: u(-0.91539999) },
    },
  ]);
});

test('wallet, positions, settings, brackets, incomes and permissions are read', async () => {
  expect(await trading.balances()).toEqual([{ asset: 'USDT', free: '122607.35137903', locked: '0' }]);
  expect(await trading.account()).toBe('SgsR');
  expect(await margin.positions()).toEqual([
    {
      ...{ pair: 'BTC-USDT', quantity: q(0.009), entryPrice: u(67_445.9), mark: u(67_502.68519858) },
      margin: 0,
    },
  ]);
  expect(await margin.settings()).toEqual([{ pair: 'BTC-USDT', leverage: 21, isolated: false }]);
  expect(await margin.hedged()).toBe(true);
  expect((await margin.brackets()).get('BTC-USDT')).toEqual([
    { floor: 0, cap: u(10_000), mmr: 650_000, cum: 0, maxLeverage: 75 },
    { floor: u(10_000), cap: u(50_000), mmr: 1_000_000, cum: u(35), maxLeverage: 50 },
  ]);
  expect(await margin.incomes(0)).toEqual([
    // Its number is longer than a number can be.
    {
      ...{ type: 'funding', id: '8082457372019390060', at: 1_707_465_600_000, pair: 'BTC-USDT' },
      amount: u(-0.04618913),
    },
  ]);
  expect(await trading.permissions()).toEqual({ trade: true, withdraw: false, ipRestricted: true });
});

test('leverage and margin mode are set, and an unchanged mode is no failure', async () => {
  await margin.setLeverage('BTC-USDT', 21);
  await margin.setMarginMode('BTC-USDT', 'isolated');
  const body = { code: -4046, msg: 'No need to change margin type.' };
  venue.instead.set('POST /fapi/v1/marginType', { status: 400, body });
  await margin.setMarginMode('BTC-USDT', 'isolated');
});

test('quotes, trades and candles of the streams have every field that a feed uses', async () => {
  const byId = await marketById();
  expect(quoteOf(bodyOf(streams, 'bookTicker'), byId)).toEqual({
    ...{ type: 'quote', pair: 'BTC-USDT', bid: u(25.3519), bidSize: q(31.21), ask: u(25.3652), askSize: q(40.66) },
  });
  expect(tradeOf(bodyOf(streams, 'trade'), byId)).toEqual({
    id: 158_410_082,
    event: { type: 'trade', pair: 'BTC-USDT', price: u(7_103.04), quantity: q(0.007) },
  });
  expect(candleOf(bodyOf(streams, 'kline'), byId)).toMatchObject({
    ...{ pair: 'BTC-USDT', period: '1m', closed: false },
    candle: { time: 1_638_747_660_000, open: 0.001, high: 0.0025, low: 0.0015, close: 0.002, volume: 1_000 },
  });
});

test('an order update is the order and, for a trade, its fill, fee and profit', async () => {
  const byId = await marketById();
  const event = bodyOf<{ o: object }>(streams, 'ORDER_TRADE_UPDATE');
  const received = orderUpdateOf(event as never, byId);
  expect(received).toEqual({
    report: {
      ...{ clientOrderId: 'xNzvN00fwGYcj0DLc9EThL', pair: 'BTC-USDT', side: 'sell', type: 'limit_maker' },
      ...{ price: u(2_463.26), quantity: q(0.473), filled: 0, status: 'open', at: 1_788_231_596_123, exit: false },
    },
    order: 'BTCUSDT 81873278124',
    fill: null,
  });
  const traded = { x: 'TRADE', X: 'FILLED', l: '0.473', z: '0.473', L: '2463.26', n: '0.02164139', t: 871_685_788 };
  const filled = orderUpdateOf({ ...event, o: { ...event.o, ...traded, rp: '-0.05412' } }, byId);
  expect(filled?.fill).toEqual({
    ...{ id: '871685788', at: 1_788_231_596_123, pair: 'BTC-USDT', clientOrderId: 'xNzvN00fwGYcj0DLc9EThL' },
    ...{ side: 'sell', price: u(2_463.26), quantity: q(0.473), fee: u(0.02164139), feeAsset: 'USDT' },
    ...{ liquidity: 'taker', exit: false, pnl: u(-0.05412) },
  });
  for (const [c, forced] of Object.entries({
    ...{ 'autoclose-1': 'liquidation', adl_autoclose: 'deleveraging', 'settlement_autoclose-1': 'deleveraging' },
  })) {
    const closed = orderUpdateOf({ ...event, o: { ...event.o, ...traded, x: 'CALCULATED', c } }, byId);
    expect(closed?.fill?.forced).toBe(forced);
  }
});

test('an algo update is the stop, and names the order that it triggered', async () => {
  const byId = await marketById();
  const event = bodyOf<{ o: object }>(streams, 'ALGO_UPDATE');
  const { row, order } = stopUpdateOf(event as never);
  expect(stopOf(row, byId)).toEqual({
    ...{ clientOrderId: 'Q5xaq5EGKgXXa0fD7fs0Ip', pair: 'BTC-USDT', side: 'sell', type: 'stop_market', price: 0 },
    ...{ quantity: 0, trigger: { price: u(74_960.75), by: 'mark' }, filled: 0, status: 'open' },
    ...{ at: 1_788_231_624_647, exit: true },
  });
  expect(order).toBeNull();
  expect(stopUpdateOf({ ...event, o: { ...event.o, X: 'TRIGGERED', ai: '77' } }).order).toBe('BTCUSDT 77');
});

test('the account stream emits orders, stops and balances, and survives key expiry', async () => {
  const received: AccountEvent[] = [];
  const again = Promise.withResolvers<void>();
  const stream = trading.stream((event) => {
    received.push(event);
    if (event.type === 'lost') again.resolve();
  });
  await again.promise;
  await stream.close();
  expect(received.map(({ type }) => type)).toEqual(['connected', 'order', 'order', 'balances', 'changed', 'lost']);
  expect(received[3]).toEqual({
    type: 'balances',
    balances: [{ asset: 'USDT', free: '4208.43752587', locked: '0' }],
  });
});
