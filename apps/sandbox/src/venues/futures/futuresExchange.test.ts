import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTRACTS } from '../../accounts/futures/contracts.ts';
import { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type {
  AlgoOrderRequest,
  FuturesOrderRequest,
  FuturesRecord,
  PositionSide,
} from '../../accounts/futures/futuresOrders.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { fundingHistory } from '../../protocols/binanceusdm/marketRows.ts';
import { type FuturesEvent, FuturesExchange } from './futuresExchange.ts';
import { FuturesRejected } from './futuresRejected.ts';

const START = Date.UTC(2026, 4, 3, 8, 15, 20);
const TWO = CONTRACTS.slice(0, 2);
const FUNDING_MS = 7 * 60_000;

type Opened = { exchange: FuturesExchange; records: FuturesRecord[]; events: FuturesEvent[]; now: () => number };

function open(seed: number): Opened & { wait(ms: number): void } {
  const exchange = FuturesExchange.open({ seed, pairs: TWO, now: START }, FUNDING_MS);
  const records: FuturesRecord[] = [{ kind: 'deposit', units: String(exchange.account.wallet), time: START }];
  const events: FuturesEvent[] = [];
  exchange.addListener((reported) => {
    for (const event of reported) {
      events.push(event);
      if (event.kind === 'account') records.push(event.record);
    }
  });
  let now = START;
  return {
    exchange,
    records,
    events,
    now: () => now,
    wait(ms) {
      // The market is also played in between, as servers do.
      for (const end = now + ms; now < end; ) {
        now = Math.min(end, now + 5_000);
        exchange.advance(now);
      }
    },
  };
}

function market(exchange: FuturesExchange, symbol = 'BTCUSDT'): PairMarket {
  return exchange.market(symbol) as PairMarket;
}

let clientIds = 0;

function terms(over: Partial<FuturesOrderRequest>): FuturesOrderRequest {
  return {
    clientId: `t${++clientIds}`,
    side: 'buy',
    positionSide: 'BOTH',
    type: 'MARKET',
    timeInForce: 'GTC',
    tick: 0,
    steps: 10,
    reduceOnly: false,
    selfTrade: 'EXPIRE_MAKER',
    goodTill: 0,
    ...over,
  };
}

function algo(over: Partial<AlgoOrderRequest>): AlgoOrderRequest {
  return {
    clientId: `a${++clientIds}`,
    side: 'sell',
    positionSide: 'BOTH',
    type: 'STOP_MARKET',
    timeInForce: 'GTC',
    steps: 10,
    tick: 0,
    triggerPrice: 0,
    activatePrice: 0,
    callbackRate: 0,
    workingType: 'CONTRACT_PRICE',
    closePosition: false,
    reduceOnly: false,
    priceProtect: false,
    selfTrade: 'EXPIRE_MAKER',
    goodTill: 0,
    ...over,
  };
}

function rejection(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof FuturesRejected) return error.reason;
    throw error;
  }
  return 'accepted';
}

/** Returns the whole account as plain data. */
function photograph(account: FuturesAccount): unknown {
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  const { wallet, hedgeMode: dual, crossWallet, orders, trades, algos, incomes, fundedUntil } = account;
  const whole = { wallet, dual, crossWallet, algos, incomes, fundedUntil, positions: account.positions() };
  return JSON.parse(JSON.stringify({ ...whole, orders: [...orders], trades: [...trades] }, text));
}

