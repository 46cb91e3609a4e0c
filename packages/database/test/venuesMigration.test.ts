import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '@heron/database/migrate.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let client: pg.Client;

/** Omits the migrations of a set from `first` on, to simulate an older version. */
function leaveOut(set: string, first: string): void {
  const file = path.join(folder, set, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  const until = journal.entries.findIndex(({ tag }: { tag: string }) => tag === first);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, until) }));
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-venues-'));
  cpSync(path.join(import.meta.dirname, '..', 'migrations'), folder, { recursive: true });
  leaveOut('accounts', '0015_deliveries_of_venues');
  leaveOut('bots', '0009_venues');
  database = await temporaryDatabase({ migrated: false });
  await migrate(database.url, { folder });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.close();
  await rm(folder, { recursive: true });
});

const SESSION =
  '{"kind":"live","bot":{"options":{"exchange":"binanceusdm","mode":"live"},"price":0.10000000000000001,"note":"binance"}}';

const FILL = { pair: 'BTC-USDT', kind: 'fill', data: {} };

async function makeOldRows(): Promise<void> {
  await client.query(`
    insert into bots.keys (id, owner, exchange, label, last_four, sealed, permissions, checked_at, created_at)
      values ('k', '1', 'binanceusdm', 'mine', '0000', 'sealed', '{}', 0, 0);
    insert into bots.bots (id, owner, exchange, name, options, params, key_id, created_at)
      values ('abc123', '1', 'binanceusdm', 'One', '{"exchange":"binanceusdm","buy_pct":20}', '{}', 'k', 0);
    insert into bots.snapshots (bot_id, status, session, saved_at) values ('abc123', 'created', '${SESSION}', 0);
    insert into bots.journal (bot_id, seq, at, kind, data) values ('abc123', 1, 0, 'fill', '{}');
    insert into bots.notices (bot_id, seq, owner, at, kind, data) values ('abc123', 1, '1', 0, 'fill', '{}');
    insert into bots.equity (bot_id, at, total, start) values ('abc123', 0, '1', '1')`);
}

test('rows from before venues get the demo market, and states stay unchanged', async () => {
  await makeOldRows();
  await migrate(database.url);
  for (const table of ['keys', 'bots', 'snapshots', 'journal', 'notices', 'equity']) {
    const { rows } = await client.query(`select venue from bots.${table}`);
    expect(rows, table).toEqual([{ venue: 'binanceusdm-demo' }]);
  }
  const { rows } = await client.query('select options, session from bots.bots join bots.snapshots on bot_id = id');
  expect(rows[0].options).toEqual({ exchange: 'binanceusdm-demo', buy_pct: 20 });
  expect(rows[0].session).toBe(SESSION.replace('"binanceusdm"', '"binanceusdm-demo"'));
});

/** A pending notification, as versions without venues have stored it. */
async function makeOldDelivery(id: string, bot: string): Promise<void> {
  const notice = { id, bot, name: 'One', mode: 'paper', demo: true, at: 0, ...FILL };
  await client.query(
    `insert into accounts.notify_deliveries (channel_id, notice_id, join_key, notice, next_at)
       select id, $1, 'fill', $2, now() from accounts.notify_channels`,
    [id, JSON.stringify(notice)],
  );
}

const MEMBER = `
  with person as (
    insert into accounts.users (uid, username, username_key, nick_name, password_hash)
      values (100000001, 'one', 'one', 'One', '') returning id
  )
  insert into accounts.notify_channels (user_id, kind, language) select id, 'webhook', 'en' from person`;

const deliveries = async () =>
  (await client.query('select notice from accounts.notify_deliveries order by id')).rows.map(({ notice }) => notice);

test('a pending notification gets the venue of its bot, or the demo market', async () => {
  await makeOldRows();
  await client.query(MEMBER);
  await makeOldDelivery('abc123.1', 'abc123');
  await makeOldDelivery('q2w3~xyz789.1', 'q2w3~xyz789');
  await migrate(database.url);
  expect(await deliveries()).toEqual([
    { ...{ id: 'abc123.1', bot: 'abc123', name: 'One', mode: 'paper', venue: 'binanceusdm-demo', at: 0 }, ...FILL },
    {
      ...{ id: 'q2w3~xyz789.1', bot: 'q2w3~xyz789', name: 'One', mode: 'paper', venue: 'binance-demo', at: 0 },
      ...FILL,
    },
  ]);
});

test('a later migration adds venues too, and keeps existing ones', async () => {
  await makeOldRows();
  await client.query(MEMBER);
  cpSync(path.join(import.meta.dirname, '..', 'migrations', 'bots'), path.join(folder, 'bots'), { recursive: true });
  await migrate(database.url, { folder });
  await makeOldDelivery('abc123.1', 'abc123');
  await client.query(`insert into accounts.notify_deliveries (channel_id, notice_id, join_key, notice, next_at)
    select id, 'q2w3~new.1', '', '{"bot":"q2w3~newest","venue":"mexc"}', now() from accounts.notify_channels`);
  await migrate(database.url);
  expect((await deliveries()).map(({ venue }) => venue)).toEqual(['binanceusdm-demo', 'mexc']);
});

test('the venue of a bot and its key never changes, and no row has another one', async () => {
  await makeOldRows();
  await migrate(database.url);
  const refused = (sql: string) => expect(client.query(sql), sql).rejects.toMatchObject({ code: '23503' });
  await refused(`update bots.bots set venue = 'binanceusdm'`);
  await refused(`update bots.keys set venue = 'binanceusdm'`);
  await refused(`update bots.equity set venue = 'binanceusdm'`);
  await refused(
    `insert into bots.journal (bot_id, venue, seq, at, kind, data) values ('abc123', 'mexc', 2, 0, 'fill', '{}')`,
  );
  await refused(`insert into bots.bots (id, owner, venue, name, options, params, key_id, created_at)
    values ('abc124', '1', 'binance', 'Two', '{}', '{}', 'k', 0)`);
});
