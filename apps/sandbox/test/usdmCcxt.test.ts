import ccxt, { type Balances, type binanceusdm, type Order } from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { connectUsdm } from './connectUsdm.ts';

const START = Date.UTC(2026, 4, 3, 8, 15, 20);
const BTC = 'BTC/USDT:USDT';
const ETH = 'ETH/USDT:USDT';
const MINUTE = 60_000;
const FUNDING_MS = 60 * MINUTE;
const clock = virtualClock(START);
let sandbox: Sandbox;
let client: binanceusdm;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, port: 0, clock, fundingMs: FUNDING_MS });
  client = await connectUsdm(sandbox, clock);
  await client.loadMarkets();
});

afterAll(async () => {
  await client.close();
  await sandbox.close();
});

async function last(symbol = BTC): Promise<number> {
  return (await client.fetchTicker(symbol)).last as number;
}

/** Returns the id of an order. */
function idOf(order: Order): string {
  return order.id as string;
}

/** Returns an amount of the account as Binance writes it. */
function amountOf(balances: Balances, name: string): number {
  return Number((balances.info as { [name: string]: string })[name]);
}

async function flatten(): Promise<void> {
  for (const symbol of [BTC, ETH]) {
    await client.cancelAllOrders(symbol);
    await client.cancelAllOrders(symbol, { trigger: true });
  }
  for (const position of await client.fetchPositions()) {
    if (!position.contracts) continue;
    const side = position.side === 'long' ? 'sell' : 'buy';
    const hedged = position.hedged
      ? { positionSide: position.side === 'long' ? 'LONG' : 'SHORT' }
      : { reduceOnly: true };
    await client.createOrder(position.symbol as string, 'market', side, position.contracts, undefined, hedged);
  }
}

describe('market data of futures through unmodified ccxt', () => {
  test('markets are linear swaps with their steps, ticks and minimums', () => {
    const btc = client.market(BTC);
    expect(btc).toMatchObject({ swap: true, linear: true, settle: 'USDT', contractSize: 1 });
    expect(btc.precision).toMatchObject({ price: 0.1, amount: 0.001 });
    expect(btc.limits.cost?.min).toBe(100);
    expect(client.symbols).toHaveLength(10);
  });

  test('candles, tickers, trades and books agree with one another', async () => {
    clock.advance(3 * MINUTE);
    const candles = await client.fetchOHLCV(BTC, '1m', START - 60 * MINUTE, 60);
    const first = Math.ceil((START - 60 * MINUTE) / MINUTE) * MINUTE;
    expect(candles.map(([time]) => time)).toEqual(candles.map((_, i) => first + i * MINUTE));
    const ticker = await client.fetchTicker(BTC);
    const tickers = await client.fetchTickers();
    expect(tickers[BTC]?.last).toBe(ticker.last);
    const trades = await client.fetchTrades(BTC, undefined, 50);
    expect(trades).toHaveLength(50);
    expect(trades.at(-1)?.price).toBe(ticker.last);
    const book = await client.fetchOrderBook(BTC, 20);
    expect(book.bids[0]?.[0]).toBeLessThan(book.asks[0]?.[0] as number);
    const best = await client.fetchBidsAsks([BTC]);
    expect(best[BTC]?.bid).toBe(book.bids[0]?.[0]);
    expect(await client.fetchTime()).toBe(clock.now());
    expect((await client.fetchMarkOHLCV(BTC, '5m', undefined, 3)).length).toBe(3);
  });

  test('mark prices and funding rates are available with their history', async () => {
    const rate = await client.fetchFundingRate(BTC);
    expect(rate.fundingTimestamp).toBe(Math.ceil(clock.now() / FUNDING_MS) * FUNDING_MS);
    expect(Math.abs((rate.markPrice as number) / (rate.indexPrice as number) - 1)).toBeLessThan(0.005);
    expect(Object.keys(await client.fetchFundingRates())).toHaveLength(10);
    const history = await client.fetchFundingRateHistory(BTC, undefined, 5);
    expect(history.map(({ timestamp }) => (timestamp as number) % FUNDING_MS)).toEqual([0, 0, 0, 0, 0]);
    expect((await client.fetchFundingIntervals())[BTC]?.interval).toBe('1h');
    expect((await client.fetchOpenInterest(BTC)).openInterestAmount).toBe(0);
    const mark = await client.fetchMarkPrice(BTC);
    expect(mark.markPrice).toBe(rate.markPrice);
  });
});

