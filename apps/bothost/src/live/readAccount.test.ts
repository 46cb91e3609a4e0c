import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { OpenPosition, TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { readAccount } from './readAccount.ts';

const position = (quantity: number, margin: number): OpenPosition => ({
  ...{ pair: MARKET.pair, quantity, entryPrice: 1, mark: 1, margin },
});

const marginOf = (held: readonly OpenPosition[]) => ({
  positions: async () => held,
  incomes: async () => [],
  settings: async () => [],
  brackets: async () => new Map(),
});

/** Reads a futures account with these positions. */
async function seen(held: readonly OpenPosition[]) {
  const trading = {
    time: () => 1_000_000,
    balances: async () => [],
    openOrders: async () => [],
    ownTrades: async () => [],
    margin: marginOf(held),
    // Implements only the calls of an account snapshot.
  } as unknown as TradingExchange;
  const question = { currency: 'USDT', markets: [MARKET], active: new Set<string>(), cursors: {} };
  const others = async () => ({ claims: [], heldQuantity: () => 0, unreadable: false });
  const { pairs } = await readAccount(trading, { ...question, incomesSince: 0 }, others, () => 1_000_000);
  return pairs[0];
}

test('a long and a short of hedge mode are separate positions, not their difference', async () => {
  expect(await seen([position(5, 50), position(-5, 40)])).toMatchObject({
    ...{ quantity: 5, margin: 50, otherSide: { quantity: -5, margin: 40 } },
  });
  expect(await seen([position(2, 20), position(-5, 40)])).toMatchObject({
    ...{ quantity: -5, margin: 40, otherSide: { quantity: 2, margin: 20 } },
  });
});

test('a single position has one entry, and no position has none', async () => {
  expect(await seen([position(-5, 40)])).toMatchObject({ quantity: -5, margin: 40 });
  expect(await seen([position(-5, 40)])).not.toHaveProperty('otherSide');
  expect(await seen([])).toMatchObject({ quantity: 0, margin: 0 });
});

const MINUTE_MS = 60_000;
const NOW = 100 * MINUTE_MS;

/** Returns the cursor after a snapshot with fills of these ages, in minutes. The venue's clock is a day ahead. */
async function cursorAfter(ages: readonly number[], margin: boolean) {
  const ahead = 86_400_000;
  let offset = 0;
  const from: number[] = [];
  const trading = {
    time: () => NOW + offset,
    // The first response contains the venue's time.
    balances: async () => {
      offset = ahead;
      return [];
    },
    openOrders: async () => [],
    ownTrades: async (_: string, since: { at: number }) => {
      from.push(since.at - ahead);
      return ages.map((age) => ({ id: `of ${age}`, pair: MARKET.pair, at: NOW + ahead - age * MINUTE_MS }));
    },
    margin: margin ? marginOf([]) : null,
    // Implements only the calls of an account snapshot.
  } as unknown as TradingExchange;
  const question = {
    currency: 'USDT',
    markets: [MARKET],
    active: new Set([MARKET.pair]),
    cursors: {},
    incomesSince: 0,
  };
  const others = async () => ({ claims: [], heldQuantity: () => 0, unreadable: false });
  const { cursors } = await readAccount(trading, question, others, () => NOW);
  return { from: from[0], goesOn: cursors[MARKET.pair]?.id };
}

test('futures fills are read again as far back as incomes, spot fills for a minute', async () => {
  expect(await cursorAfter([12, 5, 0], true)).toMatchObject({ goesOn: 'of 12' });
  expect(await cursorAfter([12, 5, 0], false)).toMatchObject({ goesOn: 'of 5' });
});

test('the first account snapshot begins a minute ago by the clock of the venue', async () => {
  expect(await cursorAfter([], true)).toMatchObject({ from: NOW - MINUTE_MS });
});
