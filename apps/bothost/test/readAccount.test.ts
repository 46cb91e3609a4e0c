import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { OpenPosition, TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { readAccount } from '../src/live/readAccount.ts';

const position = (quantity: number, margin: number): OpenPosition => ({
  ...{ pair: MARKET.pair, quantity, entryPrice: 1, mark: 1, margin },
});

/** What a look at an account of futures tells of a contract of which this is held. */
async function seen(held: readonly OpenPosition[]) {
  const trading = {
    time: () => 1_000_000,
    balances: async () => [],
    openOrders: async () => [],
    ownTrades: async () => [],
    margin: {
      positions: async () => held,
      incomes: async () => [],
      settings: async () => [],
      brackets: async () => new Map(),
    },
    // What a look at the account asks for, and no more.
  } as unknown as TradingExchange;
  const question = { currency: 'USDT', markets: [MARKET], active: new Set<string>(), cursors: {}, since: 0 };
  const others = async () => ({ cash: 0, held: () => 0, unreadable: false });
  const { pairs } = await readAccount(trading, { ...question, incomesSince: 0 }, others, () => 1_000_000);
  return pairs[0];
}

test('a long and a short of hedge mode are told side by side, not as their difference', async () => {
  expect(await seen([position(5, 50), position(-5, 40)])).toMatchObject({
    ...{ quantity: 5, margin: 50, otherSide: { quantity: -5, margin: 40 } },
  });
  expect(await seen([position(2, 20), position(-5, 40)])).toMatchObject({
    ...{ quantity: -5, margin: 40, otherSide: { quantity: 2, margin: 20 } },
  });
});

test('one position is told alone, and none as nothing', async () => {
  expect(await seen([position(-5, 40)])).toMatchObject({ quantity: -5, margin: 40 });
  expect(await seen([position(-5, 40)])).not.toHaveProperty('otherSide');
  expect(await seen([])).toMatchObject({ quantity: 0, margin: 0 });
});
