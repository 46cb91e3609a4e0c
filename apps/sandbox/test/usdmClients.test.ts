import { DerivativesTradingUsdsFutures } from '@binance/derivatives-trading-usds-futures';
import { USDMClient } from 'binance';
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

type Stream = { on(name: 'message', onEvent: (event: Row) => void): void };

/** Resolves with the first event of a stream that matches. */
function firstThat(stream: object, matches: (event: Row) => boolean): Promise<Row> {
  // Each stream has its own event type; the events are JSON.
  return new Promise((resolve) => (stream as Stream).on('message', (event) => matches(event) && resolve(event)));
}

describe('Binance’s own @binance/derivatives-trading-usds-futures', () => {
  let client: DerivativesTradingUsdsFutures;
  let bid: number;
  const symbol = 'BTCUSDT';

  beforeAll(async () => {
    const { rest, wsBase, key, secret } = sandbox.binanceusdm;
    client = new DerivativesTradingUsdsFutures({
      configurationRestAPI: { apiKey: key, apiSecret: secret, basePath: rest, retries: 0, timeout: 20_000 },
      configurationWebsocketStreams: { wsURL: wsBase },
    });
    const best = (await (await client.restAPI.symbolOrderBookTicker({ symbol })).data()) as Row;
    bid = Number(best.bidPrice);
  });

  test('the client reads the market', async () => {
    const rest = client.restAPI;
    const info = await (await rest.exchangeInformation()).data();
    expect(info.symbols?.[0]).toMatchObject({ contractType: 'PERPETUAL', status: 'TRADING' });
    expect(await (await rest.klineCandlestickData({ symbol, interval: '1m' as never, limit: 3 })).data()).toHaveLength(
      3,
    );
    expect((await (await rest.orderBook({ symbol, limit: 5 })).data()).bids).toHaveLength(5);
    expect(await (await rest.markPrice({ symbol })).data()).toMatchObject({ symbol, interestRate: '0.00010000' });
    expect(await (await rest.getFundingRateHistory({ symbol, limit: 4 })).data()).toHaveLength(4);
    expect(await (await rest.getFundingRateInfo()).data()).toHaveLength(10);
    expect(Number((await (await rest.openInterest({ symbol })).data()).openInterest)).toBe(0);
  });

  test('account, positions and statements agree after trades', async () => {
    const rest = client.restAPI;
    expect(await (await rest.changeInitialLeverage({ symbol, leverage: 25 })).data()).toMatchObject({
      maxNotionalValue: '1000000',
    });
    await rest.changeMarginType({ symbol, marginType: 'ISOLATED' as never });
    const order = { symbol, side: 'BUY', type: 'MARKET', quantity: 0.1, newOrderRespType: 'RESULT' };
    const placed = await (await rest.newOrder(asSent(order))).data();
    expect(placed).toMatchObject({ status: 'FILLED', executedQty: '0.100', positionSide: 'BOTH' });
    const [position] = await (await rest.positionInformationV3({ symbol })).data();
    expect(position).toMatchObject({ positionAmt: '0.100', marginAsset: 'USDT' });
    const entry = Number(position?.entryPrice);
    // 0.1 BTC at 25: (E / 25 − E) / (0.4 % − 1), in the first bracket
    expect(Number(position?.liquidationPrice)).toBeCloseTo((entry * 0.96) / 0.996, 1);
    const [old] = await (await rest.positionInformationV2({ symbol })).data();
    expect(old).toMatchObject({ leverage: '25', marginType: 'isolated' });
    const account = await (await rest.accountInformationV3()).data();
    const [balance] = await (await rest.futuresAccountBalanceV3()).data();
    expect(balance?.balance).toBe(account.totalWalletBalance);
    const trades = await (await rest.accountTradeList({ symbol })).data();
    expect(trades.every(({ orderId }) => Number(orderId) === Number(placed.orderId))).toBe(true);
    const limit = {
      symbol,
      side: 'SELL',
      type: 'LIMIT',
      timeInForce: 'GTX',
      quantity: 0.1,
      price: Math.round(bid * 1.02),
    };
    const resting = await (await rest.newOrder(asSent({ ...limit, reduceOnly: 'true' }))).data();
    const orderId = Number(resting.orderId);
    expect(await (await rest.queryOrder({ symbol, orderId })).data()).toMatchObject({
      status: 'NEW',
      reduceOnly: true,
    });
    const changed = { symbol, orderId, side: 'SELL', quantity: 0.05, price: Math.round(bid * 1.03) };
    expect(await (await rest.modifyOrder(asSent(changed))).data()).toMatchObject({ origQty: '0.050' });
    expect(await (await rest.currentAllOpenOrders({ symbol })).data()).toHaveLength(1);
    expect(await (await rest.cancelOrder({ symbol, orderId })).data()).toMatchObject({ status: 'CANCELED' });
    const incomes = await (await rest.getIncomeHistory({ symbol })).data();
    expect(incomes.map(({ incomeType }) => incomeType)).toContain('COMMISSION');
    expect((await (await rest.userCommissionRate({ symbol })).data()).takerCommissionRate).toBe('0.000500');
  });

  test('the client places conditional orders and batches', async () => {
    const rest = client.restAPI;
    const stop = { algoType: 'CONDITIONAL', symbol, side: 'SELL', type: 'STOP_MARKET' };
    const closing = { ...stop, triggerPrice: Math.round(bid * 0.9), closePosition: 'true', workingType: 'MARK_PRICE' };
    const algo = await (await rest.newAlgoOrder(asSent(closing))).data();
    expect(algo).toMatchObject({ algoStatus: 'NEW', closePosition: true, workingType: 'MARK_PRICE' });
    const algoId = Number(algo.algoId);
    expect(await (await rest.queryAlgoOrder({ algoId })).data()).toMatchObject({ orderType: 'STOP_MARKET' });
    expect(await (await rest.currentAllAlgoOpenOrders({ symbol })).data()).toHaveLength(1);
    expect(await (await rest.cancelAlgoOrder({ algoId })).data()).toMatchObject({ code: '200' });
    expect((await (await rest.queryAllAlgoOrders({ symbol })).data()).at(-1)).toMatchObject({ algoStatus: 'CANCELED' });
    const bidding = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' };
    const batchOrders = [
      { ...bidding, price: String(Math.round(bid * 0.97)) },
      { ...bidding, price: String(Math.round(bid * 0.5)), quantity: '0' },
    ];
    const batch = (await (await rest.placeMultipleOrders(asSent({ batchOrders }))).data()) as Row[];
    expect(batch).toMatchObject([{ status: 'NEW' }, { code: -4003 }]);
    await rest.cancelAllOpenOrders({ symbol });
    expect(await (await rest.currentAllOpenOrders({})).data()).toEqual([]);
  });

  test('the client listens to markets and to its account', async () => {
    const rest = client.restAPI;
    const { listenKey = '' } = await (await rest.startUserDataStream()).data();
    expect((await (await rest.keepaliveUserDataStream()).data()) as Row).toMatchObject({ listenKey });
    const streams = await client.websocketStreams.connect();
    try {
      const name = symbol.toLowerCase();
      const on = { symbol: name };
      const received = Promise.all([
        firstThat(streams.markPriceStream(asSent({ ...on, updateSpeed: '1s' })), ({ e }) => e === 'markPriceUpdate'),
        firstThat(streams.aggregateTradeStreams(on), ({ e }) => e === 'aggTrade'),
        firstThat(streams.individualSymbolBookTickerStreams(on), ({ e }) => e === 'bookTicker'),
        firstThat(
          streams.diffBookDepthStreams(asSent({ ...on, updateSpeed: '100ms' })),
          ({ e }) => e === 'depthUpdate',
        ),
        firstThat(streams.klineCandlestickStreams(asSent({ ...on, interval: '1m' })), ({ e }) => e === 'kline'),
      ]);
      const reported: Row[] = [];
      const filled = firstThat(streams.userData(listenKey), (event) => {
        reported.push(event);
        return event.e === 'ORDER_TRADE_UPDATE' && (event.o as Row).X === 'FILLED';
      });
      const events = await received;
      expect(events.map(({ s }) => s)).toEqual(Array(5).fill(symbol));
      // The earlier subscription is active by now.
      await rest.newOrder(asSent({ symbol, side: 'SELL', type: 'MARKET', quantity: 0.1, reduceOnly: 'true' }));
      await filled;
      const names = reported.map(({ e }) => e);
      expect(names[0]).toBe('ORDER_TRADE_UPDATE');
      expect(names).toContain('ACCOUNT_UPDATE');
      const update = reported.findLast(({ e }) => e === 'ACCOUNT_UPDATE') as { a: { P: Row[] } };
      expect(update.a.P).toMatchObject([{ s: symbol, pa: '0.000', mt: 'isolated' }]);
    } finally {
      await streams.disconnect();
    }
    await rest.closeUserDataStream();
    await expect(rest.keepaliveUserDataStream()).rejects.toThrow('This listenKey does not exist.');
  });
});

describe('binance, a community client', () => {
  test('the client trades in hedge mode with parameters in the query', async () => {
    const { rest, key, secret } = sandbox.binanceusdm;
    const client = new USDMClient({ api_key: key, api_secret: secret, baseUrl: rest });
    await client.setPositionMode({ dualSidePosition: 'true' });
    const order = { symbol: 'ETHUSDT', side: 'BUY', positionSide: 'LONG', type: 'MARKET', quantity: 1 } as const;
    const placed = await client.submitNewOrder({ ...order, newOrderRespType: 'RESULT' });
    expect(placed).toMatchObject({ status: 'FILLED', positionSide: 'LONG' });
    expect(await client.getPositionsV3({ symbol: 'ETHUSDT' })).toMatchObject(
      [{ positionSide: 'LONG' }, {}].slice(0, 1),
    );
    await client.submitNewOrder({ ...order, side: 'SELL' });
    expect(await client.getPositionsV3({ symbol: 'ETHUSDT' })).toEqual([]);
    await client.setPositionMode({ dualSidePosition: 'false' });
  });
});
