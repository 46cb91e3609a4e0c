import {
  BadRequest,
  BadSymbol,
  ExchangeError,
  InsufficientFunds,
  InvalidNonce,
  InvalidOrder,
  type mexc,
  RateLimitExceeded,
} from 'ccxt';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { connectMexc } from './connectMexc.ts';
import { advanceUntil } from './marketTime.ts';

const clock = virtualClock(Date.UTC(2026, 0, 15, 10, 30));
let sandbox: Sandbox;
let client: mexc;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, port: 0, clock });
  client = await connectMexc(sandbox, clock);
  await client.loadMarkets();
}, 60_000);

// The limits of an endpoint are counted over ten seconds of the market's time.
afterEach(() => clock.advance(10_000));

afterAll(async () => {
  await client.close();
  await sandbox.close();
});

describe('market data of MEXC through unmodified ccxt', () => {
  test('markets have precisions, limits and fees', () => {
    expect(client.symbols).toHaveLength(10);
    expect(client.market('BTC/USDT')).toMatchObject({
      spot: true,
      active: true,
      maker: 0,
      taker: 0.0005,
      precision: { amount: 0.000001, price: 0.01 },
      limits: { amount: { min: 0.000001 }, cost: { min: 1, max: 4_000_000 } },
    });
    expect(Object.keys(client.currencies)).toContain('DOGE');
  });

  test('the time is that of the clock, and the status is ok', async () => {
    expect(await client.fetchTime()).toBe(clock.now());
    expect((await client.fetchStatus()).status).toBe('ok');
  });

  test('one ticker, several and all can be fetched', async () => {
    const one = await client.fetchTicker('BTC/USDT');
    expect(one.bid).toBeLessThan(one.ask as number);
    expect(one.high).toBeGreaterThanOrEqual(one.last as number);
    expect(one.baseVolume).toBeGreaterThan(0);
    expect(one.percentage).toBeCloseTo((((one.last as number) - (one.open as number)) / (one.open as number)) * 100, 1);
    expect(Object.keys(await client.fetchTickers(['BTC/USDT', 'ETH/USDT']))).toEqual(['BTC/USDT', 'ETH/USDT']);
    expect(Object.keys(await client.fetchTickers())).toHaveLength(10);
    expect(Object.keys(await client.fetchBidsAsks())).toHaveLength(10);
  });

  test('candles of every interval are contiguous, ordered and contain their extremes', async () => {
    for (const period of ['1m', '5m', '15m', '30m', '1h', '4h', '1d']) {
      const candles = await client.fetchOHLCV('ETH/USDT', period, undefined, 20);
      const length = client.parseTimeframe(period) * 1000;
      expect(candles).toHaveLength(20);
      candles.forEach(([time, open, high, low, close], i) => {
        expect((time as number) % length).toBe(0);
        if (i > 0) expect(time).toBe((candles[i - 1]?.[0] as number) + length);
        expect(high).toBeGreaterThanOrEqual(Math.max(open as number, close as number));
        expect(low).toBeLessThanOrEqual(Math.min(open as number, close as number));
      });
    }
    expect((await client.fetchOHLCV('ETH/USDT', '1w', undefined, 4)).length).toBeGreaterThanOrEqual(4);
    expect((await client.fetchOHLCV('ETH/USDT', '1M', undefined, 4)).length).toBeGreaterThanOrEqual(1);
  });

  test('history can be paged by time, 500 minutes at once', async () => {
    const since = Math.floor(clock.now() / 60_000) * 60_000 - 2_000 * 60_000;
    const first = await client.fetchOHLCV('SOL/USDT', '1m', since, 1000);
    expect(first).toHaveLength(500);
    expect(first[0]?.[0]).toBe(since);
    const next = await client.fetchOHLCV('SOL/USDT', '1m', since + 500 * 60_000);
    expect(next[0]?.[0]).toBe(since + 500 * 60_000);
    const until = await client.fetchOHLCV('SOL/USDT', '1m', since, 100, { until: since + 5 * 60_000 });
    expect(until).toHaveLength(6);
  });

  test('the book is two-sided, ordered and deep', async () => {
    for (const symbol of client.symbols) {
      const book = await client.fetchOrderBook(symbol, 1000);
      const bids = book.bids.map(([price]) => price as number);
      const asks = book.asks.map(([price]) => price as number);
      expect(bids[0]).toBeLessThan(asks[0] as number);
      expect(bids).toEqual([...bids].sort((a, b) => b - a));
      expect(asks).toEqual([...asks].sort((a, b) => a - b));
      expect(book.nonce).toBeGreaterThan(0);
    }
  });

  test('trades can be fetched by count and between two times', async () => {
    await advanceUntil(clock, client.watchTrades('BTC/USDT'));
    clock.advance(30_000);
    const trades = await client.fetchTrades('BTC/USDT');
    expect(trades.length).toBeGreaterThan(10);
    const times = trades.map(({ timestamp }) => timestamp as number);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const since = clock.now() - 20_000;
    const late = await client.fetchTrades('BTC/USDT', since, 1000, { until: clock.now() });
    expect(late.length).toBeGreaterThan(0);
    for (const { timestamp } of late) expect(timestamp).toBeGreaterThanOrEqual(since);
  });
});

