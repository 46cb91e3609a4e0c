import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseNewer } from '@heron/database/errors.ts';
import { MIGRATION_SETS, migrate } from '@heron/database/migrate.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let database: Awaited<ReturnType<typeof temporaryDatabase>>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-migrations-'));
  database = await temporaryDatabase({ migrated: false });
  writeSet('accounts', ['create schema accounts; create table accounts.people (id int)']);
  writeSet('bots', ['create schema bots; create table bots.bots (id int)']);
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** Writes a set in the format of drizzle-kit: a journal, and one file per migration. */
function writeSet(set: string, migrations: readonly string[]): void {
  mkdirSync(path.join(folder, set, 'meta'), { recursive: true });
  const entries = migrations.map((sql, idx) => {
    const tag = `000${idx}_step`;
    writeFileSync(path.join(folder, set, `${tag}.sql`), sql);
    return { idx, version: '7', when: 1_700_000_000_000 + idx, tag, breakpoints: true };
  });
  const journal = { version: '7', dialect: 'postgresql', entries };
  writeFileSync(path.join(folder, set, 'meta', '_journal.json'), JSON.stringify(journal));
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client
    .query(sql)
    .then((result) => result.rows)
    .finally(() => client.end());
}

test('both sets are applied once, also by concurrent programs', async () => {
  await Promise.all([1, 2, 3].map(() => migrate(database.url, { folder })));
  await query('insert into accounts.people values (1)');
  await query('insert into bots.bots values (1)');
  await migrate(database.url, { folder });
  expect(
    await query('select (select count(*) from migrations.accounts) + (select count(*) from migrations.bots) as n'),
  ).toEqual([{ n: '2' }]);
});

test('a later migration is added to an existing database', async () => {
  await migrate(database.url, { folder });
  await query('insert into bots.bots values (7)');
  writeSet('bots', ['create schema bots; create table bots.bots (id int)', 'alter table bots.bots add name text']);
  await migrate(database.url, { folder });
  expect(await query('select * from bots.bots')).toEqual([{ id: 7, name: null }]);
});

test('a database of a newer version is rejected and left unchanged', async () => {
  writeSet('bots', ['create schema bots; create table bots.bots (id int)', 'alter table bots.bots add name text']);
  await migrate(database.url, { folder });
  writeSet('bots', ['create schema bots; create table bots.bots (id int)']);
  writeSet('accounts', [
    'create schema accounts; create table accounts.people (id int)',
    'alter table accounts.people add name text',
  ]);
  await expect(migrate(database.url, { folder })).rejects.toThrow(DatabaseNewer);
  expect(await query('select count(*) as n from migrations.accounts')).toEqual([{ n: '1' }]);
});

test('a failed migration leaves nothing behind', async () => {
  writeSet('bots', ['create schema bots; create table bots.half (id int); select from nowhere']);
  await expect(migrate(database.url, { folder })).rejects.toThrow();
  expect(await query("select to_regclass('bots.half') as half")).toEqual([{ half: null }]);
});

test.each(MIGRATION_SETS)('the migrations of %s are ordered by time, as drizzle requires', (set) => {
  const journal = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '..', 'migrations', set, 'meta', '_journal.json'), 'utf8'),
  ) as { entries: { when: number }[] };
  const times = journal.entries.map((entry) => entry.when);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
