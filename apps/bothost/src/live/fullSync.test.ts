import type { AccountSnapshot, ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import type { OrderReport, OwnIncome } from '@heron/engine/live/report.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { liveDeps } from '../../test/liveDeps.ts';
import { until } from '../../test/testFleet.ts';
import { createLiveMachine, type LiveDeps } from './liveMachine.ts';

const OTHER = { ...MARKET, pair: 'ETH-USDT', base: 'ETH' };
const HOUR_MS = 3_600_000;

test('a failed account snapshot is retried in full, with the fills of every pair', async () => {
  const requests: string[] = [];
  let fails = 2;
  const trading = {
    time: Date.now,
    margin: null,
    async balances() {
      if (fails-- > 0) throw new ExchangeUnreachable('binance', 'not now');
      return [{ asset: 'USDT', free: '1000', locked: '0' }];
    },
    openOrders: async () => [],
    async ownTrades(pair: string) {
      requests.push(pair);
      return [];
    },
    // Implements only the calls of an account snapshot.
  } as unknown as TradingExchange;
  const options = { ...defaultOptions(), mode: 'live' as const, watch_pairs: `${MARKET.pair},${OTHER.pair}` };
  const session = createLiveSession({ id: 'abc123', options, params: {}, allotment: null });
  const events: ExecutionEvent[] = [];
  const { deps } = liveDeps(trading, { markets: async () => [MARKET, OTHER] });
  const machine = createLiveMachine({ owner: '1', keyId: 'k' }, session, deps);
  await machine.open({ emit: (received) => void events.push(received), onProblem() {}, onUnitProblem() {} });
  await until(() => events.some(({ type }) => type === 'account_snapshot'), 'a successful snapshot');
  expect(fails).toBeLessThan(0);
  expect(new Set(requests)).toEqual(new Set([MARKET.pair, OTHER.pair]));
  await machine.close();
});

/** Starts a futures bot. `sync` makes it read an account snapshot, which contains `payments`. */
async function futuresBot(given: {
  readonly deps?: Partial<LiveDeps>;
  readonly openOrders?: () => OrderReport[];
  /** Called while the account is read. */
  readonly onRead?: () => void;
}) {
  const payments: OwnIncome[] = [];
  let ahead = 0;
  const trading = {
    time: () => Date.now() + ahead,
    margin: {
      positions: async () => [],
      async incomes(since: number) {
        given.onRead?.();
        return payments.filter(({ at }) => at >= since);
      },
      settings: async () => [],
      brackets: async () => new Map(),
    },
    balances: async () => [{ asset: 'USDT', free: payments.length === 0 ? '1000' : '997.5', locked: '0' }],
    openOrders: async () => given.openOrders?.() ?? [],
    ownTrades: async () => [],
    cancel: async () => null,
    // Implements only the calls of an account snapshot.
  } as unknown as TradingExchange;
  const watched = `${MARKET.pair},${OTHER.pair}`;
  const futures = { exchange: 'binanceusdm-demo' as const, mode: 'live' as const, watch_pairs: watched };
  const options = { ...defaultOptions(), ...futures };
  const session = createLiveSession({ id: 'abc123', options, params: {}, allotment: null });
  const { deps, readAgain } = liveDeps(trading, { markets: async () => [MARKET, OTHER], ...given.deps });
  const machine = createLiveMachine({ owner: '1', keyId: 'k' }, session, deps);
  const snapshots: { account: AccountSnapshot; act: (() => void) | undefined }[] = [];
  await machine.open({
    emit(received) {
      const { act } = machine.feed(received);
      if (received.type === 'account_snapshot') snapshots.push({ account: received.account, act });
    },
    onProblem() {},
    onUnitProblem() {},
  });
  return {
    machine,
    snapshots,
    async sync() {
      const before = snapshots.length;
      readAgain();
      return (await until(() => snapshots[before], 'a snapshot')).account;
    },
    /** An hour passes, within which a payment was made. */
    pay(pair: string) {
      const payment: OwnIncome = {
        ...{ type: 'funding', id: '7', at: Date.now() + ahead + HOUR_MS / 2, pair, amount: -250_000_000 },
      };
      ahead += HOUR_MS;
      payments.push(payment);
      return payment;
    },
  };
}

test('a deferred funding payment is left out and returned by the next snapshot', async () => {
  let refuses = true;
  const bot = await futuresBot({
    deps: {
      attachFundingTerms: async (received) =>
        refuses ? { incomes: [], later: received } : { incomes: received, later: [] },
    },
  });
  const payment = bot.pay(MARKET.pair);
  expect(await bot.sync()).toMatchObject({ incomes: [], cash: 1_000e8 });
  refuses = false;
  expect(await bot.sync()).toMatchObject({ incomes: [payment], cash: 997.5e8 });
  await bot.machine.close();
});

test('a payment of a pair that is traded during a snapshot waits for the fills', async () => {
  const forgotten: OrderReport = {
    ...{ clientOrderId: 'abc123-9-1', pair: OTHER.pair, side: 'buy', type: 'limit_maker', price: 1, quantity: 1 },
    ...{ filled: 0, status: 'open', at: Date.now() },
  };
  let sends: (() => void) | undefined;
  const bot = await futuresBot({ openOrders: () => [forgotten], onRead: () => sends?.() });
  // The first snapshot finds an unknown order, and cancels it. The request is sent during the second snapshot.
  sends = bot.snapshots[0]?.act;
  expect(sends).toBeDefined();
  const payment = bot.pay(OTHER.pair);
  expect(await bot.sync()).toMatchObject({ incomes: [], settled: false });
  sends = undefined;
  expect(await bot.sync()).toMatchObject({ incomes: [payment], settled: true });
  await bot.machine.close();
});