describe('trading futures through unmodified ccxt', () => {
  test('an open order is found by both ids, amended and cancelled', async () => {
    const price = Math.round((await last()) * 0.98);
    const order = await client.createOrder(BTC, 'limit', 'buy', 0.01, price, { clientOrderId: 'first-one' });
    expect(order).toMatchObject({ status: 'open', filled: 0, price, amount: 0.01, clientOrderId: 'first-one' });
    expect((await client.fetchOrder(idOf(order), BTC)).id).toBe(order.id);
    const found = await client.fetchOrder(undefined as never, BTC, { clientOrderId: 'first-one' });
    expect(found.id).toBe(order.id);
    expect((await client.fetchOpenOrders(BTC)).map(({ id }) => id)).toEqual([order.id]);
    expect((await client.fetchOpenOrders()).map(({ id }) => id)).toEqual([order.id]);
    const edited = await client.editOrder(idOf(order), BTC, 'limit', 'buy', 0.02, price - 10);
    expect(edited).toMatchObject({ id: order.id, amount: 0.02, price: price - 10 });
    expect((await client.cancelOrder(idOf(order), BTC)).status).toBe('canceled');
    await expect(client.cancelOrder(idOf(order), BTC)).rejects.toBeInstanceOf(ccxt.OrderNotFound);
    await expect(client.fetchOrder('99999999', BTC)).rejects.toBeInstanceOf(ccxt.OrderNotFound);
    expect((await client.fetchOrders(BTC)).at(-1)?.status).toBe('canceled');
    expect(await client.fetchOpenOrders(BTC)).toEqual([]);
  });

  test('a position is the same in fetchPositions, balance and trades', async () => {
    await client.setLeverage(10, BTC);
    expect((await client.fetchLeverage(BTC)).longLeverage).toBe(10);
    const before = await client.fetchBalance();
    const placed = await client.createOrder(BTC, 'market', 'buy', 0.25);
    expect(placed).toMatchObject({ status: 'closed', filled: 0.25 });
    // The response has no average price since July 2026.
    expect(placed.average).toBeUndefined();
    const order = await client.fetchOrder(idOf(placed), BTC);
    const [position] = await client.fetchPositions([BTC]);
    expect(position).toMatchObject({ side: 'long', contracts: 0.25, marginMode: 'cross', hedged: false });
    expect(position?.entryPrice).toBeCloseTo(order.average as number, 2);
    const account = await client.fetchPositions([BTC], { method: 'account' });
    expect(account[0]).toMatchObject({ side: 'long', contracts: 0.25 });
    const trades = await client.fetchMyTrades(BTC);
    const own = trades.filter((trade) => trade.order === order.id);
    const fees = own.reduce((sum, trade) => sum + (trade.fee?.cost as number), 0);
    expect(fees).toBeCloseTo(0.0005 * 0.25 * (order.average as number), 6);
    const after = await client.fetchBalance();
    expect(amountOf(after, 'totalWalletBalance')).toBeCloseTo(amountOf(before, 'totalWalletBalance') - fees, 6);
    expect(amountOf(after, 'totalInitialMargin')).toBeGreaterThan(0.24 * (order.average as number) * 0.1);
    const closed = await client.createOrder(BTC, 'market', 'sell', 0.25, undefined, { reduceOnly: true });
    expect(closed.filled).toBe(0.25);
    expect((await client.fetchPositions([BTC])).filter(({ contracts }) => contracts)).toEqual([]);
    const ledger = await client.fetchLedger('USDT');
    expect(ledger.map(({ type }) => type)).toEqual(expect.arrayContaining(['commission', 'trade']));
    expect((await client.fetchTradingFee(BTC)).taker).toBe(0.0005);
  });

  test('hedge mode holds both sides at once', async () => {
    await client.setPositionMode(true);
    await expect(client.setPositionMode(true)).rejects.toThrow('-4059');
    await expect(client.createOrder(BTC, 'market', 'buy', 0.01)).rejects.toThrow('-4061');
    await client.createOrder(BTC, 'market', 'buy', 0.02, undefined, { positionSide: 'LONG' });
    await client.createOrder(BTC, 'market', 'sell', 0.01, undefined, { positionSide: 'SHORT' });
    const positions = await client.fetchPositions([BTC]);
    expect(positions.map(({ side, contracts, hedged }) => [side, contracts, hedged]).sort()).toEqual([
      ['long', 0.02, true],
      ['short', 0.01, true],
    ]);
    await expect(client.setPositionMode(false)).rejects.toThrow('-4068');
    await flatten();
    await client.setPositionMode(false);
    expect((await client.fetchPositionMode(BTC)).hedged).toBe(false);
  });

  test('isolated margin is reserved, added and removed', async () => {
    await client.setMarginMode('isolated', ETH);
    await client.setLeverage(10, ETH);
    await client.createOrder(ETH, 'market', 'buy', 1);
    const [position] = await client.fetchPositions([ETH]);
    expect(position).toMatchObject({ marginMode: 'isolated', side: 'long' });
    const entry = position?.entryPrice as number;
    // (entry / 10 − entry) / (0.4 % − 1)
    expect(position?.liquidationPrice).toBeCloseTo((entry * 0.9) / 0.996, 1);
    await client.addMargin(ETH, 100);
    const [safer] = await client.fetchPositions([ETH]);
    expect(safer?.liquidationPrice as number).toBeLessThan((position?.liquidationPrice as number) - 90);
    await client.reduceMargin(ETH, 90);
    await expect(client.reduceMargin(ETH, 10_000)).rejects.toThrow('-2028');
    await expect(client.setMarginMode('cross', ETH)).rejects.toThrow('-4048');
    await expect(client.setLeverage(5, ETH)).rejects.toThrow('-4161');
    const changes = await client.fetchMarginAdjustmentHistory(ETH);
    expect(changes.map(({ type, amount }) => [type, amount])).toEqual([
      ['add', 100],
      ['reduce', 90],
    ]);
    await flatten();
    await client.setMarginMode('cross', ETH);
    const tiers = await client.fetchLeverageTiers([BTC]);
    expect(tiers[BTC]?.[0]).toMatchObject({ maxNotional: 50_000, maintenanceMarginRate: 0.004, maxLeverage: 125 });
  });

  test('every kind of conditional order is on the algo endpoints, and nowhere else', async () => {
    await client.createOrder(BTC, 'market', 'buy', 0.1);
    const price = await last();
    const below = Math.round(price * 0.97);
    const above = Math.round(price * 1.03);
    const orders = [
      await client.createOrder(BTC, 'market', 'sell', 0.1, undefined, { triggerPrice: below }),
      await client.createOrder(BTC, 'limit', 'sell', 0.1, below - 10, { triggerPrice: below }),
      await client.createOrder(BTC, 'market', 'sell', 0.1, undefined, { stopLossPrice: below, reduceOnly: true }),
      await client.createOrder(BTC, 'market', 'sell', 0.1, undefined, { takeProfitPrice: above }),
      await client.createOrder(BTC, 'market', 'sell', 0.1, undefined, { trailingPercent: 2 }),
      await client.createOrder(BTC, 'STOP_MARKET', 'sell', undefined as never, undefined, {
        stopPrice: below,
        closePosition: true,
      }),
    ];
    expect(await client.fetchOpenOrders(BTC)).toEqual([]);
    const open = await client.fetchOpenOrders(BTC, undefined, undefined, { trigger: true });
    expect(open.map(({ id }) => id)).toEqual(orders.map(({ id }) => id));
    expect(open.map(({ info }) => info.orderType)).toEqual([
      'STOP_MARKET',
      'STOP',
      'STOP_MARKET',
      'TAKE_PROFIT_MARKET',
      'TRAILING_STOP_MARKET',
      'STOP_MARKET',
    ]);
    const [first] = orders as [Order];
    expect(await client.fetchOrder(idOf(first), BTC, { trigger: true })).toMatchObject({ triggerPrice: below });
    await expect(
      client.fapiPrivatePostOrder({
        symbol: 'BTCUSDT',
        side: 'SELL',
        type: 'STOP_MARKET',
        quantity: '0.1',
        stopPrice: String(below),
      }),
    ).rejects.toThrow('-4120');
    await client.cancelOrder(idOf(first), BTC, { trigger: true });
    await expect(client.cancelOrder(idOf(first), BTC, { trigger: true })).rejects.toBeInstanceOf(ccxt.OrderNotFound);
    await flatten();
    expect(await client.fetchOpenOrders(BTC, undefined, undefined, { trigger: true })).toEqual([]);
  });

  test('a stop closes the position at its price', async () => {
    await client.createOrder(BTC, 'market', 'buy', 0.1);
    const price = await last();
    const stop = await client.createOrder(BTC, 'market', 'sell', 0.1, undefined, {
      stopLossPrice: Math.round(price * 0.9998),
      reduceOnly: true,
    });
    const waits = async () => (await client.fetchOpenOrders(BTC, undefined, undefined, { trigger: true })).length > 0;
    for (let minute = 0; minute < 400 && (await waits()); minute++) clock.advance(MINUTE);
    const done = await client.fapiPrivateGetAlgoOrder({ algoId: idOf(stop) });
    expect(done).toMatchObject({ algoStatus: 'FINISHED', actualQty: '0.100' });
    const order = await client.fetchOrder(done.actualOrderId as string, BTC);
    expect(order).toMatchObject({ status: 'closed', filled: 0.1, reduceOnly: true });
    await flatten();
  });

  test('funding is paid while a position is held', async () => {
    await client.createOrder(BTC, 'market', 'buy', 0.1);
    const before = clock.now();
    clock.advance(FUNDING_MS);
    const history = await client.fetchFundingHistory(BTC, before);
    expect(history).toHaveLength(1);
    const [row] = history;
    expect(row?.timestamp).toBe(Math.floor(clock.now() / FUNDING_MS) * FUNDING_MS);
    expect(Math.abs(row?.amount as number)).toBeLessThan(0.1 * (await last()) * 0.003);
    await flatten();
  });
});

