import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createBot } from '@heron/bothost/bots/botStore.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { type KillableDatabase, startKillableDatabase } from '../chaos/killableDatabase.ts';
import { type KillableMarket, startKillableMarket } from '../chaos/killableMarket.ts';

/** An owner may have so many bots. */
const BOTS_PER_OWNER = 50;
/** Bots that are made at the same time. */
const MADE_AT_ONCE = 8;

/** A market and a database in processes of their own, and paper bots that were not started yet. */
export interface LoadGround {
  /** For everything that a host keeps. */
  readonly folder: string;
  readonly market: KillableMarket;
  readonly server: KillableDatabase;
  readonly database: Database;
  readonly bots: readonly { readonly id: string; readonly owner: string }[];
  /** Writes down that the first `count` bots are to run. */
  want(count: number): Promise<void>;
  close(): Promise<void>;
}

/** @param options of every bot; `pairs` are given to them in turn */
export async function openLoadGround(
  count: number,
  pairs: readonly string[],
  options: Record<string, unknown>,
): Promise<LoadGround> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-load-'));
  const [market, server] = await Promise.all([
    startKillableMarket(path.join(folder, 'market')),
    startKillableDatabase(path.join(folder, 'database')),
  ]);
  // The market ends with this process; the database would not.
  process.once('SIGTERM', () => {
    server.kill();
    process.exit(1);
  });
  const database = openDatabase(server.url);
  const bots: { id: string; owner: string }[] = [];

  async function make(n: number): Promise<void> {
    const checked = validateOptions({ watch_pairs: pairs[n % pairs.length], ...options });
    if (!checked.ok) throw new Error(checked.faults[0]?.message.en);
    const owner = String(Math.floor(n / BOTS_PER_OWNER) + 1);
    const given = { name: `bot ${n}`, options: checked.options, params: {} };
    const { row } = await createBot(database, owner, given, Date.now());
    bots[n] = { id: row.id, owner };
  }

  for (let n = 0; n < count; n += MADE_AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(MADE_AT_ONCE, count - n) }, (_, index) => make(n + index)));
  }

  return {
    ...{ folder, market, server, database, bots },
    async want(some) {
      const ids = bots.slice(0, some).map(({ id }) => id);
      await database.pool.query("update bots.bots set wanted = 'running' where id = any($1)", [ids]);
    },
    async close() {
      await database.close();
      await market.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
