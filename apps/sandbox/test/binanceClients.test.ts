import { Spot } from '@binance/spot';
import { DefaultLogger, MainClient, WebsocketAPIClient, WebsocketClient } from 'binance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';

// These third-party clients use the machine's time.

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 5, port: 0 });
});

afterAll(() => sandbox.close());

/** Rows and orders as they are on the wire. */
type Row = { [name: string]: unknown };

/** Casts a word to the enumeration of a client, which has the same words. */
const asSent = (order: Row) => order as never;

/** Resolves with the first event that matches. */
function firstThat<T>(listen: (onEvent: (event: T) => void) => void, matches: (event: T) => boolean): Promise<T> {
  return new Promise((resolve) => listen((event) => matches(event) && resolve(event)));
}

describe('Binance’s own @binance/spot', () => {
  let client: Spot;
  let bid: number;
  const symbol = 'BTCUSDT';
  const limit = (price: number, quantity = 0.01): Row => ({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity,
    price: Math.round(price),
  });

  beforeAll(async () => {
    const { rest, key, secret, wsApi } = sandbox.binance;
    const keys = { apiKey: key, apiSecret: secret };
    client = new Spot({
      configurationRestAPI: { ...keys, basePath: rest, retries: 0 },
      configurationWebsocketAPI: { ...keys, wsURL: wsApi },
      configurationWebsocketStreams: { wsURL: rest.replace('http', 'ws') },
    });
    const best = (await (await client.restAPI.tickerBookTicker({ symbol })).data()) as Row;
    bid = Number(best.bidPrice);
  });

  test('the client reads the market and the account', async () => {
    const rest = client.restAPI;
    expect((await (await rest.exchangeInfo({ symbol })).data()).symbols?.[0]?.orderTypes).toContain('STOP_LOSS_LIMIT');
    expect(await (await rest.klines({ symbol, interval: '1m' as never, limit: 3 })).data()).toHaveLength(3);
    expect((await (await rest.depth({ symbol, limit: 5 })).data()).bids).toHaveLength(5);
    const account = await (await rest.getAccount({ omitZeroBalances: true })).data();
    expect(account.balances?.map(({ asset }) => asset)).toContain('USDT');
    expect((await (await rest.accountCommission({ symbol })).data()).standardCommission?.maker).toBe('0.00100000');
    expect((await (await rest.rateLimitOrder()).data()).map(({ intervalNum }) => Number(intervalNum))).toEqual([10, 1]);
    expect(await (await rest.openOrderList()).data()).toEqual([]);
    const tested = await (await rest.orderTest(asSent({ ...limit(bid * 0.9), computeCommissionRates: true }))).data();
    expect(tested.standardCommissionForOrder).toEqual({ maker: '0.00100000', taker: '0.00100000' });
  });

  test('the client places every type of order, amends, replaces and cancels', async () => {
    const rest = client.restAPI;
    const place = async (order: Row) =>
      (await rest.newOrder(asSent({ newOrderRespType: 'FULL', symbol, ...order }))).data();
    const market = await place({ side: 'BUY', type: 'MARKET', quantity: 0.02 });
    expect(market).toMatchObject({ status: 'FILLED', executedQty: '0.02000000' });
    expect(await place({ side: 'BUY', type: 'MARKET', quoteOrderQty: 100 })).toMatchObject({ status: 'FILLED' });
    const stop = { side: 'SELL', quantity: 0.001, stopPrice: Math.round(bid * 0.8) };
    const take = { side: 'SELL', quantity: 0.001, stopPrice: Math.round(bid * 1.2) };
    const atLimit = { timeInForce: 'GTC', price: Math.round(bid * 0.79) };
    for (const order of [
      limit(bid * 0.9),
      { side: 'BUY', type: 'LIMIT_MAKER', quantity: 0.01, price: Math.round(bid * 0.9) },
      { ...stop, type: 'STOP_LOSS' },
      { ...stop, ...atLimit, type: 'STOP_LOSS_LIMIT' },
      { ...take, type: 'TAKE_PROFIT' },
      { ...take, ...atLimit, type: 'TAKE_PROFIT_LIMIT' },
    ]) {
      const placed = await place(order);
      expect(placed).toMatchObject({ status: 'NEW', type: order.type, executedQty: '0.00000000' });
      const seen = await (await rest.getOrder({ symbol, orderId: placed.orderId as number })).data();
      expect(seen).toMatchObject({ clientOrderId: placed.clientOrderId, isWorking: order.stopPrice === undefined });
    }
    expect(await place({ ...limit(bid * 0.9), timeInForce: 'IOC' })).toMatchObject({ status: 'EXPIRED' });
    expect(await place({ ...limit(bid * 0.9), timeInForce: 'FOK' })).toMatchObject({ status: 'EXPIRED' });
    const open = await (await rest.getOpenOrders({ symbol })).data();
    expect(open).toHaveLength(6);
    const orderId = open[0]?.orderId as number;
    const amended = await (
      await rest.orderAmendKeepPriority({ symbol, orderId, newQty: 0.004, newClientOrderId: 'smaller' })
    ).data();
    expect(amended.amendedOrder).toMatchObject({ qty: '0.00400000', clientOrderId: 'smaller', status: 'NEW' });
    expect(await (await rest.orderAmendments({ symbol, orderId })).data()).toMatchObject([
      { origQty: '0.01000000', newQty: '0.00400000', newClientOrderId: 'smaller' },
    ]);
    const replaced = await (
      await rest.orderCancelReplace(
        asSent({ ...limit(bid * 0.91), cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrigClientOrderId: 'smaller' }),
      )
    ).data();
    expect(replaced).toMatchObject({ cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' });
    const newId = replaced.newOrderResponse?.orderId as number;
    expect(await (await rest.deleteOrder({ symbol, orderId: newId })).data()).toMatchObject({ status: 'CANCELED' });
    expect(await (await rest.deleteOpenOrders({ symbol })).data()).toHaveLength(5);
    const trades = await (await rest.myTrades({ symbol, orderId: market.orderId as number })).data();
    expect(trades.reduce((sum, { qty }) => sum + Number(qty), 0)).toBeCloseTo(0.02, 8);
    expect(Number((await (await rest.allOrders({ symbol })).data()).length)).toBeGreaterThanOrEqual(10);
  });

  test.each([
    ['a filter', () => limit(bid * 0.9, 0.00001), 'BadRequestError', -1013, 'Filter failure: NOTIONAL'],
    ['another filter', () => limit(1), 'BadRequestError', -1013, 'Filter failure: PERCENT_PRICE_BY_SIDE'],
    [
      'too little money',
      () => limit(bid * 0.9, 90),
      'BadRequestError',
      -2010,
      'Account has insufficient balance for requested action.',
    ],
    ['an unknown symbol', () => ({ ...limit(1), symbol: 'NOPE' }), 'BadRequestError', -1121, 'Invalid symbol.'],
    [
      'a stop that has happened',
      () => ({ ...limit(bid * 0.9), type: 'STOP_LOSS_LIMIT', stopPrice: Math.round(bid * 0.8) }),
      'BadRequestError',
      -2010,
      'Order would trigger immediately.',
    ],
  ])('the client gets %s', async (_name, order, name, code, message) => {
    await expect(client.restAPI.newOrder(asSent(order()))).rejects.toMatchObject({ name, code, message });
  });

  test('the client trades over the WebSocket API and gets account events', async () => {
    const api = await client.websocketAPI.connect();
    expect((await api.time()).data.serverTime).toBeGreaterThan(0);
    const { stream } = await api.userDataStreamSubscribeSignature();
    const received: Row[] = [];
    const done = firstThat<Row>(
      (onEvent) => stream.on('message', (event) => onEvent(event as unknown as Row)),
      (event) => {
        received.push(event);
        return event.x === 'CANCELED';
      },
    );
    const placed = (await api.orderPlace(asSent(limit(bid * 0.9)))).data;
    const orderId = placed.orderId as number;
    expect(placed.status).toBe('NEW');
    const shrunk = (await api.orderAmendKeepPriority({ symbol, orderId, newQty: 0.005 })).data.amendedOrder;
    expect(shrunk?.qty).toBe('0.00500000');
    expect((await api.openOrdersStatus({ symbol })).data).toHaveLength(1);
    const cancelled = (await api.orderCancel({ symbol, orderId })).data;
    expect(cancelled.status).toBe('CANCELED');
    await done;
    expect(received.filter(({ e }) => e === 'executionReport').map(({ x, i }) => [x, i])).toEqual(
      ['NEW', 'REPLACED', 'CANCELED'].map((type) => [type, orderId]),
    );
    expect(received.findLast(({ x }) => x === 'CANCELED')).toMatchObject({
      C: shrunk?.clientOrderId,
      q: '0.00500000',
    });
    await expect(api.orderCancel({ symbol, orderId })).rejects.toMatchObject({
      code: -2011,
      msg: 'Unknown order sent.',
    });
    await api.disconnect();
  });

  test('the client listens to market streams', async () => {
    const streams = await client.websocketStreams.connect();
    const of = <T>(stream: { on(event: 'message', callback: (data: T) => void): void }) =>
      firstThat<T>(
        (onEvent) => stream.on('message', onEvent),
        () => true,
      );
    const [trade, kline, book] = await Promise.all([
      of(streams.trade({ symbol: 'btcusdt' })),
      of(streams.kline({ symbol: 'btcusdt', interval: '1m' as never })),
      of(streams.diffBookDepth({ symbol: 'btcusdt' })),
    ]);
    expect([trade.e, kline.e, book.e]).toEqual(['trade', 'kline', 'depthUpdate']);
    await streams.disconnect();
  });
});

describe('the client `binance`', () => {
  const symbol = 'ETHUSDT';
  let client: MainClient;
  let bid: number;

  beforeAll(async () => {
    const { rest, key, secret } = sandbox.binance;
    client = new MainClient({ api_key: key, api_secret: secret, baseUrl: rest, disableTimeSync: true });
    const best = await client.getSymbolOrderBookTicker({ symbol });
    bid = Number(Array.isArray(best) ? best[0]?.bidPrice : best.bidPrice);
  });

  test('the client reads, trades, replaces, cancels, and gets errors', async () => {
    const low = Math.round(bid * 0.9);
    const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.1, price: low } as const;
    expect((await client.getAccountInformation()).balances.length).toBeGreaterThan(5);
    const market = await client.submitNewOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: 0.1 });
    expect(market).toMatchObject({ status: 'FILLED', executedQty: '0.10000000' });
    const placed = await client.submitNewOrder(order);
    const replaced = await client.replaceOrder({
      ...order,
      price: low + 1,
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: placed.orderId,
    });
    expect(replaced).toMatchObject({ cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' });
    const stop = { symbol, side: 'SELL', quantity: 0.05, stopPrice: low } as const;
    await client.submitNewOrder({ ...stop, type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC', price: low - 1 });
    expect((await client.getOpenOrders({ symbol })).map(({ type }) => type)).toEqual(['LIMIT', 'STOP_LOSS_LIMIT']);
    expect(await client.cancelAllSymbolOrders({ symbol })).toHaveLength(2);
    expect((await client.getAccountTradeList({ symbol })).every(({ orderId }) => orderId === market.orderId)).toBe(
      true,
    );
    expect((await client.getAllOrders({ symbol })).map(({ status }) => status)).toEqual([
      'FILLED',
      'CANCELED',
      'CANCELED',
      'CANCELED',
    ]);
    await expect(client.cancelOrder({ symbol, orderId: placed.orderId })).rejects.toMatchObject({
      code: -2011,
      message: 'Unknown order sent.',
    });
    await expect(client.submitNewOrder({ ...order, quantity: 0.0001 })).rejects.toMatchObject({
      code: -1013,
      message: 'Filter failure: NOTIONAL',
    });
    expect(await client.getApiKeyPermissions()).toMatchObject({ enableWithdrawals: false });
  });

  test('the client gets its orders over the WebSocket API, and trades by streams', async () => {
    const { rest, wsApi, key, secret } = sandbox.binance;
    const silent = { ...DefaultLogger, trace: () => {}, info: () => {}, error: () => {} };
    const options = { attachEventListeners: false, muteLatencyWarning: true };
    const api = new WebsocketAPIClient({ api_key: key, api_secret: secret, wsUrl: wsApi, ...options }, silent);
    expect((await api.getSpotServerTime()).status).toBe(200);
    const report = firstThat<{ e?: string; event?: { e?: string; s?: string; X?: string } }>(
      (onEvent) => api.getWSClient().on('message', (event) => onEvent(event as never)),
      (event) => JSON.stringify(event).includes('executionReport') && JSON.stringify(event).includes('FILLED'),
    );
    await api.subscribeUserDataStream('mainWSAPI');
    const placed = await api.submitNewSpotOrder({
      symbol,
      side: 'SELL',
      type: 'MARKET',
      quantity: 0.05,
      timestamp: Date.now(),
    } as never);
    expect(placed.result).toMatchObject({ status: 'FILLED' });
    expect(JSON.stringify(await report)).toContain(symbol);
    api.disconnectAll();
    const streams = new WebsocketClient({ wsUrl: `${rest.replace('http', 'ws')}/ws` }, silent);
    const trade = firstThat<{ e?: string }>(
      (onEvent) => streams.on('message', (event) => onEvent(event as never)),
      ({ e }) => e === 'trade',
    );
    void streams.subscribe('btcusdt@trade', 'main');
    expect(await trade).toMatchObject({ s: 'BTCUSDT' });
    streams.closeAll(true);
  });
});
