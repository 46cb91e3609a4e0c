import { randomUUID } from 'node:crypto';
import type { BotDetail, ExchangeKey, MarketView } from '@heron/contract/bots/entities.ts';
import type { ErrorBody } from '@heron/contract/http/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, createRunningBot, until, untilWorking } from './botHost.ts';
import { fillsOf, statementOf, units, wholeJournal } from './statement.ts';
import { startTestbed, type Testbed } from './testbed.ts';

const PAIR = 'BTC-USDT';

let testbed: Testbed;
let host: BotHost;

const start = () => testbed.startHost();

beforeAll(async () => {
  testbed = await startTestbed('mexc-bot', { seed: 61 });
  host = await start();
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;

type VenueState = { venue: string; reachable: boolean | null };

async function exchanges(): Promise<VenueState[]> {
  type Answer = { exchanges: VenueState[] };
  return (await host.call<Answer>('GET', '/bot/exchanges')).body.exchanges;
}

/** Places manual buy and sell orders until one more fill is committed. */
async function tradeUntilFilled(id: string): Promise<void> {
  const count = async (kind: string) => (await wholeJournal(host, id)).filter((entry) => entry.kind === kind).length;
  const before = await count('fill');
  for (let turn = 0; (await count('fill')) === before; turn++) {
    const ended = await count('intent_end');
    const given = { requestId: randomUUID(), pair: PAIR, type: 'taker' };
    const body = turn % 2 === 0 ? { ...given, side: 'buy', value: '200' } : { ...given, side: 'sell', percent: 60 };
    const { status } = await host.call('POST', `/bot/bots/${id}/orders`, { body });
    if (status === 200) await until(async () => (await count('intent_end')) > ended, 'the order to end');
  }
}

test('MEXC is offered, its worker starts on demand, and unknown exchanges are rejected', async () => {
  expect(await exchanges()).toMatchObject([
    { venue: 'binance-demo', tellsWithdrawals: true },
    { venue: 'binanceusdm-demo' },
    { venue: 'mexc-demo', live: true, tellsWithdrawals: false },
  ]);
  expect(await host.workers()).toHaveLength(0);
  const { status, body } = await host.call<{ markets: MarketView[] }>('GET', '/bot/markets?venue=mexc-demo');
  expect(status).toBe(200);
  expect(body.markets.map(({ pair }) => pair)).toContain(PAIR);
  expect(await host.workers()).toHaveLength(1);
  const mexcReachable = async () =>
    (await exchanges()).some(({ venue, reachable }) => venue === 'mexc-demo' && reachable);
  await until(mexcReachable, 'MEXC to be reachable');
  const unknown = await host.call<ErrorBody>('GET', '/bot/markets?venue=uniswap');
  expect(unknown.body.error.code).toBe('venue_disabled');
});

test('a paper bot on MEXC survives kill -9, and its ledger is the sum of its fills', async () => {
  const id = await createRunningBot(host, 'on mexc', {
    exchange: 'mexc-demo',
    order_adjust_time: 1_000,
    markdown_buy_pct: -0.1,
  });
  const { socket, messages } = await host.stream();
  await until(
    () => messages.some((message) => message.type === 'bot' && message.bot.id === id),
    'the summary on the stream',
  );
  for (let kill = 0; kill < 4; kill++) {
    await untilWorking(host, id);
    await tradeUntilFilled(id);
    await host.kill();
    host = await start();
  }
  socket.close();
  await untilWorking(host, id);
  expect((await detail(id)).venue).toBe('mexc-demo');
  await host.call('POST', `/bot/bots/${id}/stop`);
  const journal = await wholeJournal(host, id);
  expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1));
  const fills = fillsOf(journal);
  expect(new Set(fills.map((fill) => fill.id)).size).toBe(fills.length);
  expect(fills.length).toBeGreaterThanOrEqual(4);
  const { cash, held } = statementOf('10000', fills);
  const after = await detail(id);
  expect(units(after.performance.cash)).toBe(cash);
  // A remainder below the minimum order size is dust, not a position.
  const dust = journal.findLast(({ kind }) => kind === 'position_closed')?.data.dust ?? '0';
  expect(units(after.pairViews[0]?.position?.quantity ?? String(dust))).toBe(held.get(PAIR) ?? 0n);
});

test('a key is stored only with consent, as MEXC does not report withdrawal permission', async () => {
  const { key, secret } = testbed.sandbox.mexc;
  const given = { venue: 'mexc-demo', label: 'mine', key, secret };
  const refused = await host.call<ErrorBody>('POST', '/bot/keys', { body: given });
  expect(refused.body.error.code).toBe('key_withdraw_unknown');
  const kept = await host.call<ExchangeKey>('POST', '/bot/keys', { body: { ...given, withdrawOff: true } });
  expect(kept.body).toMatchObject({ permissions: { trade: true, withdraw: null }, venue: 'mexc-demo' });
  expect(kept.body.warnings).toHaveLength(1);
  expect((await host.call('POST', `/bot/keys/${kept.body.id}/test`)).status).toBe(200);
});
