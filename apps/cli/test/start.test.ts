import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
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
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '@heron/database/connect.ts';
import { findPostmaster } from '@heron/database/embedded/postmaster.ts';
import { startEmbedded } from '@heron/database/embedded/startEmbedded.ts';
import { copyMigratedCluster } from '@heron/database/testing/preparedFolder.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { test as baseTest, describe, expect, vi } from 'vitest';
import {
  alive,
  bothostConfiguration,
  type HeronUnderTest,
  platformConfiguration,
  processesOf,
  startHeron,
  until,
} from './startHeron.ts';

vi.setConfig({ testTimeout: 300_000 });

type Stage = { readonly data: string; start(options?: Parameters<typeof startHeron>[1]): HeronUnderTest };

/** Gives each test a separate data folder, and ends the processes that the test leaves running. */
const test = baseTest.extend<{
  /** Without a data folder, as before a first start. */
  emptyStage: Stage;
  /** With a database, as after the first start. */
  stage: Stage;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
  emptyStage: async ({}, use) => {
    const base = mkdtempSync(path.join(os.tmpdir(), 'heron-start-'));
    const data = path.join(base, 'data');
    const started: HeronUnderTest[] = [];
    await use({
      data,
      start(options) {
        const heron = startHeron(data, options);
        started.push(heron);
        return heron;
      },
    });
    for (const heron of started) {
      heron.process.kill('SIGTERM');
      await heron.exited;
    }
    if (findPostmaster(path.join(data, 'postgres')) !== null) await (await startEmbedded(data)).stop('immediate');
    await rm(base, { recursive: true, force: true });
  },
  stage: async ({ emptyStage }, use) => {
    await copyMigratedCluster(emptyStage.data);
    await use(emptyStage);
  },
});

async function execute(url: string, statements: string): Promise<void> {
  const database = openDatabase(url);
  await database.pool.query(statements).finally(() => database.close());
}

