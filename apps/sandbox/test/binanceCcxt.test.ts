import {
  AuthenticationError,
  BadSymbol,
  type binance,
  InsufficientFunds,
  InvalidNonce,
  InvalidOrder,
  OrderImmediatelyFillable,
  OrderNotFound,
} from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { connectCcxt } from './connectCcxt.ts';
import { advanceUntil } from './marketTime.ts';

const clock = virtualClock(Date.UTC(2026, 0, 15, 10, 30));
let sandbox: Sandbox;
let client: binance;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, port: 0, clock });
  client = await connectCcxt(sandbox, clock);
  await client.loadMarkets();
});

afterAll(async () => {
  await client.close();
  await sandbox.close();
});

const DAY = 86_400_000;

describe('market data through unmodified ccxt', () => {
  test("markets have Binance's precisions and limits", () => {
    expect(client.symbols).toHaveLength(10);
    const market = client.market('BTC/USDT');
    expect(market).toMatchObject({
      spot: true,
      active: true,
      precision: { amount: 0.00001, price: 0.01 },
      limits: { amount: { min: 0.00001, max: 9000 }, cost: { min: 5 } },
    });
  });

  test("markets, currencies and key rights load with ccxt's default options", async () => {
    const plain = await connectCcxt(sandbox, clock);
    plain.options.fetchMargins = true;
    plain.options.fetchCurrencies = true;
    await plain.loadMarkets();
    expect(plain.symbols).toHaveLength(10);
    expect(Object.keys(plain.currencies)).toContain('DOGE');
    expect(await plain.sapiGetAccountApiRestrictions()).toMatchObject({
      enableWithdrawals: false,
      enableSpotAndMarginTrading: true,
    });
    expect(await plain.fetchTradingFee('BTC/USDT')).toMatchObject({ maker: 0.001, taker: 0.001 });
    await plain.close();
  });

  test('the time is that of the clock', async () => {
    expect(await client.fetchTime()).toBe(clock.now());
  });

  test('one ticker, several and all can be fetched', async () => {
    const one = await client.fetchTicker('BTC/USDT');
    expect(one.bid).toBeLessThan(one.ask as number);
    expect(one.high).toBeGreaterThanOrEqual(one.last as number);
    expect(one.baseVolume).toBeGreaterThan(0);
    expect(Object.keys(await client.fetchTickers(['BTC/USDT', 'ETH/USDT']))).toEqual(['BTC/USDT', 'ETH/USDT']);
    expect(Object.keys(await client.fetchTickers())).toHaveLength(10);
    expect(Object.keys(await client.fetchBidsAsks())).toHaveLength(10);
    expect(Object.keys(await client.fetchLastPrices())).toHaveLength(10);
  });

  test('candles of every interval are contiguous, ordered and contain their extremes', async () => {
    for (const period of ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d']) {
      const candles = await client.fetchOHLCV('ETH/USDT', period, undefined, 30);
      const length = client.parseTimeframe(period) * 1000;
      expect(candles).toHaveLength(30);
      candles.forEach(([time, open, high, low, close, volume], i) => {
        expect((time as number) % length).toBe(0);
        if (i > 0) expect(time).toBe((candles[i - 1]?.[0] as number) + length);
        expect(high).toBeGreaterThanOrEqual(Math.max(open as number, close as number));
        expect(low).toBeLessThanOrEqual(Math.min(open as number, close as number));
        expect(volume).toBeGreaterThanOrEqual(0);
      });
    }
    expect((await client.fetchOHLCV('ETH/USDT', '1w', undefined, 4)).length).toBeGreaterThanOrEqual(4);
    expect((await client.fetchOHLCV('ETH/USDT', '1M', undefined, 4)).length).toBeGreaterThanOrEqual(1);
  });

  test('30 days of minutes can be paged by time', async () => {
    const since = Math.floor((clock.now() - 30 * DAY) / DAY) * DAY;
    const first = await client.fetchOHLCV('SOL/USDT', '1m', since, 1000);
    expect(first).toHaveLength(1000);
    expect(first[0]?.[0]).toBe(since);
    const next = await client.fetchOHLCV('SOL/USDT', '1m', (first[999]?.[0] as number) + 60_000, 1000);
    expect(next[0]?.[0]).toBe(since + 1000 * 60_000);
    const until = await client.fetchOHLCV('SOL/USDT', '1m', since, 1000, { until: since + 5 * 60_000 });
    expect(until).toHaveLength(6);
  });

  test('an hour is the sum of its minutes', async () => {
    const hour = Math.floor(clock.now() / 3_600_000 - 5) * 3_600_000;
    const [long] = await client.fetchOHLCV('BNB/USDT', '1h', hour, 1);
    const minutes = await client.fetchOHLCV('BNB/USDT', '1m', hour, 60);
    expect(long).toEqual([
      hour,
      minutes[0]?.[1],
      Math.max(...minutes.map((m) => m[2] as number)),
      Math.min(...minutes.map((m) => m[3] as number)),
      minutes[59]?.[4],
      expect.closeTo(
        minutes.reduce((sum, m) => sum + (m[5] as number), 0),
        6,
      ),
    ]);
  });

  test('the book is two-sided, ordered and deep', async () => {
    for (const symbol of client.symbols) {
      const book = await client.fetchOrderBook(symbol, 1000);
      const bids = book.bids.map(([price]) => price as number);
      const asks = book.asks.map(([price]) => price as number);
      expect(bids[0]).toBeLessThan(asks[0] as number);
      expect(bids).toEqual([...bids].sort((a, b) => b - a));
      expect(asks).toEqual([...asks].sort((a, b) => a - b));
      expect(bids.length + asks.length).toBeGreaterThan(8);
    }
  });

  test('trades are in order with rising ids, by count and by time', async () => {
    const seen = await advanceUntil(clock, client.watchTrades('BTC/USDT'));
    expect(seen.length).toBeGreaterThan(0);
    const trades = await client.fetchTrades('BTC/USDT');
    const ids = trades.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const since = clock.now() - 60_000;
    for (const trade of await client.fetchTrades('BTC/USDT', since, 10))
      expect(trade.timestamp).toBeGreaterThanOrEqual(since);
  });
});

