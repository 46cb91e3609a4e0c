import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, SECRET, until } from './botHost.ts';
import { startTestbed, type Testbed } from './testbed.ts';

const HERON = path.join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'heron.js');

let testbed: Testbed;
let host: BotHost;

beforeAll(async () => {
  testbed = await startTestbed('by-hand', { seed: 51 });
  writeFileSync(path.join(testbed.folder, 'secret'), SECRET);
  host = await testbed.startHost();
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

function heron(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const where = ['--data', testbed.folder, '--control-port', new URL(host.url).port];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [HERON, ...args, ...where], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
    child.stdin?.end(input);
  });
}

test('the command adds keys from standard input, lists, tests and removes them', async () => {
  const { key, secret } = testbed.sandbox.binance;
  expect(await heron(['keys', 'list'])).toMatchObject({ code: 0, out: expect.stringContaining('no keys yet') });
  const half = await heron(['keys', 'add', 'binance-demo', 'mine'], `${key}\n`);
  expect(half).toMatchObject({ code: 1, err: expect.stringContaining('two lines') });
  const added = await heron(['keys', 'add', 'binance-demo', 'mine'], `${key}\n${secret}\n`);
  expect(added.err).toBe('');
  expect(added.out).toContain(`…${key.slice(-4)}`);
  expect(added.out).toContain('Warning');
  expect((await heron(['keys', 'test', 'mine'])).code).toBe(0);
  const { ed25519 } = testbed.sandbox.binance;
  const pem = await heron(['keys', 'add', 'binance-demo', 'pem'], `${ed25519.key}\n${ed25519.secret}\n`);
  expect(pem).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`…${ed25519.key.slice(-4)}`) });
  expect((await heron(['keys', 'remove', 'pem'])).code).toBe(0);
  const rsa = String(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );
  expect((await heron(['keys', 'add', 'binance-demo', 'rsa'], `${ed25519.key}\n${rsa}`)).err).toContain('not RSA');
  const unknown = await heron(['keys', 'test', 'yours']);
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('there is no key "yours"') });
  for (const { out, err } of [half, added, unknown, await heron(['keys', 'list'])]) {
    expect(out + err).not.toContain(secret);
    expect(out + err).not.toContain(key);
  }
});

test('a live start needs its confirmations, and a key stays as long as its bot', async () => {
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
  expect(await heron(['bots', 'delete', 'by hand'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('--yes'),
  });
  expect(await heron(['bots', 'delete', 'by hand', '--yes'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Stop the bot first'),
  });
  const used = await heron(['keys', 'remove', 'mine']);
  expect(used).toMatchObject({ code: 1, err: expect.stringContaining('A bot still uses this key') });
  expect(await heron(['bots', 'halt', '--close'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('confirmed'),
  });
  expect((await heron(['bots', 'stop', 'by hand'])).out).toContain('finished');
  expect(await heron(['bots', 'delete', 'by hand', '--yes'])).toMatchObject({ code: 0, out: 'Deleted by hand.\n' });
  expect((await heron(['keys', 'remove', 'mine'])).code).toBe(0);
});
