import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { openMarketFeed } from '@heron/exchanges/feed/marketFeed.ts';
import { MARKET, type ScriptedExchange, scriptedExchange } from '@heron/exchanges/testing/scriptedExchange.ts';
import { asc, eq } from 'drizzle-orm';
import { type Fleet, startFleet } from '../src/fleet/fleet.ts';
import type { FleetDeps } from '../src/fleet/fleetBots.ts';
import { type FleetKind, PAPER } from '../src/fleet/fleetKind.ts';
import { openLog } from '../src/log.ts';
import type { Push } from '../src/runner/broadcast.ts';
import { createBot } from '../src/store/botStore.ts';

export const PAIR = MARKET.pair;

/** A fleet on a venue whose prices the test sets, with all its pushes. */
export interface TestFleet {
  readonly fleet: Fleet;
  readonly exchange: ScriptedExchange;
  readonly pushes: Push[];
  /** Sends a quote around `price`. */
  quote(price: number): void;
  close(): Promise<void>;
}

/** Starts the fleet of a worker in this process. Everything except the venue is real. */
export function testFleet(
  database: Database,
  options: { tapes?: string; databaseUrl: string; kind?: FleetKind; now?: () => number },
): TestFleet {
  const now = options.now ?? Date.now;
  const exchange = scriptedExchange(now);
  const feed = openMarketFeed(exchange, now);
  const pushes: Push[] = [];
  const setup: FleetDeps = {
    database,
    feed,
    pause: () => null,
    broadcast: { hasListener: () => true, hasWatcher: () => true, push: (push) => pushes.push(push) },
    tapes: options.tapes ?? null,
    log: openLog('test', 'silent'),
    now,
  };
  const where = { host: 'test', venue: 'binance-demo', url: 'http://127.0.0.1:1', maxBots: 1_000 };
  const fleet = startFleet({ ...where, queueUrl: options.databaseUrl }, setup, options.kind ?? PAPER);
  return {
    fleet,
    exchange,
    pushes,
    quote(price) {
      exchange.emit({
        type: 'quote',
        pair: PAIR,
        bid: toUnits(price - 1),
        bidSize: 1_000_000,
        ask: toUnits(price + 1),
        askSize: 1e12,
      });
    },
    async close() {
      await fleet.close();
      await feed.close();
    },
  };
}

/** Creates a bot of `owner` on the scripted pair, which is not started. */
export async function makeBot(database: Database, owner = '1', given: Record<string, unknown> = {}): Promise<string> {
  const checked = validateOptions({ watch_pairs: PAIR, period: '1m', poll_scan_time: 1_000, ...given });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const name = `bot ${Math.random().toString(36).slice(2)}`;
  const { row } = await createBot(database, owner, { name, options: checked.options, params: {} }, Date.now());
  return row.id;
}

/** Reads all rows of a bot from the database. */
export async function stored(database: Database, bot: string) {
  const { orm } = database;
  const [snapshot] = await orm.select().from(table.snapshot).where(eq(table.snapshot.botId, bot));
  const [row] = await orm.select().from(table.bot).where(eq(table.bot.id, bot));
  if (!snapshot || !row) throw new Error(`there is no bot ${bot}`);
  const lines = await orm
    .select()
    .from(table.journal)
    .where(eq(table.journal.botId, bot))
    .orderBy(asc(table.journal.seq));
  const fills = await orm.select().from(table.fill).where(eq(table.fill.botId, bot)).orderBy(asc(table.fill.seq));
  const trades = await orm.select().from(table.trade).where(eq(table.trade.botId, bot));
  return { row, snapshot, lines, fills, trades };
}

/** Waits until `condition` returns a value, and returns that value. */
export async function until<T>(
  condition: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string,
  timeoutMs = 40_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`it never came: ${what}`);
    await delay(20);
  }
}

/** Sends quotes until the condition holds. @throws when it does not within `timeoutMs` */
export function quoting<T>(
  on: Pick<TestFleet, 'quote'>,
  condition: () => Promise<T | null | false | undefined>,
  what: string,
  timeoutMs = 40_000,
): Promise<T> {
  let price = 1_000;
  return until(
    () => {
      price += 0.01;
      on.quote(price);
      return condition();
    },
    what,
    timeoutMs,
  );
}

export const working = (on: TestFleet, id: string) =>
  quoting(on, async () => (await on.fleet.detail(id))?.status === 'working', 'a working bot');