describe('the wallet', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('market' as const), ...orderShape() }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('limit' as const), ...orderShape() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('algo' as const), ...orderShape() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('amend' as const),
        steps: fc.integer({ min: 1, max: 8_000 }),
        away: fc.integer({ min: -40, max: 40 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('leverage' as const), leverage: fc.integer({ min: 1, max: 125 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('isolated' as const), isolated: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('dual' as const), dual: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('margin' as const), coins: fc.integer({ min: -50, max: 50 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 300 }) }),
    },
  );

  function orderShape() {
    return {
      symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT'),
      buy: fc.boolean(),
      steps: fc.integer({ min: 1, max: 8_000 }),
      away: fc.integer({ min: -40, max: 40 }),
      reduceOnly: fc.boolean(),
      side: fc.constantFrom('LONG' as const, 'SHORT' as const),
      timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const, 'GTX' as const),
    };
  }

  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

  /** Performs one step of a random run; the exchange may reject it. */
  function perform(one: Step, { exchange, wait, now }: ReturnType<typeof open>): unknown {
    const { account } = exchange;
    const act = (action: () => unknown) => void rejection(action);
    switch (one.kind) {
      case 'market':
      case 'limit':
        return act(() => exchange.place(one.symbol, randomTerms(exchange, one), now()));
      case 'algo':
        return act(() => exchange.placeAlgo(one.symbol, randomAlgo(exchange, one), now()));
      case 'cancel': {
        const order = account.openOrders()[0];
        return order && act(() => exchange.cancel(order.symbol, () => order, now()));
      }
      case 'amend': {
        const order = account.openOrders().at(-1);
        if (!order) return;
        const tick = Math.round(market(exchange, order.symbol).lastTick * (1 + one.away / 10_000));
        return act(() => exchange.amend(order.symbol, () => order, { tick, steps: one.steps }, now()));
      }
      case 'leverage':
        return act(() => exchange.setLeverage('BTCUSDT', one.leverage, now()));
      case 'isolated':
        return act(() => exchange.setMarginType('BTCUSDT', one.isolated ? 'ISOLATED' : 'CROSSED', now()));
      case 'dual':
        return act(() => exchange.setHedgeMode(one.dual, now()));
      case 'margin': {
        const side = account.hedgeMode ? 'LONG' : 'BOTH';
        return act(() => exchange.changeMargin('BTCUSDT', side, BigInt(one.coins) * 10n ** 8n, now()));
      }
      case 'wait':
        return wait(one.seconds * 1000);
    }
  }

  function randomTerms(exchange: FuturesExchange, one: Extract<Step, { kind: 'market' | 'limit' }>) {
    const { hedgeMode } = exchange.account;
    const tick = Math.round(market(exchange, one.symbol).lastTick * (1 + one.away / 10_000));
    const limited = one.kind === 'limit' && { type: 'LIMIT' as const, tick, timeInForce: one.timeInForce };
    return terms({
      ...limited,
      side: one.buy ? 'buy' : 'sell',
      positionSide: hedgeMode ? one.side : 'BOTH',
      steps: one.steps,
      reduceOnly: one.reduceOnly && !hedgeMode,
    });
  }

  function randomAlgo(exchange: FuturesExchange, one: Extract<Step, { kind: 'algo' }>) {
    const { hedgeMode } = exchange.account;
    const { lastTick, pair } = market(exchange, one.symbol);
    const units = 10 ** (8 - pair.priceDecimals);
    return algo({
      side: one.buy ? 'buy' : 'sell',
      type: one.timeInForce === 'IOC' ? 'TAKE_PROFIT_MARKET' : 'STOP_MARKET',
      positionSide: hedgeMode ? one.side : 'BOTH',
      steps: one.steps,
      triggerPrice: Math.round(lastTick * (1 + one.away / 20_000)) * units,
      reduceOnly: one.reduceOnly && !hedgeMode,
    });
  }

  test('the wallet adds up to the last 1e-8, and the journal restores the account', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.array(step, { minLength: 30, maxLength: 60 }),
        (seed, steps) => {
          const opened = open(seed);
          const { exchange, records } = opened;
          const { account } = exchange;
          for (const one of steps) {
            perform(one, opened);
            checkBooks(exchange);
          }
          const again = new FuturesAccount(TWO);
          for (const record of records) again.apply(JSON.parse(JSON.stringify(record)) as FuturesRecord);
          expect(photograph(again)).toEqual(photograph(account));
        },
      ),
      { numRuns: 12 },
    );
  });

  /** Checks that the account equals the sum of its trades and incomes. */
  function checkBooks(exchange: FuturesExchange): void {
    const { account } = exchange;
    const trades = [...account.trades.values()].flat();
    const of = (type: string) =>
      account.incomes.reduce((sum, income) => (income.type === type ? sum + income.units : sum), 0n);
    const realised = trades.reduce((sum, trade) => sum + trade.realised, 0n);
    const fees = trades.reduce((sum, trade) => sum + trade.commission, 0n);
    expect(of('REALIZED_PNL')).toBe(realised);
    expect(of('COMMISSION')).toBe(-fees);
    expect(account.wallet).toBe(of('TRANSFER') + realised - fees + of('FUNDING_FEE') + of('INSURANCE_CLEAR'));
    for (const { symbol } of TWO) {
      const decimals = exchange.contract(market(exchange, symbol));
      const unit = 10n ** BigInt(8 - decimals.priceDecimals - decimals.quantityDecimals);
      for (const side of ['BOTH', 'LONG', 'SHORT'] as const) checkPosition(account, { symbol, side, unit });
    }
  }

  /** Checks that a position equals the sum of its trades. @param unit value of one tick × step, in 1e-8 */
  function checkPosition(
    account: FuturesAccount,
    { symbol, side, unit }: { symbol: string; side: PositionSide; unit: bigint },
  ): void {
    const trades = [...account.trades.values()].flat();
    const own = trades.filter((trade) => trade.symbol === symbol && trade.positionSide === side);
    const position = account.position(symbol, side);
    const steps = own.reduce((sum, trade) => sum + (trade.side === 'buy' ? trade.steps : -trade.steps), 0);
    const paid = own.reduce((sum, trade) => {
      const value = BigInt(trade.tick) * BigInt(trade.steps) * unit;
      return sum + (trade.side === 'buy' ? value : -value);
    }, 0n);
    expect(position.steps).toBe(steps);
    // The total paid equals the cost of the open position less the realised profit.
    const cost = position.steps < 0 ? -position.cost : position.cost;
    expect(cost - position.realised).toBe(paid);
    if (steps === 0) expect(position.cost).toBe(0n);
    if (steps === 0 || account.settings(symbol).marginType === 'CROSSED') expect(position.isolated).toBe(0n);
    if (side === 'LONG') expect(steps).toBeGreaterThanOrEqual(0);
    if (side === 'SHORT') expect(steps).toBeLessThanOrEqual(0);
    const closing = account
      .openOrders(symbol)
      .filter((order) => order.positionSide === side && account.isClosing(order));
    const left = closing.reduce((sum, order) => sum + order.steps - order.filled, 0);
    expect(left).toBeLessThanOrEqual(Math.abs(steps));
  }
});

