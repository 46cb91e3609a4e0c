import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import type { LiveDeps } from '../src/live/liveMachine.ts';
import { openLog } from '../src/log.ts';

/** Returns the dependencies of a live machine with this account. `readAgain` makes it read the account. */
export function liveDeps(trading: TradingExchange, given: Partial<LiveDeps> = {}) {
  let readAgain = () => {};
  const deps: LiveDeps = {
    accounts: {
      acquire: async () => ({ trading, listen: () => () => {}, retryStream() {}, connected: () => true }),
      release: async () => {},
      close: async () => {},
    },
    log: openLog('test', 'silent'),
    pauses: { current: () => null, listen: () => () => {} },
    now: Date.now,
    markets: async () => [MARKET],
    withFeeInQuote: async (fill) => fill,
    otherBotsOnAccount: async () => ({ claims: [], heldQuantity: () => 0, unreadable: false }),
    attachFundingTerms: async (incomes) => ({ incomes, later: [] }),
    allocationLock: { acquire: async () => ({ release() {} }) },
    permissions: { read: (_, account) => account.permissions(), readDaily: async () => {} },
    savedPermissions: async () => ({ trade: true, withdraw: false }),
    onKeyStateChanged(_, listener) {
      readAgain = listener;
      return () => {};
    },
    ...given,
  };
  return { deps, readAgain: () => readAgain() };
}
