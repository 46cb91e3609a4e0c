import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, SECRET, startBotHost, until } from './botHost.ts';

const HERON = path.join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'heron.js');

let folder: string;
let sandbox: Sandbox;
let database: TemporaryDatabase;
let host: BotHost;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-by-hand-'));
  writeFileSync(path.join(folder, 'secret'), SECRET);
  [sandbox, database] = await Promise.all([startSandbox({ port: 0, seed: 51 }), temporaryDatabase()]);
  host = await startBotHost({ databaseUrl: database.url, market: sandbox.binance, dataDir: folder });
});

afterAll(async () => {
  await host.stop();
  await sandbox.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function heron(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const where = ['--data', folder, '--control-port', new URL(host.url).port];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [HERON, ...args, ...where], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
    child.stdin?.end(input);
  });
}

test('keys are added from standard input, listed, tested and forgotten by the command', async () => {
  const { key, secret } = sandbox.binance;
  expect(await heron(['keys', 'list'])).toMatchObject({ code: 0, out: expect.stringContaining('no keys yet') });
  const half = await heron(['keys', 'add', 'binance', 'mine'], `${key}\n`);
  expect(half).toMatchObject({ code: 1, err: expect.stringContaining('two lines') });
  const added = await heron(['keys', 'add', 'binance', 'mine'], `${key}\n${secret}\n`);
  expect(added.err).toBe('');
  expect(added.out).toContain(`…${key.slice(-4)}`);
  expect(added.out).toContain('Warning');
  expect((await heron(['keys', 'test', 'mine'])).code).toBe(0);
  const unknown = await heron(['keys', 'test', 'yours']);
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('there is no key "yours"') });
  for (const { out, err } of [half, added, unknown, await heron(['keys', 'list'])]) {
    expect(out + err).not.toContain(secret);
    expect(out + err).not.toContain(key);
  }
});

test('a live bot is started only by who says so, halted, and its key stays for as long as the bot', async () => {
  const { body } = await host.call<{ keys: { id: string }[] }>('GET', '/bot/keys');
  const made = await host.call<{ id: string }>('POST', '/bot/bots', {
    body: {
      name: 'by hand',
      options: { mode: 'live', watch_pairs: 'BTC-USDT', period: '1m' },
      params: {},
      key: body.keys[0]?.id,
    },
  });
  expect(made.status).toBe(200);
  const careless = await heron(['bots', 'start', 'by hand']);
  expect(careless).toMatchObject({ code: 1, err: expect.stringContaining('--live') });
  const unwatched = await heron(['bots', 'start', 'by hand', '--live']);
  expect(unwatched).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  expect((await heron(['bots', 'start', 'by hand', '--live', '--yes'])).code).toBe(0);
  await until(async () => (await heron(['bots', 'list'])).out.includes('working'), 'the bot to work');
  const used = await heron(['keys', 'remove', 'mine']);
  expect(used).toMatchObject({ code: 1, err: expect.stringContaining('still trades') });
  expect(await heron(['bots', 'halt', '--close'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('confirmed'),
  });
  expect((await heron(['bots', 'stop', 'by hand'])).out).toContain('finished');
  await host.call('DELETE', `/bot/bots/${made.body.id}`);
  expect((await heron(['keys', 'remove', 'mine'])).code).toBe(0);
});