describe('closing orders', () => {
  test('a closing order needs a position, is cut to it, and ends with it', () => {
    const { exchange, now } = open(3);
    const { lastTick } = market(exchange);
    const far = Math.round(lastTick * 1.02);
    expect(rejection(() => exchange.place('BTCUSDT', terms({ side: 'sell', reduceOnly: true }), now()))).toBe(
      'reduce-only',
    );
    exchange.place('BTCUSDT', terms({ steps: 100 }), now());
    expect(rejection(() => exchange.place('BTCUSDT', terms({ reduceOnly: true }), now()))).toBe('reduce-only');
    const limit = { type: 'LIMIT', side: 'sell', reduceOnly: true, tick: far } as const;
    const resting = exchange.place('BTCUSDT', terms({ ...limit, steps: 150 }), now());
    expect(resting.steps).toBe(100);
    exchange.place('BTCUSDT', terms({ side: 'sell', steps: 40 }), now());
    expect(exchange.account.order('BTCUSDT', resting.id)).toMatchObject({ status: 'NEW', steps: 60 });
    exchange.place('BTCUSDT', terms({ side: 'sell', steps: 500, reduceOnly: true }), now());
    expect(exchange.account.position('BTCUSDT', 'BOTH').steps).toBe(0);
    expect(exchange.account.order('BTCUSDT', resting.id)).toMatchObject({ status: 'EXPIRED', filled: 0 });
  });

  test('hedge mode closes each side by its own orders and never flips it', () => {
    const { exchange, now } = open(3);
    exchange.setHedgeMode(true, now());
    expect(rejection(() => exchange.place('BTCUSDT', terms({}), now()))).toBe('position-side');
    exchange.place('BTCUSDT', terms({ positionSide: 'LONG', steps: 50 }), now());
    exchange.place('BTCUSDT', terms({ positionSide: 'SHORT', side: 'sell', steps: 30 }), now());
    const closing = (steps: number) => terms({ positionSide: 'LONG', side: 'sell', steps });
    expect(rejection(() => exchange.place('BTCUSDT', closing(80), now()))).toBe('reduce-only');
    exchange.place('BTCUSDT', closing(50), now());
    expect(exchange.account.position('BTCUSDT', 'LONG').steps).toBe(0);
    expect(exchange.account.position('BTCUSDT', 'SHORT').steps).toBe(-30);
    expect(rejection(() => exchange.setHedgeMode(false, now()))).toBe('open-position');
  });
});