describe('trading through unmodified ccxt', () => {
  const far = async () =>
    client.priceToPrecision('BTC/USDT', ((await client.fetchTicker('BTC/USDT')).bid as number) * 0.9);

  test('an open limit order is found by both ids, locks funds, and is cancelled', async () => {
    const before = await client.fetchBalance();
    const price = Number(await far());
    const order = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, price, { clientOrderId: 'mine-1' });
    expect(order).toMatchObject({ status: 'open', filled: 0, remaining: 0.01, price, clientOrderId: 'mine-1' });
    expect((await client.fetchOrder(String(order.id), 'BTC/USDT')).status).toBe('open');
    const byClientId = await client.fetchOrder(undefined as never, 'BTC/USDT', { clientOrderId: 'mine-1' });
    expect(byClientId.id).toBe(order.id);
    expect((await client.fetchOpenOrders('BTC/USDT')).map(({ id }) => id)).toEqual([order.id]);
    const locked = await client.fetchBalance();
    expect(locked.USDT?.used).toBeCloseTo(price * 0.01, 8);
    expect(locked.USDT?.total).toBe(before.USDT?.total);
    expect((await client.cancelOrder(String(order.id), 'BTC/USDT')).status).toBe('canceled');
    expect((await client.fetchBalance()).USDT).toEqual(before.USDT);
    expect((await client.fetchOrder(String(order.id), 'BTC/USDT')).status).toBe('canceled');
    expect((await client.fetchOrders('BTC/USDT')).map(({ id }) => id)).toContain(order.id);
    await expect(client.cancelOrder(String(order.id), 'BTC/USDT')).rejects.toBeInstanceOf(OrderNotFound);
  });

  test('a market order fills at once and pays 0.1 % of what it receives', async () => {
    const before = await client.fetchBalance();
    const buy = await client.createOrder('ETH/USDT', 'market', 'buy', 0.5);
    expect(buy).toMatchObject({ status: 'closed', filled: 0.5, remaining: 0 });
    expect(buy.fee).toMatchObject({ currency: 'ETH', cost: 0.0005 });
    const sell = await client.createOrder('ETH/USDT', 'market', 'sell', 0.25);
    expect(sell.status).toBe('closed');
    expect(sell.fee?.currency).toBe('USDT');
    const trades = await client.fetchMyTrades('ETH/USDT');
    const ours = trades.filter(({ order }) => order === buy.id || order === sell.id);
    const after = await client.fetchBalance();
    const sum = (asset: string) =>
      ours.reduce((total, trade) => {
        const direction = trade.side === 'buy' ? 1 : -1;
        const moved = asset === 'ETH' ? direction * (trade.amount as number) : -direction * (trade.cost as number);
        return total + moved - (trade.fee?.currency === asset ? (trade.fee.cost as number) : 0);
      }, 0);
    for (const asset of ['ETH', 'USDT']) {
      expect((after[asset]?.total as number) - (before[asset]?.total as number)).toBeCloseTo(sum(asset), 8);
    }
    expect(ours.every(({ takerOrMaker }) => takerOrMaker === 'taker')).toBe(true);
  });

  test('a market order by value spends no more than the value', async () => {
    const order = await client.createMarketBuyOrderWithCost('SOL/USDT', 500);
    expect(order.status).toBe('closed');
    expect(order.cost).toBeLessThanOrEqual(500);
    expect(order.cost).toBeGreaterThan(499);
    const sold = await client.createOrder('SOL/USDT', 'market', 'sell', 1, undefined, { cost: 100 });
    expect(sold.cost).toBeLessThanOrEqual(100);
  });

  test('immediate-or-cancel, fill-or-kill and post-only orders work', async () => {
    const low = Number(await far());
    const ioc = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, low, { timeInForce: 'IOC' });
    expect(ioc).toMatchObject({ status: 'expired', filled: 0 });
    const fok = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, low, { timeInForce: 'FOK' });
    expect(fok).toMatchObject({ status: 'expired', filled: 0 });
    const { ask } = await client.fetchTicker('BTC/USDT');
    const through = Number(client.priceToPrecision('BTC/USDT', (ask as number) * 1.01));
    const filled = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, through, { timeInForce: 'FOK' });
    expect(filled).toMatchObject({ status: 'closed', filled: 0.01 });
    expect(filled.average).toBeLessThan(through);
    await expect(
      client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, through, { postOnly: true }),
    ).rejects.toBeInstanceOf(OrderImmediatelyFillable);
    const maker = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, low, { postOnly: true });
    expect(maker).toMatchObject({ postOnly: true });
    const edited = await client.editOrder(String(maker.id), 'BTC/USDT', 'limit', 'buy', 0.02, low);
    expect(edited).toMatchObject({ status: 'open', amount: 0.02 });
    expect((await client.fetchOrder(String(maker.id), 'BTC/USDT')).status).toBe('canceled');
    await client.cancelAllOrders('BTC/USDT');
    expect(await client.fetchOpenOrders()).toEqual([]);
  });

  test('an open order is filled in its turn, and recorded as maker', async () => {
    const before = await client.fetchBalance();
    const { bid } = await client.fetchTicker('BTC/USDT');
    const order = await client.createOrder('BTC/USDT', 'limit', 'buy', 0.002, bid as number, { postOnly: true });
    const asOpen = async () => (await client.fetchOpenOrders('BTC/USDT')).length > 0;
    for (let minutes = 0; minutes < 600 && (await asOpen()); minutes++) clock.advance(60_000);
    const filled = await client.fetchOrder(String(order.id), 'BTC/USDT');
    expect(filled).toMatchObject({ status: 'closed', filled: 0.002, average: bid });
    const trades = (await client.fetchMyTrades('BTC/USDT')).filter((trade) => trade.order === order.id);
    expect(trades.length).toBeGreaterThan(0);
    for (const trade of trades)
      expect(trade).toMatchObject({ takerOrMaker: 'maker', price: bid, fee: { currency: 'BTC' } });
    const after = await client.fetchBalance();
    expect((after.BTC?.total as number) - (before.BTC?.total as number)).toBeCloseTo(0.002 * 0.999, 10);
  });

  test('a stop order fills once its price is reached, and can be cancelled before', async () => {
    const { last } = await client.fetchTicker('SOL/USDT');
    const below = (part: number) => Number(client.priceToPrecision('SOL/USDT', (last as number) * (1 - part)));
    await client.createOrder('SOL/USDT', 'market', 'buy', 3);
    const far = await client.createOrder('SOL/USDT', 'limit', 'sell', 1, below(0.3), { stopLossPrice: below(0.25) });
    const stop = await client.createOrder('SOL/USDT', 'market', 'sell', 1, undefined, { stopLossPrice: below(0.0015) });
    const asStop = async () => client.fetchOrder(String(stop.id), 'SOL/USDT');
    expect(await asStop()).toMatchObject({ status: 'open', type: 'market', triggerPrice: below(0.0015), filled: 0 });
    expect((await client.fetchBalance()).SOL?.used).toBe(2);
    expect(await client.fetchOpenOrders('SOL/USDT')).toHaveLength(2);
    for (let minutes = 0; minutes < 3000 && (await asStop()).status === 'open'; minutes++) clock.advance(60_000);
    const filled = await asStop();
    expect(filled).toMatchObject({ status: 'closed', filled: 1 });
    expect(filled.average).toBeLessThanOrEqual(below(0.0015) * 1.002);
    expect((await client.cancelOrder(String(far.id), 'SOL/USDT')).status).toBe('canceled');
    expect((await client.fetchBalance()).SOL?.used).toBe(0);
  });

  test('rejections become the matching errors of ccxt', async () => {
    const low = Number(await far());
    await expect(client.createOrder('BTC/USDT', 'limit', 'buy', 50, low)).rejects.toBeInstanceOf(InsufficientFunds);
    await expect(client.createOrder('BTC/USDT', 'market', 'sell', 100)).rejects.toBeInstanceOf(InsufficientFunds);
    await expect(client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 1)).rejects.toThrow(
      'Filter failure: PERCENT_PRICE_BY_SIDE',
    );
    await expect(client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 1)).rejects.toBeInstanceOf(InvalidOrder);
    await expect(client.createOrder('BTC/USDT', 'limit', 'buy', 0.00001, low)).rejects.toThrow('NOTIONAL');
    await expect(client.createOrder('BTC/USDT', 'market', 'buy', 9000)).rejects.toThrow('MARKET_LOT_SIZE');
    await expect(client.fetchOrder('999999999', 'BTC/USDT')).rejects.toBeInstanceOf(OrderNotFound);
    await client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, low, { clientOrderId: 'twice' });
    await expect(client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, low, { clientOrderId: 'twice' })).rejects.toThrow(
      '{"code":-2010,"msg":"Duplicate order sent."}',
    );
    await client.cancelAllOrders('BTC/USDT');
    await expect(client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, low, { stopPrice: low })).rejects.toBeInstanceOf(
      OrderImmediatelyFillable,
    );
    await expect(client.publicGetTicker24hr({ symbol: 'NOPE' })).rejects.toBeInstanceOf(BadSymbol);
  });

  test('wrong keys, secrets and clocks are rejected', async () => {
    const strange = await connectCcxt(sandbox, clock, { apiKey: 'x'.repeat(64) });
    await expect(strange.fetchBalance()).rejects.toBeInstanceOf(AuthenticationError);
    const malformed = await connectCcxt(sandbox, clock, { apiKey: 'short' });
    await expect(malformed.fetchBalance()).rejects.toThrow('-2014');
    const forged = await connectCcxt(sandbox, clock, { secret: 'guess' });
    await expect(forged.fetchBalance()).rejects.toThrow('-1022');
    const late = await connectCcxt(sandbox, clock);
    late.nonce = () => clock.now() - 60_000;
    await expect(late.fetchBalance()).rejects.toBeInstanceOf(InvalidNonce);
    const early = await connectCcxt(sandbox, clock);
    early.nonce = () => clock.now() + 60_000;
    await expect(early.fetchBalance()).rejects.toThrow("1000ms ahead of the server's time");
    for (const other of [strange, malformed, forged, late, early]) await other.close();
  });
});