describe('rejections become errors of ccxt', () => {
  const cases: [string, () => Promise<unknown>, string, new (message: string) => Error][] = [
    ['too little margin', async () => limit(0.98, 60), '-2019', ccxt.InsufficientFunds],
    ['reduce-only without a position', () => market('sell', { reduceOnly: true }), '-2022', ccxt.InvalidOrder],
    [
      'post-only that would take',
      async () => limit(1.01, 0.01, { timeInForce: 'GTX' }),
      '-5022',
      ccxt.OrderNotFillable,
    ],
    [
      'FOK that cannot be filled',
      async () => limit(0.99, 0.01, { timeInForce: 'FOK' }),
      '-5021',
      ccxt.OrderNotFillable,
    ],
    ['too small a value', async () => limit(0.98, 0.001), '-4164', ccxt.InvalidOrder],
    ['a price beyond the band', async () => limit(1.2, 0.01), '-4016', ccxt.ExchangeError],
    [
      'a stop that would trigger at once',
      () => market('sell', { stopLossPrice: 500_000 }),
      '-2021',
      ccxt.OrderImmediatelyFillable,
    ],
    ['the same margin mode', () => client.setMarginMode('cross', BTC), '-4046', ccxt.ExchangeError],
    ['leverage that there is not', () => client.setLeverage(125, 'LTC/USDT:USDT'), '-4028', ccxt.ExchangeError],
    ['an unknown symbol', () => client.fapiPublicGetPremiumIndex({ symbol: 'NOPEUSDT' }), '-1121', ccxt.BadSymbol],
    ['too fine a quantity', () => raw({ quantity: '0.0001' }), '-1111', ccxt.BadRequest],
    ['no quantity at all', () => raw({ quantity: '0' }), '-4003', ccxt.ExchangeError],
    ['a type that is none', () => raw({ type: 'GUESS' }), '-1116', ccxt.BadRequest],
    ['a missing parameter', () => raw({ side: '' }), '-1102', ccxt.BadRequest],
  ];

  async function limit(factor: number, amount: number, params = {}): Promise<Order> {
    return client.createOrder(BTC, 'limit', 'buy', amount, Math.round((await last()) * factor), params);
  }

  function market(side: 'buy' | 'sell', params: object): Promise<Order> {
    return client.createOrder(BTC, 'market', side, 0.01, undefined, params);
  }

  function raw(over: object): Promise<unknown> {
    return client.fapiPrivatePostOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01', ...over });
  }

  test.each(cases)('%s', async (_name, action, code, kind) => {
    const error = await action().then(
      () => new Error('accepted'),
      (reason: unknown) => reason as Error,
    );
    expect(error.message).toContain(code);
    expect(error).toBeInstanceOf(kind);
  });

  test('a client id in use and a wrong signature or key have their errors', async () => {
    const price = Math.round((await last()) * 0.98);
    await client.createOrder(BTC, 'limit', 'buy', 0.01, price, { clientOrderId: 'twice' });
    await expect(
      client.createOrder(BTC, 'limit', 'buy', 0.01, price, { clientOrderId: 'twice' }),
    ).rejects.toBeInstanceOf(ccxt.InvalidOrder);
    await client.cancelAllOrders(BTC);
    const wrong = await connectUsdm(sandbox, clock, { secret: 'x'.repeat(64) });
    await expect(wrong.fetchBalance()).rejects.toBeInstanceOf(ccxt.AuthenticationError);
    const late = await connectUsdm(sandbox, { now: () => clock.now() - 60_000 });
    await expect(late.fetchBalance()).rejects.toBeInstanceOf(ccxt.InvalidNonce);
  });
});

