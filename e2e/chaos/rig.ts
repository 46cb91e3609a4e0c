import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { openDatabase } from '@heron/database/connect.ts';
import { type BotHost, createRunningBot, startBotHost, until } from '../system/botHost.ts';
import { openFaultyProxy, type ProxiedRequest, type RequestDecision } from '../system/faultyProxy.ts';
import { addKey, createLiveBot, startLive } from '../system/liveTestbed.ts';
import { type Auditor, auditorOf, type Books, faultsAtAnyTime, faultsWhenSettled } from './audit.ts';
import type { Venue } from './chaosVenues.ts';
import { clearFaults } from './faultTable.ts';
import { startKillableDatabase } from './killableDatabase.ts';
import { startKillableMarket } from './killableMarket.ts';
import { createRandom, type Random } from './random.ts';

/** `host` means all its processes at once; `worker` means only the process of live bots. */
export const VICTIMS = ['host', 'database', 'worker', 'market'] as const;
export type Victim = (typeof VICTIMS)[number];

/** Each pair has one live bot. While one bot waits for an unknown outcome, the others still place orders. */
const PAIRS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT'];
/** Only the paper bot trades this pair, so a signed request for it can only come from the paper bot. */
const PAPER_PAIR = 'LTC-USDT';
const CAPITAL = '20000';
/** Timeout in ms: a call to a host whose database is down may block for long. */
const CALL_MS = 2_000;
const SETTLE_MS = 90_000;
/** Status of a rejected order. An order that is rejected for its timestamp may be sent again. */
const REFUSED = 400;
/** Number of journal entries in the report of a bot with faults. */
const LINES_SHOWN = 40;

interface LiveBot {
  readonly id: string;
  readonly pair: string;
  /** True if the bot also sells short. */
  readonly bothWays: boolean;
  readonly audit: Auditor;
}

