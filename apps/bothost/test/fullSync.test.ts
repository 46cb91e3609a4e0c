import type { AccountSnapshot, ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import type { OwnIncome } from '@heron/engine/live/report.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { createLiveMachine } from '../src/live/liveMachine.ts';
import { liveDeps } from './liveDeps.ts';
import { until } from './testFleet.ts';

test('a look at the account that failed is made again as a whole: fills of every pair are asked for', async () => {
  const other = { ...MARKET, pair: 'ETH-USDT', base: 'ETH' };
  const asked: string[] = [];
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
      asked.push(pair);
      return [];
    },
    // Implements only the calls of an account snapshot.
  } as unknown as TradingExchange;
  const options = { ...defaultOptions(), mode: 'live' as const, watch_pairs: `${MARKET.pair},${other.pair}` };
  const session = createLiveSession({ id: 'abc123', options, params: {}, allotment: null });
  const news: ExecutionEvent[] = [];
  const { deps } = liveDeps(trading, { markets: async () => [MARKET, other] });
  const machine = createLiveMachine({ owner: '1', keyId: 'k' }, session, deps);
  await machine.open(
    (received) => news.push(received),
    () => {},
  );
  await until(() => news.some(({ type }) => type === 'account'), 'a look that works');
  expect(fails).toBeLessThan(0);
  expect(new Set(asked)).toEqual(new Set([MARKET.pair, other.pair]));
  await machine.close();
});

test('a payment of funding that is for later is as if it had not come yet, and is told by the next look', async () => {
  const payment: OwnIncome = {
    type: 'funding',
    id: '7',
    at: Date.now() - 1_000,
    pair: MARKET.pair,
    amount: -250_000_000,
  };
  let incomes: OwnIncome[] = [];
  const trading = {
    time: Date.now,
    margin: {
      positions: async () => [],
      incomes: async (since: number) => incomes.filter(({ at }) => at >= since),
      settings: async () => [],
      brackets: async () => new Map(),
    },
    balances: async () => [{ asset: 'USDT', free: incomes.length === 0 ? '1000' : '997.5', locked: '0' }],
    openOrders: async () => [],
    ownTrades: async () => [],
    // Implements only the calls of an account snapshot.
  } as unknown as TradingExchange;
  const futures = { exchange: 'binanceusdm-demo' as const, mode: 'live' as const, watch_pairs: MARKET.pair };
  const options = { ...defaultOptions(), ...futures };
  const session = createLiveSession({ id: 'abc123', options, params: {}, allotment: null });
  let refuses = true;
  const { deps, lookAgain } = liveDeps(trading, {
    attachFundingTerms: async (received) =>
      refuses ? { incomes: [], later: received } : { incomes: received, later: [] },
  });
  const machine = createLiveMachine({ owner: '1', keyId: 'k' }, session, deps);
  const looks: AccountSnapshot[] = [];
  const look = async () => {
    const before = looks.length;
    lookAgain();
    return until(() => looks[before], 'a look');
  };
  await machine.open(
    (received) => {
      machine.feed(received);
      if (received.type === 'account') looks.push(received.account);
    },
    () => {},
  );
  incomes = [payment];
  expect(await look()).toMatchObject({ incomes: [], cash: 1_000e8 });
  refuses = false;
  expect(await look()).toMatchObject({ incomes: [payment], cash: 997.5e8 });
  await machine.close();
});
