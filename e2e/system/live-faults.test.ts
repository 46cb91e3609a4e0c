import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail, ExchangeKey, JournalEntry } from '@heron/contract/bots/entities.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { openBinance } from '@heron/exchanges/ccxt/binance.ts';
import { binanceBudget, openBinanceTrading } from '@heron/exchanges/ccxt/binanceTrading.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, startBotHost, until } from './botHost.ts';
import { fillsOf, statementOf, units, wholeJournal } from './statement.ts';

const PAIR = 'BTC-USDT';
const CAPITAL = '20000';
const ORDER = 'POST /api/v3/order';

let folder: string;
let sandbox: Sandbox;
let database: TemporaryDatabase;
let host: BotHost;
let reading: PublicExchange;
let owner: TradingExchange;
let id: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-faults-'));
  [sandbox, database] = await Promise.all([startSandbox({ port: 0, seed: 71, faults: true }), temporaryDatabase()]);
  host = await startBotHost({
    databaseUrl: database.url,
    market: sandbox.binance,
    dataDir: folder,
    logLevel: 'fatal',
  });
  const { rest, ws, wsApi, key, secret } = sandbox.binance;
  reading = await openBinance({ redirect: { rest, ws }, now: Date.now });
  owner = await openBinanceTrading({
    key: { key, secret },
    redirect: { rest, wsApi },
    budget: binanceBudget(Date.now),
    markets: () => reading.markets(),
    now: Date.now,
  });
  const added = await host.call<ExchangeKey>('POST', '/bot/keys', {
    body: { exchange: 'binance', label: 'mine', key, secret },
  });
  const options = {
    ...{ mode: 'live', watch_pairs: PAIR, period: '1m', poll_scan_time: 1_000, sync_trade_time: 5_000 },
    ...{ order_adjust_time: 1_000, markdown_buy_pct: -0.1 },
  };
  const made = await host.call<BotDetail>('POST', '/bot/bots', {
    body: { name: 'unlucky', options, params: {}, key: added.body.id, allotment: CAPITAL },
  });
  id = made.body.id;
  await host.call('POST', `/bot/bots/${id}/start`, { body: { confirm: 'unlucky' } });
  await until(async () => (await detail()).status === 'working', 'the bot to work');
});

