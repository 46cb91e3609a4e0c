import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// Each command starts a separate program, which takes time.
vi.setConfig({ testTimeout: 120_000 });

const HERON = path.join(import.meta.dirname, '..', 'src', 'main.ts');

let temporary: TemporaryDatabase;
let database: Database;
let data: string;
/** Plays a bot host without any bots. */
let host: Server;

beforeAll(async () => {
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url, { connections: 1 });
  data = mkdtempSync(path.join(os.tmpdir(), 'heron-user-'));
  writeFileSync(path.join(data, 'secret'), 'secret-between-the-processes\n');
  host = createServer((_request, response) => response.end('{"bots":[]}')).listen(0, '127.0.0.1');
  await once(host, 'listening');
  await database.pool.query(
    `insert into accounts.users (uid, username, username_key, nick_name, group_id) values
     (100000001, 'chief', 'chief', 'Chief', 1), (100000002, 'Anna', 'anna', 'Anna', null)`,
  );
});
afterAll(async () => {
  host.close();
  await database.close();
  await temporary.close();
  await rm(data, { recursive: true });
});

function heron(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { port } = host.address() as AddressInfo;
  const env = {
    ...process.env,
    HERON_DATABASE_URL: temporary.url,
    HERON_DATA: data,
    HERON_CONTROL_PORT: String(port),
    NO_COLOR: '1',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [HERON, 'user', ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

async function written(): Promise<string[]> {
  const { rows } = await database.pool.query('select action, target_uid, address from accounts.audit order by id');
  return rows.map(({ action, target_uid, address }) => `${action} ${target_uid} ${address}`);
}

test('heron user lists, deletes, restores, assigns roles, and writes the audit log', async () => {
  expect((await heron('list')).out).toMatch(/100000002 {2}Anna {2}member.*\n100000001 {2}Chief {2}super_administrator/);
  expect((await heron('list', 'CHIE')).out).not.toContain('Anna');

  expect(await heron('role', 'anna', 'editor')).toMatchObject({ code: 0, out: 'anna now has the role editor.\n' });
  expect(await heron('delete', '100000002')).toMatchObject({ code: 0 });
  expect((await heron('list')).out).not.toContain('Anna');
  expect((await heron('list', '--deleted')).out).toContain('Anna  editor');
  expect(await heron('restore', 'Anna')).toMatchObject({ code: 0, out: 'Restored Anna.\n' });
  expect(await written()).toEqual([
    'user.role 100000002 command line',
    'user.delete 100000002 command line',
    'user.restore 100000002 command line',
  ]);
});

test('heron user removes all second factors of a user who has lost them', async () => {
  await database.pool.query(`update accounts.users set password_hash = 'a hash' where uid = 100000002`);
  const rows = [
    `accounts.totps (user_id, sealed_secret, confirmed_at) select id, 'sealed', now()`,
    `accounts.passkeys (id, user_id, public_key, counter, name) select 'key', id, 'public', 0, 'Phone'`,
    `accounts.recovery_codes (user_id, code_hmac) select id, 'hmac'`,
    `accounts.sessions (token_hash, user_id) select 'hash', id`,
  ];
  for (const row of rows) await database.pool.query(`insert into ${row} from accounts.users where uid = 100000002`);
  expect(await heron('remove-factors', 'anna')).toMatchObject({
    code: 0,
    out: 'Removed all second factors of anna, and ended all sessions of anna.\n',
  });
  for (const table of ['totps', 'passkeys', 'recovery_codes', 'sessions']) {
    expect((await database.pool.query(`select from accounts.${table}`)).rowCount, table).toBe(0);
  }
  expect((await written()).at(-1)).toBe('second-factor.remove 100000002 command line');
  expect(await heron('remove-factors', 'anna')).toMatchObject({ code: 1, err: expect.stringMatching(/^heron: .+\n$/) });
});

test('a rejected command prints one line and changes nothing', async () => {
  const before = await written();
  expect(await heron('delete', 'nobody-there')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^heron: there is no account "nobody-there".*\n$/),
  });
  expect(await heron('role', 'chief', 'member')).toMatchObject({
    code: 1,
    err: 'heron: This is the last super administrator. Appoint another one first\n',
  });
  expect(await heron('delete', 'chief')).toMatchObject({ code: 1 });
  expect(await heron('role', 'chief', 'emperor')).toMatchObject({ code: 1, err: expect.stringContaining('editor') });
  expect(await heron('delete', 'anna', '--control-port', '1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Not all bots could be stopped, so the account was not deleted'),
  });
  expect(await written()).toEqual(before);
});
