import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '@heron/database/embedded/postmaster.ts';
import { type EmbeddedServer, startEmbedded } from '@heron/database/embedded/startEmbedded.ts';
import { DataFolderUnusable, EmbeddedFailed } from '@heron/database/errors.ts';
import { copyMigratedCluster } from '@heron/database/testing/preparedFolder.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

let base: string;
let data: string;
let servers: EmbeddedServer[];

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'heron-embedded-'));
  chmodSync(base, 0o755);
  data = path.join(base, 'data');
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.stop('immediate');
  await rm(base, { recursive: true, force: true });
});

async function start(...args: Parameters<typeof startEmbedded>): Promise<EmbeddedServer> {
  const server = await startEmbedded(...args);
  servers.push(server);
  return server;
}

async function query(server: EmbeddedServer, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('the first start creates a durable database that listens on no port', async () => {
  const server = await start(data);
  const settings = await query(
    server,
    `select name, setting from pg_settings where name in
      ('fsync', 'full_page_writes', 'listen_addresses', 'server_encoding', 'synchronous_commit') order by name`,
  );
  expect(settings).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'server_encoding', setting: 'UTF8' },
    { name: 'synchronous_commit', setting: 'on' },
  ]);
  expect(server.adopted).toBe(false);
  expect(readdirSync(data).sort()).toEqual(['postgres', 'postgres.log', 'run']);
  expect(statSync(path.join(data, 'run')).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(data, 'postgres')).mode & 0o777).toBe(0o700);
});

test('a running server is adopted, and the adopter can stop it', async () => {
  await copyMigratedCluster(data);
  const first = await start(data);
  const second = await start(data);
  expect(second).toMatchObject({ adopted: true, pid: first.pid, url: first.url });
  await second.stop('fast');
  expect(isAlive(first.pid)).toBe(false);
});

test('commits survive an orderly stop', async () => {
  await copyMigratedCluster(data);
  const first = await start(data);
  await query(first, 'create table kept as select 1 as n');
  await first.stop('fast');
  expect(existsSync(path.join(data, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(await query(await start(data), 'select n from kept')).toEqual([{ n: 1 }]);
});

test('commits survive kill -9 of the server', async () => {
  await copyMigratedCluster(data);
  const first = await start(data);
  await query(first, 'create table kept as select 1 as n');
  const busy = query(first, 'select count(*) from generate_series(1, 20000000)').catch((error: Error) => error);
  process.kill(first.pid, 'SIGKILL');
  const second = await start(data);
  expect(second.adopted).toBe(false);
  expect(second.pid).not.toBe(first.pid);
  expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }]);
  await busy;
});

test('concurrent starts on an empty folder share one server', async () => {
  const both = await Promise.all([start(data), start(data), start(data)]);
  expect(new Set(both.map((server) => server.pid)).size).toBe(1);
  expect(readdirSync(data).filter((name) => name.includes('.init-'))).toEqual([]);
});

test('a killed initialisation is removed', async () => {
  const abandoned = path.join(data, 'postgres.init-999999999-00c0ffee');
  mkdirSync(abandoned, { recursive: true });
  writeFileSync(path.join(abandoned, 'PG_VERSION'), '18\n');
  const server = await start(data);
  expect(existsSync(abandoned)).toBe(false);
  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a start can be aborted while it creates the database', async () => {
  const givenUp = new AbortController();
  const starting = start(data, { signal: givenUp.signal });
  givenUp.abort();
  await expect(starting).rejects.toThrow();
  expect(readdirSync(data)).toEqual([]);
  expect(await query(await start(data), 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('stale lock files are ignored when another process has their id', async () => {
  await copyMigratedCluster(data);
  const first = await start(data);
  const pidFile = path.join(data, 'postgres', 'postmaster.pid');
  const lockFile = path.join(data, 'run', '.s.PGSQL.5432.lock');
  const [pidText, lockText] = [readFileSync(pidFile, 'utf8'), readFileSync(lockFile, 'utf8')];
  await first.stop('immediate');
  writeFileSync(pidFile, pidText.replace(String(first.pid), String(process.pid)), { mode: 0o600 });
  writeFileSync(lockFile, lockText.replace(String(first.pid), String(process.pid)), { mode: 0o600 });
  expect((await start(data)).adopted).toBe(false);
});

test('a data folder with a long path gets its socket elsewhere', async () => {
  const deep = path.join(base, 'a'.repeat(60), 'b'.repeat(60), 'data');
  const server = await start(deep);
  const socketFolder = new URL(server.url).searchParams.get('host') ?? '';
  expect(socketFolder.startsWith(deep)).toBe(false);
  expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
  await server.stop('fast');
  await rm(socketFolder, { recursive: true });
});

test('without user namespaces, root runs the server as an unprivileged account', async () => {
  const server = await start(data, { machine: { uid: process.getuid?.(), namespaceWorks: () => false } });
  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(statSync(path.join(data, 'postgres')).uid).not.toBe(0);
  await server.stop('fast');
  // From then on that account runs the server of the folder, even when the kernel allows namespaces.
  expect(await query(await start(data), 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a data folder that cannot be created gives one clear line', async () => {
  writeFileSync(data, 'a file');
  await expect(start(path.join(data, 'below'))).rejects.toThrow(DataFolderUnusable);
  await expect(start(path.join(data, 'below'))).rejects.toThrow(/^Cannot write to .*ENOTDIR.*HERON_DATA/);
});

test('a folder that is no database is left alone', async () => {
  mkdirSync(path.join(data, 'postgres'), { recursive: true });
  writeFileSync(path.join(data, 'postgres', 'diary.txt'), 'dear diary');
  await expect(start(data)).rejects.toThrow('exists, but is no database');
  expect(readdirSync(path.join(data, 'postgres'))).toEqual(['diary.txt']);
});

test('a database of another major version is rejected by name', async () => {
  await copyMigratedCluster(data);
  writeFileSync(path.join(data, 'postgres', 'PG_VERSION'), '17\n');
  await expect(start(data)).rejects.toThrow('made by PostgreSQL 17, this is 18');
});

test('a startup error of PostgreSQL reaches the user', async () => {
  await copyMigratedCluster(data);
  writeFileSync(path.join(data, 'postgres', 'postgresql.conf'), 'shared_buffers = plenty\n');
  const failure = await start(data).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(EmbeddedFailed);
  expect(String(failure)).toContain('postgres.log');
  expect(String(failure)).toContain('configuration file');
});
