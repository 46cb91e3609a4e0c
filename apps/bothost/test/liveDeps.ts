import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import type { LiveGround } from '../src/live/liveMachine.ts';
import { openLog } from '../src/log.ts';

/** Returns what a live machine with this account depends on. `lookAgain` makes it read the account. */
export function liveDeps(trading: TradingExchange, given: Partial<LiveGround> = {}) {
  let lookAgain = () => {};
  const deps: LiveGround = {
    accounts: {
      acquire: async () => ({ trading, listen: () => () => {}, connected: () => true }),
      release: async () => {},
      close: async () => {},
    },
    log: openLog('test', 'silent'),
    pauses: { current: () => null, listen: () => () => {} },
    now: Date.now,
    markets: async () => [MARKET],
    valued: async (fill) => fill,
    others: async () => ({ claims: [], held: () => 0, unreadable: false }),
    withTerms: async (incomes) => ({ incomes, later: [] }),
    openings: { take: async () => ({ end() {} }) },
    mayWithdraw: async () => false,
    onKeyChecked(_, listener) {
      lookAgain = listener;
      return () => {};
    },
    ...given,
  };
  return { deps, lookAgain: () => lookAgain() };
}