describe('conditional orders', () => {
  test('a stop is triggered at its price, becomes an order, and refers to it', () => {
    const { exchange, wait, now, events } = open(5);
    exchange.place('BTCUSDT', terms({ steps: 20 }), now());
    const { lastTick } = market(exchange);
    const below = Math.round(lastTick * 0.9995) * 1e7;
    expect(rejection(() => exchange.placeAlgo('BTCUSDT', algo({ triggerPrice: lastTick * 1e7 + 1e7 }), now()))).toBe(
      'would-trigger',
    );
    const stop = exchange.placeAlgo(
      'BTCUSDT',
      algo({ triggerPrice: below, steps: 0, closePosition: true, reduceOnly: true, timeInForce: 'GTE_GTC' }),
      now(),
    );
    for (let minute = 0; minute < 600 && exchange.account.pendingAlgos.size > 0; minute++) wait(60_000);
    const done = exchange.account.algo(stop.id);
    expect(done?.status).toBe('FINISHED');
    expect(exchange.account.order('BTCUSDT', done?.orderId ?? 0)).toMatchObject({ status: 'FILLED', filled: 20 });
    expect(exchange.account.position('BTCUSDT', 'BOTH').steps).toBe(0);
    const kinds = events.flatMap((event) => (event.kind === 'account' && event.algo ? [event.record.kind] : []));
    expect(kinds).toEqual(['algo', 'trigger', 'fill']);
  });

  test('a trailing stop follows the best price and triggers at its callback rate', () => {
    const { exchange, wait, now, records } = open(8);
    exchange.place('BTCUSDT', terms({ steps: 20 }), now());
    const trailing = exchange.placeAlgo(
      'BTCUSDT',
      algo({ type: 'TRAILING_STOP_MARKET', steps: 20, callbackRate: 20, reduceOnly: true }),
      now(),
    );
    for (let minute = 0; minute < 900 && exchange.account.pendingAlgos.size > 0; minute++) wait(60_000);
    const extremes = records.flatMap((record) => (record.kind === 'trail' ? [record.extreme] : []));
    expect(extremes.length).toBeGreaterThan(0);
    expect(extremes).toEqual([...extremes].sort((a, b) => a - b));
    const done = exchange.account.algo(trailing.id);
    expect(done?.status).toBe('FINISHED');
    const first = exchange.account.trades.get('BTCUSDT')?.find(({ orderId }) => orderId === done?.orderId);
    // The book may be some ticks below the trade that triggered the stop.
    expect((first?.tick ?? 0) * 1e7).toBeLessThanOrEqual((extremes.at(-1) ?? 0) * 0.998 + 100e7);
  });

  test('a GTE_GTC order expires with its position', () => {
    const { exchange, now } = open(5);
    const { lastTick } = market(exchange);
    const close = { triggerPrice: Math.round(lastTick * 0.95) * 1e7, steps: 0, closePosition: true } as const;
    const whole = { ...close, reduceOnly: true, timeInForce: 'GTE_GTC' } as const;
    expect(rejection(() => exchange.placeAlgo('BTCUSDT', algo(whole), now()))).toBe('needs-position');
    exchange.place('BTCUSDT', terms({ steps: 20 }), now());
    const stop = exchange.placeAlgo('BTCUSDT', algo(whole), now());
    expect(rejection(() => exchange.placeAlgo('BTCUSDT', algo(whole), now()))).toBe('closing-exists');
    exchange.place('BTCUSDT', terms({ side: 'sell', steps: 20 }), now());
    expect(exchange.account.algo(stop.id)?.status).toBe('EXPIRED');
  });

  test('a triggered order that is not possible is rejected with the reason', () => {
    const { exchange, wait, now } = open(5);
    const { lastTick } = market(exchange);
    const triggerPrice = Math.round(lastTick * 0.9997) * 1e7;
    const stop = exchange.placeAlgo('BTCUSDT', algo({ triggerPrice, reduceOnly: true }), now());
    for (let minute = 0; minute < 600 && exchange.account.pendingAlgos.size > 0; minute++) wait(60_000);
    expect(exchange.account.algo(stop.id)).toMatchObject({ status: 'REJECTED', reason: 'reduce-only' });
  });
});