describe('trading on MEXC through unmodified ccxt', () => {
  const far = async () =>
    Number(client.priceToPrecision('BTC/USDT', ((await client.fetchTicker('BTC/USDT')).bid as number) * 0.9));

  test('an open limit order is found by both ids, locks its value, and is cancelled', async () => {
    const before = await client.fetchBalance();
    const price = await far();
    const placed = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, price, { clientOrderId: 'mine-1' });
    expect(placed.id).toMatch(/^C02__[0-9]+$/);
    expect(placed.status).toBeUndefined();
    const order = await client.fetchOrder(String(placed.id), 'BTC/USDT');
    expect(order).toMatchObject({ status: 'open', filled: 0, remaining: 0.01, price, clientOrderId: 'mine-1' });
    const byClientId = await client.fetchOrder(undefined as never, 'BTC/USDT', { clientOrderId: 'mine-1' });
    expect(byClientId.id).toBe(order.id);
    expect((await client.fetchOpenOrders('BTC/USDT')).map(({ id }) => id)).toEqual([order.id]);
    expect((await client.fetchOpenOrders()).map(({ id }) => id)).toEqual([order.id]);
    const locked = await client.fetchBalance();
    expect(locked.USDT?.used).toBeCloseTo(price * 0.01, 8);
    expect(locked.USDT?.total).toBe(before.USDT?.total);
    expect((await client.cancelOrder(String(order.id), 'BTC/USDT')).status).toBe('canceled');
    expect((await client.fetchBalance()).USDT).toEqual(before.USDT);
    expect((await client.fetchOrder(String(order.id), 'BTC/USDT')).status).toBe('canceled');
    expect((await client.fetchOrders('BTC/USDT')).map(({ id }) => id)).toContain(order.id);
    await expect(client.cancelOrder(String(order.id), 'BTC/USDT')).rejects.toBeInstanceOf(BadRequest);
    await expect(client.cancelOrder(String(order.id), 'BTC/USDT')).rejects.toThrow('"code":-2011');
  });

  test('a market order fills at once and pays 0.05 % in the quote asset', async () => {
    const before = await client.fetchBalance();
    const buy = await client.createOrder('ETH/USDT', 'market', 'buy', 0.5);
    const sell = await client.createOrder('ETH/USDT', 'market', 'sell', 0.25);
    expect(await client.fetchOrder(String(buy.id), 'ETH/USDT')).toMatchObject({
      status: 'closed',
      filled: 0.5,
      remaining: 0,
    });
    const trades = (await client.fetchMyTrades('ETH/USDT')).filter(
      ({ order }) => order === buy.id || order === sell.id,
    );
    const after = await client.fetchBalance();
    let eth = 0;
    let usdt = 0;
    for (const trade of trades) {
      expect(trade).toMatchObject({ takerOrMaker: 'taker', fee: { currency: 'USDT' } });
      expect(trade.fee?.cost).toBeCloseTo((trade.cost as number) * 0.0005, 7);
      const direction = trade.side === 'buy' ? 1 : -1;
      eth += direction * (trade.amount as number);
      usdt -= direction * (trade.cost as number) + (trade.fee?.cost as number);
    }
    expect(eth).toBeCloseTo(0.25, 10);
    expect((after.ETH?.total as number) - (before.ETH?.total as number)).toBeCloseTo(0.25, 8);
    expect((after.USDT?.total as number) - (before.USDT?.total as number)).toBeCloseTo(usdt, 7);
    expect((await client.fetchOrderTrades(String(buy.id), 'ETH/USDT')).every(({ order }) => order === buy.id)).toBe(
      true,
    );
    expect(await client.fetchTradingFee('ETH/USDT')).toMatchObject({ maker: 0, taker: 0.0005 });
  });

  test('a market order by value spends no more than the value', async () => {
    const placed = await client.createMarketBuyOrderWithCost('SOL/USDT', 500);
    const order = await client.fetchOrder(String(placed.id), 'SOL/USDT');
    expect(order.status).toBe('closed');
    expect(order.cost).toBeLessThanOrEqual(500);
    expect(order.cost).toBeGreaterThan(499);
  });

  test('immediate-or-cancel, fill-or-kill and post-only orders work', async () => {
    const low = await far();
    const outcome = async (type: string, price: number, params: object) => {
      const { id } = await client.createOrder('BTC/USDT', type as 'limit', 'buy', 0.01, price, params);
      return client.fetchOrder(String(id), 'BTC/USDT');
    };
    expect(await outcome('limit', low, { timeInForce: 'IOC' })).toMatchObject({ status: 'canceled', filled: 0 });
    expect(await outcome('limit', low, { timeInForce: 'FOK' })).toMatchObject({ status: 'canceled', filled: 0 });
    const { ask } = await client.fetchTicker('BTC/USDT');
    const through = Number(client.priceToPrecision('BTC/USDT', (ask as number) * 1.01));
    const filled = await outcome('limit', through, { timeInForce: 'FOK' });
    expect(filled).toMatchObject({ status: 'closed', filled: 0.01 });
    expect(filled.average).toBeLessThan(through);
    // The order is accepted, and cancelled at once.
    expect(await outcome('limit', through, { postOnly: true })).toMatchObject({ status: 'canceled', filled: 0 });
    const maker = await outcome('limit', low, { postOnly: true });
    expect(maker).toMatchObject({ status: 'open' });
    const edited = await client.editOrder(String(maker.id), 'BTC/USDT', 'limit', 'buy', 0.02, low);
    expect(await client.fetchOrder(String(edited.id), 'BTC/USDT')).toMatchObject({ status: 'open', amount: 0.02 });
    expect((await client.fetchOrder(String(maker.id), 'BTC/USDT')).status).toBe('canceled');
    await client.cancelAllOrders('BTC/USDT');
    expect(await client.fetchOpenOrders('BTC/USDT')).toEqual([]);
  });

  test('a batch has a result for each order', async () => {
    const price = await far();
    const orders = await client.createOrders([
      { symbol: 'BTC/USDT', type: 'limit', side: 'buy', amount: 0.01, price },
      { symbol: 'BTC/USDT', type: 'limit', side: 'buy', amount: 0.02, price, params: { clientOrderId: 'batched' } },
    ]);
    expect(orders.map(({ id }) => id)).toEqual((await client.fetchOpenOrders('BTC/USDT')).map(({ id }) => id));
    await client.cancelAllOrders('BTC/USDT');
  });

  test('an open order is filled in its turn, as maker and free of charge', async () => {
    const { bid } = await client.fetchTicker('BTC/USDT');
    const { id } = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.002, bid as number, { postOnly: true });
    for (let minutes = 0; minutes < 600; minutes++) {
      clock.advance(60_000);
      if ((await client.fetchOpenOrders('BTC/USDT')).length === 0) break;
    }
    expect(await client.fetchOrder(String(id), 'BTC/USDT')).toMatchObject({
      status: 'closed',
      filled: 0.002,
      average: bid,
    });
    const trades = (await client.fetchMyTrades('BTC/USDT')).filter((trade) => trade.order === id);
    expect(trades.length).toBeGreaterThan(0);
    for (const trade of trades) {
      expect(trade).toMatchObject({ takerOrMaker: 'maker', price: bid, fee: { currency: 'USDT', cost: 0 } });
    }
  });

  test('rejections become the matching errors of ccxt', async () => {
    const low = await far();
    const order = (type: 'limit' | 'market', side: 'buy' | 'sell', amount: number, price?: number, params = {}) =>
      client.createOrder('BTC/USDT', type, side, amount, price, params);
    await expect(order('limit', 'buy', 40, low)).rejects.toBeInstanceOf(InsufficientFunds);
    await expect(order('limit', 'buy', 40, low)).rejects.toThrow('"code":30004');
    await expect(order('market', 'sell', 30)).rejects.toThrow('"code":30005');
    await expect(order('market', 'sell', 30)).rejects.toBeInstanceOf(InsufficientFunds);
    await expect(order('limit', 'buy', 0.000001, low)).rejects.toThrow('cannot be less than：1USDT');
    await expect(order('limit', 'buy', 0.000001, low)).rejects.toBeInstanceOf(InvalidOrder);
    await expect(order('limit', 'buy', 100, low)).rejects.toThrow('"code":30003');
    await expect(order('limit', 'sell', 0.5, 100)).rejects.toThrow('"code":30087');
    await expect(client.fetchOrder('C02__999999999000', 'BTC/USDT')).rejects.toBeInstanceOf(ExchangeError);
    await expect(client.fetchOrder('C02__999999999000', 'BTC/USDT')).rejects.toThrow('"code":-2013');
    await order('limit', 'buy', 0.01, low, { clientOrderId: 'twice' });
    await expect(order('limit', 'buy', 0.01, low, { clientOrderId: 'twice' })).rejects.toBeInstanceOf(BadRequest);
    await client.cancelAllOrders('BTC/USDT');
    await expect(client.spotPublicGetTicker24hr({ symbol: 'NOPE' })).rejects.toBeInstanceOf(BadSymbol);
    await expect(client.spotPrivateGetOpenOrders({ symbol: 'NOPE' })).rejects.toBeInstanceOf(BadSymbol);
  });

  test('unknown parameters are ignored: a stop of ccxt is a market order', async () => {
    for (const params of [
      { triggerPrice: 1 },
      { stopLossPrice: 1 },
      { takeProfitPrice: 1e6 },
      { trailingPercent: 1 },
    ]) {
      const { id } = await client.createOrder('ETH/USDT', 'market', 'sell', 0.01, undefined, params);
      expect(await client.fetchOrder(String(id), 'ETH/USDT')).toMatchObject({ status: 'closed', filled: 0.01 });
    }
    const price = await far();
    const { id } = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, price, { stopLoss: { triggerPrice: 1 } });
    await client.cancelOrder(String(id), 'BTC/USDT', { trigger: true });
    await expect(client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, price, { test: true })).resolves.toBeDefined();
    expect(await client.fetchOpenOrders('BTC/USDT')).toEqual([]);
  });

  test('too many requests have their own error', async () => {
    const asking = async () => {
      for (let i = 0; i < 13; i++) await client.fetchTickers();
    };
    await expect(asking()).rejects.toBeInstanceOf(RateLimitExceeded);
    clock.advance(10_000);
    await client.fetchTickers();
  });

  test('wrong keys, secrets and clocks are rejected', async () => {
    const strange = await connectMexc(sandbox, clock, { apiKey: 'x'.repeat(64) });
    await expect(strange.fetchBalance()).rejects.toThrow('"code":10072');
    const malformed = await connectMexc(sandbox, clock, { apiKey: 'not a key' });
    await expect(malformed.fetchBalance()).rejects.toThrow('"code":10072');
    const forged = await connectMexc(sandbox, clock, { secret: 'guess' });
    await expect(forged.fetchBalance()).rejects.toThrow('"code":700002');
    const late = await connectMexc(sandbox, clock);
    late.nonce = () => clock.now() - 60_000;
    await expect(late.fetchBalance()).rejects.toBeInstanceOf(InvalidNonce);
    const early = await connectMexc(sandbox, clock);
    early.nonce = () => clock.now() + 60_000;
    await expect(early.fetchBalance()).rejects.toThrow('"code":700003');
    for (const other of [strange, malformed, forged, late, early]) await other.close();
  });
});

