import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail, ExchangeKey } from '@heron/contract/bots/entities.ts';
import { openDatabase } from '@heron/database/connect.ts';
import { type BotHost, startBotHost, until, workingBot } from '../system/botHost.ts';
import { type Fate, openFaultyDoor, type Passing } from '../system/faultyDoor.ts';
import { type Auditor, auditorOf, type Books, faultsAtAnyTime, faultsWhenSettled } from './audit.ts';
import { type Chance, chanceOf } from './chance.ts';
import { clearFaults } from './faultTable.ts';
import { startKillableDatabase } from './killableDatabase.ts';
import { startKillableMarket } from './killableMarket.ts';
import type { Venue } from './venues.ts';

export const VICTIMS = ['host', 'database', 'market'] as const;
export type Victim = (typeof VICTIMS)[number];

const CAPITAL = '20000';
/** A call to a host whose database is away may wait for long; nobody waits for it. */
const CALL_MS = 2_000;
const SETTLE_MS = 90_000;
/** Of the journal of a bot whose books are wrong. */
const LINES_SHOWN = 12;

interface LiveBot {
  readonly id: string;
  readonly pair: string;
  readonly audit: Auditor;
}

/** Live bots that trade without pause, and everything under them can be killed. */
export interface Rig {
  /** Address of the market's fault script. */
  readonly script: string;
  readonly bots: readonly LiveBot[];
  /** Client ids of all orders that left the host, in order. */
  readonly sent: readonly string[];
  /** Requests with a signature while only a paper bot ran and traded. */
  readonly signedByPaper: number;
  /** Decides what becomes of the next order; orders pass when null. */
  trap: ((passing: Passing) => Fate) | null;
  /** kill -9 of one; resolves when it is dead. */
  kill(victim: Victim): Promise<void>;
  /** Brings it back. */
  revive(victim: Victim): Promise<void>;
  /** Lets go of trading, waits until every bot has heard of everything, and holds its books against the exchange's. */
  settle(): Promise<string[]>;
  /** What is wrong with the books in this moment, in the middle of it all. */
  look(): Promise<string[]>;
  trade(): void;
  close(): Promise<void>;
}