describe('margin', () => {
  test('an order beyond the available margin is rejected and changes nothing', () => {
    const { exchange, now } = open(4);
    const before = photograph(exchange.account);
    const resting = { type: 'LIMIT', tick: market(exchange).lastTick - 1000 } as const;
    // 2,100,000 at leverage 20 needs more than the 100,000 of the account.
    const dear = terms({ ...resting, steps: Math.round(2_100_000_000 / (resting.tick / 10)) });
    expect(rejection(() => exchange.place('BTCUSDT', dear, now()))).toBe('insufficient-margin');
    expect(photograph(exchange.account)).toEqual(before);
    exchange.setLeverage('BTCUSDT', 125, now());
    // The maximum position at leverage 125 is 50,000.
    expect(rejection(() => exchange.place('BTCUSDT', terms({ steps: 900 }), now()))).toBe('most-position');
    expect(exchange.place('BTCUSDT', terms({ steps: 400 }), now()).status).toBe('FILLED');
    expect(rejection(() => exchange.setMarginType('BTCUSDT', 'ISOLATED', now()))).toBe('open-position');
  });

  test('a liquidated isolated position costs its margin and no more', () => {
    const { exchange, wait, now, records } = open(6);
    const { account } = exchange;
    exchange.setHedgeMode(true, now());
    exchange.setMarginType('BTCUSDT', 'ISOLATED', now());
    exchange.setLeverage('BTCUSDT', 100, now());
    exchange.place('BTCUSDT', terms({ positionSide: 'LONG', steps: 1_000 }), now());
    exchange.place('BTCUSDT', terms({ positionSide: 'SHORT', side: 'sell', steps: 1_000 }), now());
    const margins = new Map<PositionSide, bigint>();
    let forced: FuturesRecord | undefined;
    for (let minute = 0; minute < 3_000 && !forced; minute++) {
      for (const { side, isolated } of account.positions()) margins.set(side, isolated);
      wait(60_000);
      forced = records.find((record) => record.kind === 'order' && record.liquidation);
    }
    expect(forced).toMatchObject({ clientId: expect.stringMatching(/^autoclose-/) });
    const { id, positionSide } = forced as FuturesRecord & { kind: 'order' };
    expect(account.position('BTCUSDT', positionSide).steps).toBe(0);
    const trades = account.trades.get('BTCUSDT')?.filter(({ orderId }) => orderId === id) ?? [];
    const lost = trades.reduce((sum, { realised, commission }) => sum + realised - commission, 0n);
    const insurance = account.incomes
      .filter(({ type }) => type === 'INSURANCE_CLEAR')
      .reduce((sum, { units }) => sum + units, 0n);
    // Funding may have changed the margin since the last check.
    const margin = margins.get(positionSide) ?? 0n;
    expect(Number(-(lost + insurance)) / Number(margin)).toBeCloseTo(1, 2);
    expect(account.wallet).toBeGreaterThan(0n);
  });

  test('cross positions are liquidated together, and the wallet never goes below zero', () => {
    const { exchange, wait, now, records, events } = open(9);
    const { account } = exchange;
    exchange.setLeverage('BTCUSDT', 20, now());
    exchange.setLeverage('ETHUSDT', 20, now());
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      const contract = exchange.contract(market(exchange, symbol));
      const { mark } = exchange.mark(market(exchange, symbol));
      const steps = Math.floor((900_000 * 1e8 * 10 ** contract.quantityDecimals) / mark);
      expect(exchange.place(symbol, terms({ steps }), now()).filled).toBe(steps);
    }
    const stays = Math.floor(market(exchange).lastTick * 0.97);
    exchange.place('BTCUSDT', terms({ type: 'LIMIT', tick: stays, steps: 1 }), now());
    let forced: FuturesRecord[] = [];
    for (let minute = 0; minute < 6_000 && forced.length === 0; minute++) {
      wait(60_000);
      forced = records.filter((record) => record.kind === 'order' && record.liquidation);
    }
    expect(forced).toHaveLength(2);
    expect(account.positions()).toEqual([]);
    expect(account.openOrders()).toEqual([]);
    expect(account.wallet).toBeGreaterThanOrEqual(0n);
    expect(events.some(({ kind }) => kind === 'margin-call')).toBe(true);
  });
});