afterAll(async () => {
  await owner.close();
  await reading.close();
  await host.stop();
  await sandbox.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const detail = async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;

async function script(method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const answer = await fetch(`${sandbox.binance.rest}/faults`, {
    method,
    ...(fault === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ probability: 0.5, seed: 1, ...fault }),
        }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Buys and sells by hand, at market and resting, as fast as the bot takes it. */
async function trade(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const given = { requestId: randomUUID(), pair: PAIR, type: n % 2 === 0 ? 'taker' : 'maker' };
    const body = n % 3 === 2 ? { ...given, side: 'sell', percent: 50 } : { ...given, side: 'buy', value: '200' };
    await host.call('POST', `/bot/bots/${id}/orders`, { body });
    await delay(150);
  }
}

const openIntents = (journal: readonly JournalEntry[]) =>
  journal.filter(({ kind }) => kind === 'intent').length - journal.filter(({ kind }) => kind === 'intent_end').length;

/** The account's own list of fills of the bot. */
async function statement() {
  const trades = await owner.ownTrades(PAIR, { at: Date.now() - 1_800_000, id: '' });
  return trades.filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
}

const FAULTS: readonly (readonly [string, ...object[]])[] = [
  ['orders are lost on the way', { kind: 'drop', at: 'before', match: ORDER }],
  ['answers to orders are lost', { kind: 'drop', at: 'after', match: ORDER }],
  ['answers to orders are late', { kind: 'delay', at: 'after', delayMs: 700, match: ORDER }],
  [
    'orders are held up for longer than they may live',
    { kind: 'delay', at: 'before', delayMs: 5_500, match: ORDER, count: 2 },
  ],
  ['answers to orders are 503', { kind: 'answer', at: 'after', status: 503, code: -1001, match: ORDER }],
  ['orders time out inside the exchange', { kind: 'answer', at: 'after', status: 408, code: -1007, match: ORDER }],
  ['cancels are lost', { kind: 'drop', at: 'before', match: 'DELETE /api/v3/order' }],
  ['answers to cancels are lost', { kind: 'drop', at: 'after', match: 'DELETE /api/v3/order' }],
  ['events of the account are lost', { kind: 'lose', match: 'EVENT user *' }],
  ['events of the account come twice', { kind: 'duplicate', match: 'EVENT user *' }],
  ['events of the account come in another order', { kind: 'reorder', by: 2, match: 'EVENT user *' }],
  ['events of the account are late', { kind: 'delay', delayMs: 900, match: 'EVENT user *' }],
  ["the account's stream is cut", { kind: 'cut', match: 'CONNECT /ws-api*', probability: 1, forMs: 1_500 }],
  ['orders are filled in part', { kind: 'partial', part: 0.4, match: 'BTCUSDT', probability: 1 }],
  ['questions are not answered', { kind: 'drop', at: 'before', match: 'GET /api/v3/*' }],
  [
    'there are too many requests',
    { kind: 'answer', at: 'before', status: 429, code: -1003, retryAfter: 2, match: ORDER },
  ],
  [
    'the address is banned for a while',
    { kind: 'answer', at: 'before', status: 418, code: -1003, retryAfter: 3, match: '* /api/v3/*', count: 1 },
  ],
  ["the exchange's clock is ahead", { kind: 'skew', skewMs: 8_000, match: '*', probability: 1 }],
  ["the exchange's clock is behind", { kind: 'skew', skewMs: -8_000, match: '*', probability: 1 }],
  [
    'answers are lost, events as well, and questions are refused',
    { kind: 'drop', at: 'after', match: ORDER },
    { kind: 'lose', match: 'EVENT user *' },
    { kind: 'answer', at: 'before', status: 503, code: -1001, match: 'GET /api/v3/order' },
  ],
];

test.each(FAULTS.map(([name, ...faults]) => ({ name, faults })))(
  '$name: no order twice, no fill lost, the ledger exact',
  { timeout: 120_000 },
  async ({ faults }) => {
    const before = fillsOf(await wholeJournal(host, id)).length;
    for (const fault of faults) await script('POST', fault);
    await trade(10);
    // Each fault was really met.
    const met = (await (await fetch(`${sandbox.binance.rest}/faults`)).json()) as { kind: string; struck: number }[];
    for (const { kind, struck } of met) if (kind !== 'skew') expect(struck, kind).toBeGreaterThan(0);
    await script('DELETE');
    await until(
      async () => {
        if (openIntents(await wholeJournal(host, id)) > 0) return false;
        const fills = fillsOf(await wholeJournal(host, id));
        return fills.length === (await statement()).length;
      },
      'everything to be known',
      60_000,
    );
    const journal = await wholeJournal(host, id);
    const fills = fillsOf(journal);
    expect(fills.map((fill) => fill.id).sort()).toEqual((await statement()).map((fill) => fill.id).sort());
    expect(fills.length).toBeGreaterThan(before);
    const { cash, held } = statementOf(CAPITAL, fills);
    const bot = await detail();
    expect(units(bot.performance.cash)).toBe(cash);
    const holding = bot.pairViews[0]?.position?.quantity;
    if (holding !== undefined) expect(units(holding)).toBe(held.get(PAIR));
    const open = await owner.openOrders([PAIR]);
    expect(open.filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`))).toEqual([]);
    const surprises = journal.filter(
      ({ kind, data }) => kind === 'external' && ['adjust', 'transfer', 'late_fill'].includes(String(data.what)),
    );
    expect(surprises).toEqual([]);
    expect(bot.status).toBe('working');
  },
);