/** Returns the one-line error of a start that must fail. */
async function refusal(heron: HeronUnderTest): Promise<string> {
  expect(await heron.exited).toBe(1);
  const lines = heron.output().trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

describe.concurrent('start and stop', () => {
  test('a first start prints address, data folder and set-up link; Ctrl-C ends all', async ({
    emptyStage: { data, start },
  }) => {
    const heron = start();
    // The address uses a host name, because browsers create no passkeys for IP addresses.
    await heron.printed(/Open +http:\/\/localhost:\d+/);
    await heron.printed(/Set up +http:\/\/localhost:\d+\/setup/);
    expect(heron.output()).toContain(data);
    const processes = await processesOf(heron, data);
    expect(alive(processes)).toEqual(['supervisor', 'platform', 'bothost', 'sandbox', 'postgres']);

    const asked = performance.now();
    heron.process.kill('SIGINT');
    expect(await heron.exited).toBe(0);
    // 3 s on an idle machine.
    expect(performance.now() - asked).toBeLessThan(20_000);
    expect(alive(processes)).toEqual([]);
    expect(existsSync(path.join(data, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('a signal to each of its processes ends them without a restart', async ({ stage: { data, start } }) => {
    const heron = start();
    const processes = await processesOf(heron, data);
    for (const [name, pid] of processes) if (name !== 'postgres') process.kill(pid, 'SIGTERM');
    expect(await heron.exited).toBe(0);
    expect(heron.output()).not.toMatch(/unexpectedly/);
    expect(alive(processes)).toEqual([]);
  });

  test('a public address without a trusted proxy causes the only warning', async ({ stage: { start } }) => {
    for (const [given, isWarned] of [
      [{ publicUrl: 'https://heron.example' }, true],
      [{ publicUrl: 'https://heron.example', trustedProxy: '127.0.0.1' }, false],
      [{}, false],
    ] as const) {
      const heron = start(given);
      await heron.printed(/Ctrl-C stops it/);
      expect(/Warning +--public-url .*--trusted-proxy[\s\S]*docs\/proxy\.md/.test(heron.output())).toBe(isWarned);
      heron.process.kill('SIGINT');
      await heron.exited;
    }
  });

  test('processes that do not end are killed, so that Ctrl-C takes seconds', async ({ stage: { data, start } }) => {
    const heron = start({ childrenNeverClose: true });
    const processes = await processesOf(heron, data);
    const asked = performance.now();
    heron.process.kill('SIGINT');
    expect(await heron.exited).toBe(0);
    expect(performance.now() - asked).toBeLessThan(5_000);
    expect(alive(processes)).toEqual([]);
  });

  test('a second Ctrl-C does not wait', async ({ stage: { data, start } }) => {
    const heron = start({ childrenNeverClose: true });
    const processes = await processesOf(heron, data);
    heron.process.kill('SIGINT');
    await heron.printed(/Stopping/);
    const repeated = setInterval(() => heron.process.kill('SIGINT'), 100);
    const began = performance.now();
    // The last signals may hit a process that has finished and is only freeing its memory.
    expect([0, 'SIGINT']).toContain(await heron.exited);
    clearInterval(repeated);
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(alive(processes)).toEqual([]);
  });

  test('only the user can read the data folder and the secret in it', async ({ emptyStage: { data, start } }) => {
    await start().printed(/Open/);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(data, 'secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(data, 'secret'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  });

  test('only the configuration of the bot host has the key of the vault, no environment', async ({
    stage: { data, start },
  }) => {
    const vaultKey = `k1:${randomBytes(32).toString('base64')}`;
    const heron = start({ vaultKey });
    const processes = await processesOf(heron, data);
    for (const [name, pid] of processes) {
      const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(environ.length, name).toBeGreaterThan(100);
      if (name !== 'supervisor') expect(environ, name).not.toContain('VAULT');
    }
    expect(await bothostConfiguration(heron)).toMatchObject({ vaultKey });
  });

  test('only the configuration of the platform has the mail password, no environment', async ({
    stage: { data, start },
  }) => {
    const url = 'smtps://heron:mail-password@mail.example';
    const heron = start({ smtp: url });
    for (const [name, pid] of await processesOf(heron, data)) {
      if (name !== 'supervisor') expect(readFileSync(`/proc/${pid}/environ`, 'utf8'), name).not.toContain('mail-');
    }
    expect(await platformConfiguration(heron)).toMatchObject({ mail: { url, from: 'heron@mail.example' } });
  });

  test('a damaged secret is reported with the next step', async ({ stage: { data, start } }) => {
    writeFileSync(path.join(data, 'secret'), '');
    const heron = start();
    expect(await heron.exited).toBe(1);
    expect(heron.output()).toMatch(/secret is damaged\. Remove it/);
  });

  test('an existing folder keeps its permissions', async ({ emptyStage: { data, start } }) => {
    mkdirSync(data, { recursive: true });
    chmodSync(data, 0o1777);
    await start().printed(/Open/);
    expect(statSync(data).mode & 0o7777).toBe(0o1777);
  });

  test('Ctrl-C while the database is first created leaves no process; a restart works', async ({
    emptyStage: { data, start },
  }) => {
    const heron = start();
    await until(
      'it makes the database',
      () => existsSync(data) && readdirSync(data).some((name) => name.includes('.init-')),
    );
    heron.process.kill('SIGINT');
    expect(await heron.exited).toBe(0);
    expect(findPostmaster(path.join(data, 'postgres'))).toBeNull();
    await start().printed(/Open/);
  });

  test('an own PostgreSQL server is used in place of the built-in one', async ({ emptyStage: { data, start } }) => {
    const own = await temporaryDatabase({ migrated: false });
    const heron = start({ databaseUrl: own.url });
    await heron.printed(/HERON_DATABASE_URL/);
    expect(existsSync(path.join(data, 'postgres'))).toBe(false);
    heron.process.kill('SIGTERM');
    expect(await heron.exited).toBe(0);
    await own.close();
  });
});

describe.concurrent('a start that is not possible', () => {
  test('a second start on the same folder is rejected and does not affect the first', async ({
    stage: { data, start },
  }) => {
    const first = start();
    await first.printed(/Open/);
    const processes = await processesOf(first, data);
    expect(await refusal(start())).toMatch(/Another Heron is already running/);
    expect(alive(await processesOf(first, data))).toHaveLength(5);
    expect(await processesOf(first, data)).toEqual(processes);
  });

  test('of two concurrent starts on an empty folder, one runs', async ({ emptyStage: { start } }) => {
    const both = [start(), start()];
    const loser = await Promise.race(both.map((heron) => heron.exited.then(() => heron)));
    expect(await refusal(loser)).toMatch(/Another Heron is already running/);
    const winner = both.find((heron) => heron !== loser);
    await winner?.printed(/Open/);
  });

  test('a port in use is reported, and no process keeps running', async ({ stage: { data, start } }) => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await until('it listens', () => squatter.listening);
    const { port } = squatter.address() as AddressInfo;
    const line = await refusal(start({ port }));
    squatter.close();
    expect(line).toBe(
      `heron: Port ${port} for the platform is already in use. Stop the program that uses it, or choose another with --port.`,
    );
    expect(findPostmaster(path.join(data, 'postgres'))).toBeNull();
    await start().printed(/Open/);
  });

  test('an unwritable data folder is reported', async ({ emptyStage: { data, start } }) => {
    writeFileSync(data, 'a file where the folder should be');
    expect(await refusal(start())).toMatch(/Cannot write to .*data \(EEXIST\).*HERON_DATA/);
    expect(readFileSync(data, 'utf8')).toBe('a file where the folder should be');
    await rm(data);
  });

  test('a database of a newer version is rejected and stays unchanged', async ({ stage: { data, start } }) => {
    const first = start();
    await first.printed(/Open/);
    first.process.kill('SIGINT');
    await first.exited;
    const server = await startEmbedded(data);
    await execute(
      server.url,
      `create schema if not exists migrations;
      create table if not exists migrations.bots (id serial primary key, hash text not null, created_at bigint);
      insert into migrations.bots (hash, created_at) values ('from the future', 4000000000000)`,
    );
    await server.stop('fast');
    expect(await refusal(start())).toMatch(/written by a newer version of Heron/);
    expect(findPostmaster(path.join(data, 'postgres'))).toBeNull();
  });

  test('a database that could lose commits in a power cut is rejected', async ({ stage: { data, start } }) => {
    appendFileSync(path.join(data, 'postgres', 'postgresql.conf'), '\nfsync = off\n');
    expect(await refusal(start())).toMatch(/fsync is off/);
    expect(findPostmaster(path.join(data, 'postgres'))).toBeNull();
  });

  test('an own server that does not respond is reported', async ({ emptyStage: { start } }) => {
    expect(await refusal(start({ databaseUrl: 'postgresql://me:geheim@127.0.0.1:1/books' }))).toMatch(
      /Cannot reach the database books at 127\.0\.0\.1:1 .*HERON_DATABASE_URL/,
    );
  });
});

describe.concurrent('kill -9', () => {
  test.for(['platform', 'bothost', 'sandbox'])(
    'of the %s: it runs again at the same address',
    async (name, { stage: { data, start } }) => {
      const heron = start();
      const before = await processesOf(heron, data);
      process.kill(before.get(name) ?? 0, 'SIGKILL');
      await heron.printed(/ended unexpectedly \(killed by SIGKILL\)/);
      await heron.printed(/is running again/);
      const after = await processesOf(heron, data);
      expect(alive(after)).toHaveLength(5);
      expect(after.get(name)).not.toBe(before.get(name));
    },
  );

  test('of the database server: it is restarted under the same Heron', async ({ stage: { data, start } }) => {
    const heron = start();
    const before = await processesOf(heron, data);
    process.kill(before.get('postgres') ?? 0, 'SIGKILL');
    await heron.printed(/The database is available again/);
    const after = await processesOf(heron, data);
    expect(alive(after)).toHaveLength(5);
    expect(after.get('postgres')).not.toBe(before.get('postgres'));
    expect(await refusal(start())).toMatch(/Another Heron is already running/);
  });

  test('of the supervisor: its processes end, and the next start adopts the database', async ({
    stage: { data, start },
  }) => {
    const killed = start();
    const before = await processesOf(killed, data);
    killed.process.kill('SIGKILL');
    const next = start();
    const after = await processesOf(next, data);
    expect(after.get('postgres')).toBe(before.get('postgres'));
    await until('the old processes are gone', () => alive(before).join() === 'postgres');
  });

  test('of everything at once: the next start recovers', async ({ stage: { data, start } }) => {
    const killed = start();
    const before = await processesOf(killed, data);
    for (const pid of before.values()) process.kill(pid, 'SIGKILL');
    await until('all are gone', () => alive(before).length === 0);
    const next = start();
    expect(alive(await processesOf(next, data))).toHaveLength(5);
  });
});
