import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { BotDetail, JournalEntry } from '@heron/contract/bots/entities.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, until, untilWorking } from './botHost.ts';
import { fillsOf, type JournalFill, units, wholeJournal } from './statement.ts';
import { startTestbed, type Testbed } from './testbed.ts';

const HERON = path.join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'heron.js');
/** Funding interval in ms, instead of eight hours, so that payments occur during the test. */
const FUNDING_MS = 15_000;

let testbed: Testbed;
let host: BotHost;

const start = () => testbed.startHost({ tape: true });

beforeAll(async () => {
  testbed = await startTestbed('futures-bot', { seed: 71, fundingMs: FUNDING_MS });
  host = await start();
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const OPTIONS = {
  exchange: 'binanceusdm-demo',
  market: 'only_short',
  leverage: 3,
  watch_pairs: 'BTC-USDT',
  period: '1m',
  strategy: 'dca',
  poll_scan_time: 1_000,
};
const PARAMS = { mode: 'averaging', start: 'now', take_profit: 50 };
const create = (options: object) =>
  host.call<BotDetail>('POST', '/bot/bots', { body: { name: 'short', options, params: PARAMS } });
/** Returns the mark prices at which the exchange settled funding since a given time. */
async function venueMarks(since: number): Promise<number[]> {
  const url = `${testbed.sandbox.binanceusdm.rest}/fapi/v1/fundingRate?symbol=BTCUSDT&startTime=${since}&limit=1000`;
  const rows = (await (await fetch(url)).json()) as { markPrice: string }[];
  return rows.map(({ markPrice }) => Number(markPrice));
}
const fundingsOf = (journal: readonly JournalEntry[]) => journal.filter(({ kind }) => kind === 'funding');

test('a paper short on futures books all funding across a kill, and its tape replays', async () => {
  const made = await create(OPTIONS);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const { id } = made.body;
  await host.call('POST', `/bot/bots/${id}/start`);
  await untilWorking(host, id);
  const detail = async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
  await until(async () => (await detail()).pairViews[0]?.position?.direction === 'short', 'the short', 120_000);
  const paid = async () => fundingsOf(await wholeJournal(host, id)).length;
  await until(async () => (await paid()) >= 1, 'a payment', 3 * FUNDING_MS);
  const booked = await paid();
  await host.kill();
  // At least one payment falls due while the bot host is down.
  await until(async () => (await venueMarks(made.body.createdAt)).length > booked + 1, 'a payment', 3 * FUNDING_MS);
  host = await start();
  await untilWorking(host, id);
  await until(async () => (await paid()) >= booked + 2, 'payments after the death', 3 * FUNDING_MS);
  await host.call('POST', `/bot/bots/${id}/stop`);

  const journal = await wholeJournal(host, id);
  const fundings = fundingsOf(journal);
  expect((await detail()).pairViews[0]?.position?.direction).toBe('short');
  // The journal has each of the exchange's funding times since the first fill exactly once.
  const fills = fillsOf(journal);
  const marks = await venueMarks(fills[0]?.at as number);
  expect(fundings.map(({ data }) => Number(data.mark))).toEqual(marks.slice(0, fundings.length));
  const fees = fills.reduce((sum, { fee }) => sum + units(fee), 0n);
  const received = fundings.reduce((sum, { data }) => sum + units(String(data.amount)), 0n);
  expect(units((await detail()).performance.cash)).toBe(units('10000') - fees + received);
  expect(fills.every(({ side }) => side === 'sell')).toBe(true);

  const tape = path.join(testbed.folder, 'tapes', `${id}.ndjson`);
  const printed = execFileSync(process.execPath, [HERON, 'backtest', '--tape', tape, '--json'], {
    maxBuffer: 1 << 28,
  });
  const replayed = JSON.parse(printed.toString()) as { fills: JournalFill[]; performance: { cash: string } };
  expect(replayed).toMatchObject({ venue: 'Binance USD-M futures (demo market)', money: 'paper, demo market' });
  expect(replayed.fills).toEqual(fills);
  expect(replayed.performance.cash).toBe((await detail()).performance.cash);
});
