import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createBot } from '@heron/bothost/store/botStore.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { type KillableDatabase, startKillableDatabase } from '../chaos/killableDatabase.ts';
import { type KillableMarket, startKillableMarket } from '../chaos/killableMarket.ts';

/** Heron's limit of bots per owner. */
const BOTS_PER_OWNER = 50;
const COPY = `
  with given as (
    select * from unnest($1::text[], $2::text[], $3::text[]) as given(id, owner, template)
  ), made as (
    insert into bots.bots (id, owner, exchange, name, options, params, created_at)
    select given.id, given.owner, exchange, 'bot ' || given.id, options, params, created_at
    from given join bots.bots on bots.id = given.template
  )
  insert into bots.snapshots (bot_id, status, session, saved_at)
  select given.id, status, replace(session, '"' || given.template || '"', '"' || given.id || '"'), saved_at
  from given join bots.snapshots on bot_id = given.template`;

/** A market and a database in separate processes, and paper bots that are created but not started. */
export interface LoadTestbed {
  /** Holds all files of the processes. */
  readonly folder: string;
  readonly market: KillableMarket;
  readonly server: KillableDatabase;
  readonly database: Database;
  readonly bots: readonly { readonly id: string; readonly owner: string }[];
  /** Records in the database that the first `count` bots must run. */
  want(count: number): Promise<void>;
  close(): Promise<void>;
}

/** @param options options of every bot; `pairs` are assigned to the bots in rotation */
export async function openLoadTestbed(
  count: number,
  pairs: readonly string[],
  options: Record<string, unknown>,
): Promise<LoadTestbed> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-load-'));
  const [market, server] = await Promise.all([
    startKillableMarket(path.join(folder, 'market')),
    startKillableDatabase(path.join(folder, 'database')),
  ]);
  // The market exits with this process; the database does not.
  process.once('SIGTERM', () => {
    server.kill();
    process.exit(1);
  });
  const database = openDatabase(server.url);
  const bots: { id: string; owner: string }[] = [];

  // The first bot of each pair is created as users create it, and the others are copies. Thousands of single creations would
  // take minutes.
  const templates = await Promise.all(
    pairs.map(async (pair, index) => {
      const checked = validateOptions({ watch_pairs: pair, ...options });
      if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
      const given = { name: 'template', options: checked.options, params: {} };
      return (await createBot(database, `template ${index}`, given, Date.now())).row.id;
    }),
  );
  for (let n = 0; n < count; n++) {
    bots.push({ id: n.toString(36).padStart(6, '0'), owner: String(Math.floor(n / BOTS_PER_OWNER) + 1) });
  }
  await database.pool.query(COPY, [
    bots.map(({ id }) => id),
    bots.map(({ owner }) => owner),
    bots.map((_bot, n) => templates[n % templates.length]),
  ]);

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