describe('streams of MEXC through unmodified ccxt', () => {
  test('candles, tickers and books arrive', async () => {
    const [candles, ticker, book] = await advanceUntil(
      clock,
      Promise.all([
        client.watchOHLCV('BTC/USDT', '1m'),
        client.watchTicker('ETH/USDT'),
        client.watchOrderBook('LINK/USDT'),
      ]),
    );
    const [time, , , , close] = candles.at(-1) as number[];
    expect(time).toBe(Math.floor((time as number) / 60_000) * 60_000);
    expect(close).toBeGreaterThan(0);
    expect(ticker.bid).toBeLessThan(ticker.ask as number);
    expect(book.bids[0]?.[0]).toBeLessThan(book.asks[0]?.[0] as number);
  });

  test('an unsubscribed channel is silent, and can be subscribed again', async () => {
    await advanceUntil(clock, client.watchTrades('SOL/USDT'));
    await client.unWatchTrades('SOL/USDT');
    // The response comes on the same connection, after the unsubscription and all earlier pushes.
    await advanceUntil(clock, client.watchTicker('ADA/USDT'));
    delete client.trades['SOL/USDT'];
    clock.advance(5_000);
    await advanceUntil(clock, client.watchTicker('ADA/USDT'));
    expect(client.trades['SOL/USDT']).toBeUndefined();
    expect((await advanceUntil(clock, client.watchTrades('SOL/USDT'))).length).toBeGreaterThan(0);
  });

  test('orders, account trades and balances arrive as events', async () => {
    const seen = Promise.all([
      client.watchOrders('DOGE/USDT'),
      client.watchMyTrades('DOGE/USDT'),
      client.watchBalance(),
    ]);
    let done = false;
    seen.finally(() => {
      done = true;
    });
    // Events before the subscription are not replayed.
    for (let i = 0; i < 200 && !done; i++) {
      await client.createOrder('DOGE/USDT', 'market', 'buy', 100);
      clock.advance(1000);
    }
    const [orders, trades, balance] = await seen;
    expect(orders[0]).toMatchObject({ symbol: 'DOGE/USDT', side: 'buy' });
    expect(trades[0]).toMatchObject({ symbol: 'DOGE/USDT', fee: { currency: 'USDT' } });
    expect(balance.USDT?.free).toBeGreaterThan(0);
    // From here on every event of an order arrives, in order.
    const { bid } = await client.fetchTicker('DOGE/USDT');
    const price = Number(client.priceToPrecision('DOGE/USDT', (bid as number) * 0.9));
    const opening = client.watchOrders('DOGE/USDT');
    const order = await client.createOrder('DOGE/USDT', 'limit', 'buy', 100, price, { clientOrderId: 'own' });
    expect((await opening).at(-1)).toMatchObject({ id: order.id, status: 'open', price, clientOrderId: 'own' });
    const closing = client.watchOrders('DOGE/USDT');
    await client.cancelOrder(String(order.id), 'DOGE/USDT');
    expect((await closing).at(-1)).toMatchObject({ id: order.id, status: 'canceled', remaining: 100 });
  });
});
