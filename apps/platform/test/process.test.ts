import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FromChild } from '@heron/contract/process/child.ts';
import { openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PlatformConfig } from '../src/config.ts';
import { requestAt, SECRET } from './testPlatform.ts';

const ENTRY = fileURLToPath(new URL('../src/process.ts', import.meta.url));
const NODE = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

let temporary: TemporaryDatabase;
let child: ChildProcess | undefined;
beforeAll(async () => {
  temporary = await temporaryDatabase();
});
afterAll(() => temporary.close());
afterEach(() => {
  child?.kill('SIGKILL');
});

async function start(
  more: Partial<PlatformConfig> & { dataDir?: string } = {},
): Promise<{ child: ChildProcess; report: FromChild }> {
  const started = fork(ENTRY, [], {
    execPath: NODE,
    execArgv: ['--import', import.meta.resolve('@heron/database/quickDrizzle.ts')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child = started;
  const config = {
    databaseUrl: temporary.url,
    host: '127.0.0.1',
    port: 0,
    bothostUrl: 'http://127.0.0.1:1',
    secret: SECRET,
    clientDir: '/nonexistent',
    logLevel: 'silent',
    dataDir: '/nonexistent',
    ...more,
  };
  started.send({ type: 'configure', config });
  const [report] = await once(started, 'message');
  return { child: started, report };
}

test('the process reports its URL and the setup link, and ends on request', async () => {
  const { child, report } = await start();
  expect(report).toMatchObject({
    type: 'ready',
    info: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), setupLink: expect.stringContaining('/setup/') },
  });
  const { url } = (report as { info: { url: string } }).info;
  expect((await requestAt(url, '/healthz')).status).toBe(200);
  const began = performance.now();
  child.send({ type: 'stop' });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  // The supervisor waits 0.5 s on an idle machine. Open keep-alive connections would take longer than this limit.
  expect(performance.now() - began).toBeLessThan(4_000);
});

test('there is no setup link once there is an administrator', async () => {
  const database = openDatabase(temporary.url);
  await database.pool.query(
    `insert into accounts.users (uid, username, username_key, nick_name, password_hash, group_id) values (1, 'a', 'a', 'a', 'x', 1)`,
  );
  await database.close();
  const { report } = await start();
  expect(report.type === 'ready' && Object.keys(report.info as object)).toEqual(['url']);
});

test('a port in use gives one clear line', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { child, report } = await start({ port });
  expect(report).toEqual({
    type: 'failed',
    code: 'EADDRINUSE',
    message: `Cannot listen (the port is in use): 127.0.0.1:${port}`,
  });
  const code = child.exitCode ?? (await once(child, 'exit'))[0];
  expect(code).toBe(1);
  taken.close();
});
