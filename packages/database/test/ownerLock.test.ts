import { DatabaseOwned, DatabaseUnreachable, DurabilityOff } from '@heron/database/errors.ts';
import { acquireOwnerLock } from '@heron/database/ownerLock.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
beforeAll(async () => {
  database = await temporaryDatabase({ migrated: false });
});
afterAll(() => database.close());

async function execute(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

test('a database has one owner at a time', async () => {
  const first = await acquireOwnerLock(database.url);
  await expect(acquireOwnerLock(database.url, { waitMs: 300 })).rejects.toThrow(DatabaseOwned);
  await first.release();
  await (await acquireOwnerLock(database.url, { waitMs: 300 })).release();
});

test('an owner that is about to leave is waited for', async () => {
  const first = await acquireOwnerLock(database.url);
  const second = acquireOwnerLock(database.url, { waitMs: 5_000 });
  await first.release();
  await (await second).release();
});

test('the owner is notified when the lock is lost', async () => {
  const lock = await acquireOwnerLock(database.url);
  await execute(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
  );
  await lock.lost;
  await (await acquireOwnerLock(database.url)).release();
});

test('a database that may lose a commit is rejected with the name of the setting', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await execute(`alter database ${name} set synchronous_commit = off`);
  const refusal = await acquireOwnerLock(database.url).catch((error: Error) => error);
  await execute(`alter database ${name} reset synchronous_commit`);
  expect(refusal).toBeInstanceOf(DurabilityOff);
  expect(String(refusal)).toContain('synchronous_commit is off');
});

test('the error of an unreachable database contains no password', async () => {
  const failure = await acquireOwnerLock('postgresql://me:geheim@127.0.0.1:1/books').catch((error: Error) => error);
  expect(failure).toBeInstanceOf(DatabaseUnreachable);
  expect(String(failure)).toContain('books at 127.0.0.1:1');
  expect(String(failure)).not.toContain('geheim');
});