describe('streams of futures through unmodified ccxt', () => {
  /** Advances the market's clock until an event has arrived. */
  async function while_<T>(watch: Promise<T>): Promise<T> {
    let done = false;
    const result = watch.finally(() => {
      done = true;
    });
    for (let i = 0; i < 600 && !done; i++) {
      clock.advance(200);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return result;
  }

  test('candles, tickers, trades, books, best prices and mark prices arrive', async () => {
    const [candles, ticker, trades, book, best, mark] = await while_(
      Promise.all([
        client.watchOHLCV(BTC, '1m'),
        client.watchTicker(BTC),
        client.watchTrades(BTC),
        client.watchOrderBook(BTC),
        client.watchBidsAsks([BTC]),
        client.watchMarkPrice(BTC),
      ]),
    );
    expect(candles.length).toBeGreaterThan(0);
    expect(ticker.last).toBeGreaterThan(0);
    expect(trades.length).toBeGreaterThan(0);
    expect(book.bids[0]?.[0]).toBeLessThan(book.asks[0]?.[0] as number);
    expect(best[BTC]?.bid).toBeGreaterThan(0);
    expect(mark.markPrice).toBeGreaterThan(0);
  });

  test('orders, positions, balance and conditional orders arrive as events', async () => {
    // The first result is the response of REST.
    expect(await while_(client.watchPositions([BTC]))).toEqual([]);
    const orders = client.watchOrders(BTC);
    const positions = client.watchPositions([BTC]);
    const balance = client.watchBalance();
    const mine = client.watchMyTrades(BTC);
    // The first call creates the listen key and opens the socket.
    await while_(
      until(() =>
        Object.values(client.clients).some(
          ({ url, connectionEstablished }) =>
            url.includes('/private/ws?listenKey=') && connectionEstablished !== undefined,
        ),
      ),
    );
    const placed = await client.createOrder(BTC, 'market', 'buy', 0.05);
    const [order, position, account, trade] = await while_(Promise.all([orders, positions, balance, mine]));
    expect(order.map(({ id }) => id)).toContain(placed.id);
    expect(position[0]).toMatchObject({ symbol: BTC, side: 'long', contracts: 0.05 });
    expect(account.USDT).toMatchObject({ total: expect.any(Number) });
    expect(trade[0]).toMatchObject({ order: placed.id, takerOrMaker: 'taker' });
    const next = client.watchOrders(BTC);
    const stop = await client.createOrder(BTC, 'market', 'sell', 0.05, undefined, {
      triggerPrice: Math.round((await last()) * 0.95),
    });
    expect((await while_(next)).map(({ id }) => id)).toContain(stop.id);
    await flatten();
  });

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  }
});
