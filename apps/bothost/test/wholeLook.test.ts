import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import type { ExchangeNews } from '@heron/engine/live/news.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { liveMachine } from '../src/live/liveMachine.ts';
import { openLog } from '../src/log.ts';
import { until } from './ground.ts';

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
    // What a look at the account asks for, and no more.
  } as unknown as TradingExchange;
  const options = { ...defaultOptions(), mode: 'live' as const, watch_pairs: `${MARKET.pair},${other.pair}` };
  const session = createLiveSession({ id: 'abc123', options, params: {}, allotment: null });
  const news: ExchangeNews[] = [];
  const machine = liveMachine({ owner: '1', keyId: 'k' }, session, {
    accounts: {
      acquire: async () => ({ trading, listen: () => () => {}, connected: () => true }),
      release: async () => {},
      close: async () => {},
    },
    log: openLog('test', 'silent'),
    now: Date.now,
    markets: async () => [MARKET, other],
    valued: async (fill) => fill,
    others: async () => ({ cash: 0, held: () => 0, unreadable: false }),
    withTerms: async (incomes) => [...incomes],
    openings: { take: async () => ({ end() {} }) },
    mayWithdraw: async () => false,
    onKeyChecked: () => () => {},
  });
  await machine.open(
    (told) => news.push(told),
    () => {},
  );
  await until(() => news.some(({ type }) => type === 'account'), 'a look that works');
  expect(fails).toBeLessThan(0);
  expect(new Set(asked)).toEqual(new Set([MARKET.pair, other.pair]));
  await machine.close();
});