describe('streams through unmodified ccxt', () => {
  test('candles, tickers and best prices arrive', async () => {
    const [candles, ticker, best] = await advanceUntil(
      clock,
      Promise.all([
        client.watchOHLCV('BTC/USDT', '1m'),
        client.watchTicker('ETH/USDT'),
        client.watchBidsAsks(['BTC/USDT']),
      ]),
    );
    expect(candles.at(-1)?.[4]).toBeGreaterThan(0);
    expect(ticker.last).toBeGreaterThan(0);
    expect(best['BTC/USDT']?.bid).toBeLessThan(best['BTC/USDT']?.ask as number);
  });

  test('a book kept from deltas equals the snapshot of the same update', async () => {
    // ccxt throws when U and u leave a gap.
    for (let round = 0; round < 30; round++) {
      const live = await advanceUntil(clock, client.watchOrderBook('LINK/USDT', 500));
      const snapshot = await client.fetchOrderBook('LINK/USDT', 500);
      if (live.nonce !== snapshot.nonce) continue;
      expect(live.bids.map((row) => [...row])).toEqual(snapshot.bids);
      expect(live.asks.map((row) => [...row])).toEqual(snapshot.asks);
      if (round >= 10) return;
    }
    throw new Error('never at the same update');
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
    expect(trades[0]).toMatchObject({ symbol: 'DOGE/USDT', takerOrMaker: 'taker', fee: { currency: 'DOGE' } });
    expect(balance.DOGE?.total).toBeGreaterThan(0);
    // From here on every event of an order arrives, in order.
    const { bid } = await client.fetchTicker('DOGE/USDT');
    const price = Number(client.priceToPrecision('DOGE/USDT', (bid as number) * 0.9));
    const opening = client.watchOrders('DOGE/USDT');
    const order = await client.createOrder('DOGE/USDT', 'limit', 'buy', 100, price);
    expect((await opening).at(-1)).toMatchObject({ id: order.id, status: 'open', price });
    const closing = client.watchOrders('DOGE/USDT');
    await client.cancelOrder(String(order.id), 'DOGE/USDT');
    expect((await closing).at(-1)).toMatchObject({
      id: order.id,
      status: 'canceled',
      clientOrderId: order.clientOrderId,
    });
  });
});