describe('funding', () => {
  test('longs pay funding to shorts at its time, at mark price and rate', () => {
    const { exchange, wait, now, records } = open(4);
    exchange.setHedgeMode(true, now());
    exchange.place('BTCUSDT', terms({ positionSide: 'LONG', steps: 200 }), now());
    exchange.place('BTCUSDT', terms({ positionSide: 'SHORT', side: 'sell', steps: 200 }), now());
    wait(FUNDING_MS * 3);
    const paid = records.filter((record) => record.kind === 'funding');
    expect(paid.length).toBe(6);
    for (const { time } of paid) expect(time % FUNDING_MS).toBe(0);
    const amounts = exchange.account.incomes.filter(({ type }) => type === 'FUNDING_FEE').map(({ units }) => units);
    expect(amounts.reduce((sum, units) => sum + units, 0n)).toBe(0n);
    const [first] = paid;
    const expected = (0.2 * (first?.mark ?? 0) * (first?.rate ?? 0)) / 1e16;
    expect(Math.abs(Number(amounts[0]) / 1e8)).toBeCloseTo(Math.abs(expected), 7);
    // Later queries return the mark prices of the payments.
    const market = exchange.market('BTCUSDT') as PairMarket;
    const reported = fundingHistory(exchange, market, first?.time, undefined, 10).map(({ markPrice }) =>
      Number(markPrice),
    );
    const marks = paid.filter(({ positionSide }) => positionSide === 'LONG').map(({ mark }) => mark / 1e8);
    expect(reported).toEqual(marks);
  });
});

test('the mark price stays between its components and near the market', () => {
  const { exchange, wait } = open(11);
  for (let minute = 0; minute < 120; minute++) {
    wait(60_000);
    for (const one of exchange.markets) {
      const { mark, index } = exchange.mark(one);
      expect(Math.abs(mark / index - 1)).toBeLessThan(0.005);
    }
  }
});
