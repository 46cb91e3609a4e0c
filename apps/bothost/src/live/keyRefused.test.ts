import type { ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { ExchangeRefused, ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { liveDeps } from '../../test/liveDeps.ts';
import { until } from '../../test/testFleet.ts';
import { createLiveMachine, type LiveDeps } from './liveMachine.ts';

const refusal = () => new ExchangeRefused('binance', 'Invalid API-key, IP, or permissions for action.', 'not_allowed');

/** Creates an account whose key can lose its permission to trade, or all permissions. */
function account() {
  const rights = { read: true, trade: true, pair: true };
  const read = async <T>(answer: T): Promise<T> => {
    if (!rights.read) throw refusal();
    return answer;
  };
  const trading = {
    time: Date.now,
    margin: null,
    balances: () => read([{ asset: 'USDT', free: '1000', locked: '0' }]),
    openOrders: () => read([]),
    ownTrades: () => read([]),
    order: () => read(null),
    permissions: () => read({ trade: rights.trade, withdraw: false, ipRestricted: true }),
    async place(): Promise<never> {
      if (!rights.pair) throw new ExchangeRefused('binance', 'This symbol is not permitted for this account.');
      throw rights.trade && rights.read ? new ExchangeUnreachable('binance', 'not now') : refusal();
    },
    // Implements only the calls of a bot that buys.
  } as unknown as TradingExchange;
  return { rights, trading };
}

async function running(trading: TradingExchange, given: Partial<LiveDeps> = {}) {
  const options = { ...defaultOptions(), mode: 'live' as const, watch_pairs: MARKET.pair };
  const session = createLiveSession({ id: 'abc123', options, params: {}, allotment: null });
  const { deps, readAgain } = liveDeps(trading, given);
  const machine = createLiveMachine({ owner: '1', keyId: 'k' }, session, deps);
  const notes: Note[] = [];
  const problems: unknown[] = [];
  const feed = (event: Parameters<typeof machine.feed>[0]) => {
    const output = machine.feed(event);
    notes.push(...output.notes);
    output.act?.();
    return output.result;
  };
  await machine.open({
    emit: (received: ExecutionEvent) => void feed(received),
    onProblem: (problem) => void problems.push(problem),
    onUnitProblem() {},
  });
  const at = Date.now();
  feed({ type: 'command', at, command: { type: 'start' } });
  feed({ type: 'history', at, market: MARKET, candles: [] });
  const price = toUnits(100);
  const size = toUnits(1, MARKET.assetDecimals);
  const [bid, ask] = [price - MARKET.tick, price + MARKET.tick];
  feed({ type: 'quote', pair: MARKET.pair, at, bid, bidSize: size, ask, askSize: size, last: price });
  let requests = 0;
  return {
    machine,
    readAgain,
    problem: () => problems.at(-1),
    buy: () =>
      feed({
        type: 'command',
        at: Date.now(),
        command: {
          type: 'buy',
          pair: MARKET.pair,
          order: 'taker',
          value: toUnits(50),
          requestId: `r${requests++}`,
        },
      }),
    recorded: () => notes.filter(({ kind }) => kind === 'external').map(({ data }) => data.what),
    comparedAt: () => machine.account()?.comparedAt,
    connection: () => machine.account()?.connection,
  };
}

test('a key that cannot trade is reported at the first order and blocks entries', async () => {
  const { rights, trading } = account();
  const bot = await running(trading);
  rights.trade = false;
  expect(bot.buy()).toMatchObject({ ok: true });
  await until(() => bot.recorded().includes('key_refused'), 'the key to be refused');
  expect(bot.recorded()).not.toContain('order_refused');
  expect(bot.buy()).toMatchObject({ ok: false, gate: 'key_refused' });
  expect(bot.connection()).toBe('key_refused');
  expect(bot.problem()).toMatchObject({ about: 'not_allowed' });
  // The account can be read, and the exchange reports that the key may not trade.
  const before = bot.comparedAt() ?? 0;
  bot.readAgain();
  await until(() => (bot.comparedAt() ?? 0) > before, 'another snapshot');
  expect([bot.connection(), bot.recorded().includes('key_accepted')]).toEqual(['key_refused', false]);
  rights.trade = true;
  bot.readAgain();
  await until(() => bot.recorded().includes('key_accepted'), 'the key to be accepted');
  expect([bot.connection(), bot.problem()]).toEqual(['streaming', null]);
  expect(bot.recorded().filter((what) => what === 'key_refused')).toHaveLength(1);
  await bot.machine.close();
});

test('a revoked key is reported by the next snapshot, not as an unreachable account', async () => {
  const { rights, trading } = account();
  const bot = await running(trading);
  rights.read = false;
  bot.readAgain();
  await until(() => bot.connection() === 'key_refused', 'the key to be refused');
  expect(bot.recorded()).toContain('key_refused');
  rights.read = true;
  bot.readAgain();
  await until(() => bot.recorded().includes('key_accepted'), 'the key to be accepted');
  expect([bot.connection(), bot.problem()]).toEqual(['streaming', null]);
  await bot.machine.close();
});

test('an account that may not trade one pair has a key that is not rejected', async () => {
  const { rights, trading } = account();
  const bot = await running(trading);
  rights.pair = false;
  bot.buy();
  await until(() => bot.recorded().includes('order_refused'), 'the order to be refused');
  expect([bot.connection(), bot.recorded().includes('key_refused')]).toEqual(['streaming', false]);
  await bot.machine.close();
});

test('withdrawals that are switched on later block entries, and exits continue', async () => {
  const { trading } = account();
  let withdraw = false;
  const permissions: LiveDeps['permissions'] = {
    read: (_, exchange) => exchange.permissions(),
    async readDaily() {
      withdraw = true;
    },
  };
  const savedPermissions = async () => ({ trade: true, withdraw });
  const bot = await running(trading, { permissions, savedPermissions });
  await until(() => bot.recorded().includes('key_may_withdraw'), 'the permission to be noticed');
  expect(bot.buy()).toMatchObject({ ok: false, gate: 'key_may_withdraw' });
  await bot.machine.close();
});

test('trading that is switched off for a key later blocks entries, until it is switched on', async () => {
  const { rights, trading } = account();
  let saved = { trade: true, withdraw: false };
  const permissions: LiveDeps['permissions'] = {
    async read(_, exchange) {
      const { trade } = await exchange.permissions();
      saved = { trade, withdraw: false };
      return exchange.permissions();
    },
    readDaily: async (keyId, exchange) => void (await permissions.read(keyId, exchange)),
  };
  const bot = await running(trading, { permissions, savedPermissions: async () => saved });
  rights.trade = false;
  bot.readAgain();
  await until(() => !saved.trade, 'the permissions to be read');
  bot.readAgain();
  await until(() => bot.recorded().includes('key_refused'), 'the permission to be noticed');
  expect(bot.buy()).toMatchObject({ ok: false, gate: 'key_refused' });
  expect(bot.problem()).toMatchObject({ about: 'not_allowed' });
  rights.trade = true;
  bot.readAgain();
  await until(() => bot.recorded().includes('key_accepted'), 'the key to be accepted');
  expect(bot.problem()).toBe(null);
  await bot.machine.close();
});

test('a key that is refused when its permissions are read blocks entries, until it is accepted', async () => {
  const { rights, trading } = account();
  let retries = 0;
  const permissions: LiveDeps['permissions'] = {
    read: (_, exchange) => exchange.permissions(),
    async readDaily() {
      if (!rights.trade) throw refusal();
    },
  };
  const accounts: LiveDeps['accounts'] = {
    acquire: async () => ({
      ...{ trading, listen: () => () => {}, connected: () => true },
      retryStream() {
        retries += 1;
      },
    }),
    release: async () => {},
    close: async () => {},
  };
  const bot = await running(trading, { permissions, accounts });
  rights.trade = false;
  bot.readAgain();
  await until(() => bot.recorded().includes('key_refused'), 'the key to be refused');
  expect(bot.connection()).toBe('key_refused');
  const before = retries;
  rights.trade = true;
  bot.readAgain();
  await until(() => bot.recorded().includes('key_accepted'), 'the key to be accepted');
  // The account stream waits for minutes after a refusal.
  expect(retries).toBeGreaterThan(before);
  await bot.machine.close();
});