/** Runs live bots that trade continuously, optionally with a paper bot, on processes that can be killed. */
export interface Rig {
  /** Address of the market's fault script. */
  readonly script: string;
  readonly bots: readonly LiveBot[];
  /** Contains the client order IDs of all orders that left the host, in order. */
  readonly sent: readonly string[];
  /**
   * Counts signed requests while only the paper bot ran, and later signed requests for its pair.
   *
   * @see docs/invariants.md#rules-of-trading, I-36
   */
  signedByPaper(): number;
  /** Decides the next order; orders pass when null. */
  trap: ((proxied: ProxiedRequest) => RequestDecision) | null;
  /** Kills one victim (SIGKILL); resolves when it is dead. */
  kill(victim: Victim): Promise<void>;
  /** Restarts a killed victim. */
  restart(victim: Victim): Promise<void>;
  /** Stops trading, waits until every bot has processed all events, and compares its books with the exchange's. */
  settle(): Promise<string[]>;
  /** Returns the faults of the books at this moment, while the bots trade. */
  check(): Promise<string[]>;
  /** @param paper makes the paper bot trade too */
  trade(paper?: 'paper too'): void;
  /** Maps each client order ID to the time of the event that caused it, from the journal. */
  decidedAt(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

export async function startRig(venue: Venue, seed: number): Promise<Rig> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-chaos-'));
  const [market, server] = await Promise.all([
    startKillableMarket(path.join(folder, 'market')),
    startKillableDatabase(path.join(folder, 'database')),
  ]);
  const { addresses } = market;
  const target = addresses[venue.exchange];
  const proxy = await openFaultyProxy(target.rest);
  const database = openDatabase(server.url);
  // This adapter reads the account independently of the bots.
  const reading = await venue.traded.openReading(addresses);
  const owner = await venue.traded.openTrading(addresses, reading);
  const sent: string[] = [];
  /** Contains the client order IDs that the exchange has or may have; a rejected one is removed. */
  const accepted = new Set<string>();
  const twice: string[] = [];
  let signed = 0;
  let onPaperOnly = true;
  const paperSymbol = PAPER_PAIR.replace('-', '');
  const rig: { trap: Rig['trap'] } = { trap: null };
  proxy.decide = (proxied) => {
    // The list is unused here and would grow without limit.
    proxy.passed.length = 0;
    const { params } = proxied;
    if (params.has('signature') && (onPaperOnly || params.get('symbol') === paperSymbol)) signed++;
    if (proxied.method !== 'POST' || !venue.orderPaths.includes(proxied.path)) return 'pass';
    const name = venue.clientOrderId(params);
    sent.push(name);
    if (accepted.has(name)) twice.push(name);
    accepted.add(name);
    return watched(name, rig.trap?.(proxied) ?? 'pass');
  };

  /** Records a rejection when its response passes, before the decision on the response. */
  function watched(name: string, decision: RequestDecision): RequestDecision {
    if (decision !== 'pass' && !(typeof decision === 'object' && 'answered' in decision)) return decision;
    return {
      async answered(status) {
        if (status === REFUSED) accepted.delete(name);
        return decision === 'pass' ? 'pass' : decision.answered(status);
      },
    };
  }

  const { binance, binanceusdm, mexc } = addresses;
  const behindProxy = {
    [venue.exchange === 'binance' ? 'market' : venue.exchange]: { ...target, rest: proxy.url },
  };
  const bothWays = owner.margin !== null;

  const startHost = () =>
    startBotHost({
      databaseUrl: server.url,
      ...{ market: binance, binanceusdm, mexc, ...behindProxy },
      dataDir: folder,
      logLevel: process.env.HERON_LOG_LEVEL ?? 'fatal',
    });
  let host: BotHost = await startHost();
  const all = { exchange: `${venue.exchange}-demo`, period: '1m', poll_scan_time: 1_000, markdown_buy_pct: -0.1 };
  const common = { ...all, ...venue.options };
  const paper = await createRunningBot(host, 'on paper', { ...common, watch_pairs: PAPER_PAIR });
  const paperBot = { id: paper, pair: PAPER_PAIR, bothWays };
  await until(async () => {
    await order(() => host, paperBot, createRandom(seed), 'buy');
    return (await host.call<BotDetail>('GET', `/bot/bots/${paper}`)).body.openPairs === 1;
  }, 'the paper bot to buy');
  onPaperOnly = false;
  await host.call('POST', `/bot/bots/${paper}/stop`);

  const { id: key } = await addKey(host, { sandbox: addresses }, venue.traded);
  const bots: LiveBot[] = [];
  for (const pair of PAIRS) {
    const name = `survivor of ${pair}`;
    const options = { ...common, watch_pairs: pair, order_adjust_time: 1_000 };
    const id = await createLiveBot(host, { venue: venue.traded, name, key, allotment: CAPITAL, options });
    await startLive(host, id, name);
    bots.push({ id, pair, bothWays, audit: auditorOf({ id, pair, capital: CAPITAL }, database, owner) });
  }

  let trading: Promise<unknown> | null = null;
  let stopping = new AbortController();

  /** Retries a read of the database and the exchange that an injected fault or a restart disturbs. */
  async function retryRead<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await ask();
      } catch (error) {
        if (tries === 40) throw error;
        await delay(250);
      }
    }
  }

  /** Returns the books of a bot once they agree with the exchange's, or at the deadline. */
  async function settledBooks({ audit }: LiveBot): Promise<Books> {
    const deadline = performance.now() + SETTLE_MS;
    for (;;) {
      // The bots need the exchange's request limit, so the exchange is read only after the journal is settled.
      while ((await retryRead(audit.countUnfinished)) > 0 && performance.now() < deadline) await delay(50);
      const books = await retryRead(() => audit.read('with statement'));
      if (faultsWhenSettled(books, CAPITAL).length === 0 || performance.now() > deadline) return books;
      await delay(bothWays ? 3_000 : 1_000);
    }
  }

  const named = ({ pair }: LiveBot, wrong: string[]) => wrong.map((what) => `${pair}: ${what}`);

  return Object.assign(rig, {
    script: target.rest,
    bots,
    sent,
    signedByPaper: () => signed,
    async kill(victim: Victim) {
      if (victim === 'host') await host.kill();
      else if (victim === 'worker') await killTrader(host);
      else if (victim === 'database') server.kill();
      else await market.kill();
    },
    async restart(victim: Victim) {
      if (victim === 'host') host = await startHost();
      else if (victim === 'database') await server.start();
      // The host restarts its worker itself.
      else if (victim === 'market') await market.start();
    },
    async settle() {
      stopping.abort();
      await trading;
      trading = null;
      await clearFaults(target.rest);
      const wrong: string[] = [];
      for (const bot of bots) {
        const books = await settledBooks(bot);
        const found = [...faultsWhenSettled(books, CAPITAL), ...faultsAtAnyTime(books, CAPITAL, bot.pair)];
        if (found.length > 0) found.push(...books.journal.slice(-LINES_SHOWN).map((line) => JSON.stringify(line)));
        wrong.push(...named(bot, found));
      }
      if (twice.length > 0) wrong.push(`sent twice: ${twice.join(' ')}`);
      const unknown = sent.filter((name) => !bots.some(({ id }) => name.startsWith(`${id}-`)));
      if (unknown.length > 0) wrong.push(`orders of no bot: ${unknown.join(' ')}`);
      if (signed > 0) wrong.push(`${signed} requests of a paper bot were signed`);
      return wrong;
    },
    async check() {
      const wrong: string[] = [];
      for (const bot of bots) {
        wrong.push(...named(bot, faultsAtAnyTime(await retryRead(() => bot.audit.read()), CAPITAL, bot.pair)));
      }
      return wrong;
    },
    trade(paperToo?: 'paper too') {
      if (trading !== null) return;
      stopping = new AbortController();
      const { signal } = stopping;
      trading = Promise.all(
        [...bots, ...(paperToo ? [paperBot] : [])].map(async (bot, index) => {
          const random = createRandom(seed + sent.length * 7 + index);
          // Starting a running bot has no effect.
          if (bot === paperBot) await host.call('POST', `/bot/bots/${paper}/start`);
          while (!signal.aborted) {
            await order(() => host, bot, random);
            await delay(50 + random.below(200));
          }
        }),
      );
    },
    async decidedAt() {
      const { rows } = await database.pool.query<{ name: string; at: string }>(
        `select data ->> 'clientOrderId' as name, min(at) as at from bots.journal where kind = 'order' group by 1`,
      );
      return new Map(rows.map(({ name, at }) => [name, Number(at)]));
    },
    async close() {
      stopping.abort();
      await trading;
      await owner.close();
      await reading.close();
      await host.stop();
      await proxy.close();
      await market.stop();
      await database.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** Kills the worker process of live bots (SIGKILL) as soon as it exists. */
async function killTrader(host: BotHost): Promise<void> {
  const isTrader = (pid: number) => commandOf(pid).includes('live/process.ts');
  const pid = await until(async () => (await host.workers()).find(isTrader), 'the worker of live bots');
  process.kill(pid, 'SIGKILL');
  await until(() => !isTrader(pid), 'its end');
}

/** Returns the command line of a process; empty for an exited one, even before its parent reaps it. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Places a manual order and ignores its outcome. */
async function order(
  host: () => BotHost,
  { id, pair, bothWays }: Omit<LiveBot, 'audit'>,
  random: Random,
  side: 'buy' | 'sell' = random.next() < 0.6 ? 'buy' : 'sell',
): Promise<void> {
  const given = { requestId: randomUUID(), pair, type: random.next() < 0.7 ? 'taker' : 'maker' };
  // A bot of both directions opens the other side only after the position is closed.
  const percent = bothWays && random.next() < 0.5 ? 100 : 60;
  const short = bothWays && random.next() < 0.5;
  const body =
    side === 'sell' ? { ...given, side, percent } : { ...given, side, value: '200', ...(short && { short }) };
  const sent = host()
    .call('POST', `/bot/bots/${id}/orders`, { body })
    .catch(() => {});
  await Promise.race([sent, delay(CALL_MS)]);
}
