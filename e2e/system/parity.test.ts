import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until, untilWorking } from './botHost.ts';
import { fillsOf, type JournalFill, wholeJournal } from './statement.ts';
import { startTestbed, type Testbed } from './testbed.ts';

const PAIRS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT', 'DOGE-USDT'];
const HERON = path.join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'heron.js');

let testbed: Testbed;
let host: BotHost;
const start = () => testbed.startHost({ tape: true });

beforeAll(async () => {
  testbed = await startTestbed('parity', { seed: 11 });
  host = await start();
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

test('a paper bot on the demo market, killed once, replays to identical fills', async () => {
  const options = {
    watch_pairs: PAIRS.join(','),
    strategy: 'ema_cross',
    period: '1m',
    poll_scan_time: 1_000,
    buy_pct: 5,
  };
  const made = await host.call<BotDetail>('POST', '/bot/bots', {
    body: { name: 'recorded', options, params: { fast: 2, slow: 3 } },
  });
  const { id } = made.body;
  await host.call('POST', `/bot/bots/${id}/start`);
  await untilWorking(host, id);

  const order = (body: object) =>
    host.call('POST', `/bot/bots/${id}/orders`, { body: { requestId: randomUUID(), ...body } });
  const fillCount = async () => fillsOf(await wholeJournal(host, id)).length;
  /** Places manual maker and taker orders on every pair, while the strategy trades too. */
  const trade = async (atLeast: number) => {
    for (const [index, pair] of PAIRS.entries()) {
      const buy = { pair, side: 'buy', type: index % 2 === 0 ? 'maker' : 'taker', value: String(200 + 50 * index) };
      // Retries until the pair is ready and the strategy has no open order on it.
      await placeManualOrder(host, id, buy);
    }
    await until(async () => (await fillCount()) >= atLeast, `${atLeast} fills`, 60_000);
    for (const [index, pair] of PAIRS.entries()) {
      await order({ pair, side: 'sell', type: index % 2 === 0 ? 'taker' : 'maker', percent: 60 });
    }
  };
  await trade(2);
  await host.kill();
  host = await start();
  await untilWorking(host, id);
  const before = await fillCount();
  await trade(before + 3);
  await until(async () => (await fillCount()) >= before + 5, 'five more fills', 60_000);
  await host.call('POST', `/bot/bots/${id}/stop`);

  const live = fillsOf(await wholeJournal(host, id));
  const printed = execFileSync(
    process.execPath,
    [HERON, 'backtest', '--tape', path.join(testbed.folder, 'tapes', `${id}.ndjson`), '--json'],
    { maxBuffer: 1 << 28 },
  );
  const replayed = JSON.parse(printed.toString()) as { events: number; fills: JournalFill[] };
  expect(replayed.fills).toEqual(live);
  expect(live.length).toBeGreaterThanOrEqual(7);
  expect(new Set(live.map(({ liquidity }) => liquidity))).toEqual(new Set(['maker', 'taker']));
  expect(replayed.events).toBeGreaterThan(30);
  const { body } = await host.call<BotDetail>('GET', `/bot/bots/${id}`);
  expect(JSON.parse(printed.toString()).performance.cash).toBe(body.performance.cash);
  expect(JSON.parse(printed.toString()).performance.realised).toBe(body.performance.realised);
});