export async function startRig(venue: Venue, seed: number): Promise<Rig> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-chaos-'));
  const [market, server] = await Promise.all([
    startKillableMarket(path.join(folder, 'market')),
    startKillableDatabase(path.join(folder, 'database')),
  ]);
  const { [venue.exchange]: target } = market.addresses;
  const door = await openFaultyDoor(target.rest);
  const database = openDatabase(server.url);
  const owner = await venue.openOwner(market.addresses);
  const sent: string[] = [];
  let signed = 0;
  const rig: { trap: Rig['trap'] } = { trap: null };
  door.fate = (passing) => {
    // Nobody needs the list, and it grows.
    door.passed.length = 0;
    if (passing.params.has('signature')) signed++;
    if (passing.method !== 'POST' || passing.path !== venue.orderPath) return 'pass';
    sent.push(venue.clientOrderId(passing.params));
    return rig.trap?.(passing) ?? 'pass';
  };

  const startHost = () =>
    startBotHost({
      databaseUrl: server.url,
      market: { ...target, rest: door.url },
      dataDir: folder,
      logLevel: process.env.HERON_LOG_LEVEL ?? 'fatal',
    });
  let host: BotHost = await startHost();
  const paper = await workingBot(host, 'on paper', { markdown_buy_pct: -0.1 });
  await order(() => host, { id: paper, pair: 'BTC-USDT' }, chanceOf(seed), 'buy');
  await until(
    async () => (await host.call<BotDetail>('GET', `/bot/bots/${paper}`)).body.openPairs === 1,
    'the paper bot to buy',
  );
  const signedByPaper = signed;

  const { key, secret } = target;
  const added = await host.call<ExchangeKey>('POST', '/bot/keys', {
    body: { exchange: venue.exchange, label: 'mine', key, secret },
  });
  const bots: LiveBot[] = [];
  for (const pair of venue.pairs) {
    const options = {
      ...{ mode: 'live', watch_pairs: pair, period: '1m', poll_scan_time: 1_000, sync_trade_time: 5_000 },
      ...{ order_adjust_time: 1_000, markdown_buy_pct: -0.1 },
    };
    const name = `survivor of ${pair}`;
    const made = await host.call<BotDetail>('POST', '/bot/bots', {
      body: { name, options, params: {}, key: added.body.id, allotment: CAPITAL },
    });
    if (made.status !== 200) throw new Error(JSON.stringify(made));
    const { id } = made.body;
    await host.call('POST', `/bot/bots/${id}/start`, { body: { confirm: name } });
    await until(
      async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body.status === 'working',
      `${name} to work`,
    );
    bots.push({ id, pair, audit: auditorOf({ id, pair }, database, owner) });
  }

  let trading: Promise<unknown> | null = null;
  let tired = new AbortController();

  /** Whether an audit holds now; one that the fault script or a restart spoils is made again. */
  async function booksOf(bot: LiveBot): Promise<Books> {
    for (let tries = 0; ; tries++) {
      try {
        return await bot.audit();
      } catch (error) {
        if (tries === 40) throw error;
        await delay(250);
      }
    }
  }

  const named = ({ pair }: LiveBot, wrong: string[]) => wrong.map((what) => `${pair}: ${what}`);

  return Object.assign(rig, {
    script: target.rest,
    bots,
    sent,
    signedByPaper,
    async kill(victim: Victim) {
      if (victim === 'host') await host.kill();
      else if (victim === 'database') server.kill();
      else await market.kill();
    },
    async revive(victim: Victim) {
      if (victim === 'host') host = await startHost();
      else if (victim === 'database') await server.start();
      else await market.start();
    },
    async settle() {
      tired.abort();
      await trading;
      trading = null;
      await clearFaults(target.rest);
      const wrong: string[] = [];
      for (const bot of bots) {
        let books = await booksOf(bot);
        const deadline = performance.now() + SETTLE_MS;
        while (faultsWhenSettled(books).length > 0 && performance.now() < deadline) {
          await delay(200);
          books = await booksOf(bot);
        }
        const found = [...faultsWhenSettled(books), ...faultsAtAnyTime(books, CAPITAL, bot.pair)];
        if (found.length > 0) found.push(...books.journal.slice(-LINES_SHOWN).map((line) => JSON.stringify(line)));
        wrong.push(...named(bot, found));
      }
      if (new Set(sent).size !== sent.length) wrong.push('an order was sent twice');
      const strange = sent.filter((name) => !bots.some(({ id }) => name.startsWith(`${id}-`)));
      if (strange.length > 0) wrong.push(`orders of nobody: ${strange.join(' ')}`);
      return wrong;
    },
    async look() {
      const wrong: string[] = [];
      for (const bot of bots) wrong.push(...named(bot, faultsAtAnyTime(await booksOf(bot), CAPITAL, bot.pair)));
      return wrong;
    },
    trade() {
      if (trading !== null) return;
      tired = new AbortController();
      const { signal } = tired;
      trading = Promise.all(
        bots.map(async (bot, index) => {
          const chance = chanceOf(seed + sent.length * 7 + index);
          while (!signal.aborted) {
            await order(() => host, bot, chance);
            await delay(50 + chance.below(200));
          }
        }),
      );
    },
    async close() {
      tired.abort();
      await trading;
      await owner.close();
      await host.stop();
      await door.close();
      await market.stop();
      await database.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** An order by hand; whatever comes of it. */
async function order(
  host: () => BotHost,
  { id, pair }: { id: string; pair: string },
  chance: Chance,
  side: 'buy' | 'sell' = chance.next() < 0.6 ? 'buy' : 'sell',
): Promise<void> {
  const given = { requestId: randomUUID(), pair, type: chance.next() < 0.6 ? 'taker' : 'maker' };
  const body = side === 'sell' ? { ...given, side, percent: 60 } : { ...given, side, value: '200' };
  const sent = host()
    .call('POST', `/bot/bots/${id}/orders`, { body })
    .catch(() => {});
  await Promise.race([sent, delay(CALL_MS)]);
}
