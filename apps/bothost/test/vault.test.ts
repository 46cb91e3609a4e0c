import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../src/log.ts';
import { accountProblem } from '../src/runner/accountProblem.ts';
import { openKeyStore } from '../src/vault/keyStore.ts';
import { seal, unseal } from '../src/vault/vault.ts';
import { createVaultKeys, type VaultKeys } from '../src/vault/vaultKeys.ts';

const KEY = { key: 'an api key of an exchange', secret: 'the secret that signs' };
const LOG = openLog('test', 'silent');
const OWNER = { id: 'a', owner: '1', venue: 'binance-demo' };
const PERMISSIONS = { trade: true, withdraw: false, ipRestricted: true };

let folder: string;
let temporary: TemporaryDatabase;
let database: Database;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-vault-'));
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url);
});

afterAll(async () => {
  await database.close();
  await temporary.close();
  rmSync(folder, { recursive: true, force: true });
});

const vaultKeyLine = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

function keysOf(...lines: string[]): VaultKeys {
  return createVaultKeys(lines.join(','), path.join(folder, 'unused'));
}

test('a sealed value opens again, differs each time, and shows nothing of the key', () => {
  const keys = keysOf(vaultKeyLine('k1'));
  const sealed = seal(keys, OWNER, KEY);
  expect(unseal(keys, OWNER, sealed)).toEqual(KEY);
  expect(seal(keys, OWNER, KEY)).not.toBe(sealed);
  const bytes = Buffer.from(sealed.split('.').slice(2).join(''), 'base64url').toString('latin1');
  for (const hidden of [KEY.key, KEY.secret]) expect(sealed + bytes).not.toContain(hidden);
});

test('a sealed key opens for no other owner or place, nor after a bit has changed', () => {
  const keys = keysOf(vaultKeyLine('k1'));
  const sealed = seal(keys, OWNER, KEY);
  for (const other of [
    { ...OWNER, owner: '2' },
    { ...OWNER, id: 'b' },
    { ...OWNER, venue: 'mexc-demo' },
  ]) {
    expect(() => unseal(keys, other, sealed)).toThrow('cannot be opened');
  }
  const parts = sealed.split('.');
  for (const part of [2, 3, 4]) {
    const bytes = Buffer.from(parts[part] as string, 'base64url');
    bytes[0] = (bytes[0] as number) ^ 1;
    const changed = parts.with(part, bytes.toString('base64url')).join('.');
    expect(() => unseal(keys, OWNER, changed)).toThrow('cannot be opened');
  }
  expect(() => unseal(keysOf(vaultKeyLine('k1')), OWNER, sealed)).toThrow('cannot be opened');
  expect(() => unseal(keysOf(vaultKeyLine('k2')), OWNER, sealed)).toThrow('k1, which is not here');
});

test('a sealed key with a shortened tag does not open', () => {
  const keys = keysOf(vaultKeyLine('k1'));
  const parts = seal(keys, OWNER, KEY).split('.');
  for (const length of [4, 8, 12, 15]) {
    const tag = Buffer.from(parts[3] as string, 'base64url').subarray(0, length);
    expect(() => unseal(keys, OWNER, parts.with(3, tag.toString('base64url')).join('.'))).toThrow('cannot be opened');
  }
});

test('the vault key is created once for its owner; a file that others read is rejected', () => {
  const file = path.join(folder, 'vault.key');
  const made = createVaultKeys(null, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(createVaultKeys(null, file)).toEqual(made);
  chmodSync(file, 0o640);
  expect(() => createVaultKeys(null, file)).toThrow('chmod 600');
  expect(readFileSync(file, 'utf8')).toMatch(/^k[0-9a-f]{8}:/);
  // A file that replaces a lost one is not mistaken for it.
  expect(createVaultKeys(null, path.join(folder, 'other.key')).current.id).not.toBe(made.current.id);
  expect(() => createVaultKeys('k1:c2hvcnQ=', file)).toThrow('32 bytes');
});

test('a new vault key seals everything again; then the old one may be removed', async () => {
  const [old, next] = [vaultKeyLine('old'), vaultKeyLine('next')];
  const store = await openKeyStore(database, keysOf(old), Date.now, LOG);
  const id = await store.add({ owner: '1', venue: 'binance-demo', label: 'mine', key: KEY, permissions: PERMISSIONS });
  await openKeyStore(database, keysOf(next, old), Date.now, LOG);
  const [row] = await database.orm.select().from(table.key);
  expect(row?.sealed).toMatch(/^2\.next\./);
  const rotated = await openKeyStore(database, keysOf(next), Date.now, LOG);
  expect(await rotated.open('1', id)).toEqual({ venue: 'binance-demo', key: KEY });
  await expect(rotated.open('2', id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a key that the vault cannot open is shown so to its owner, and blocks no other', async () => {
  const [lost, kept, next] = [vaultKeyLine('lost'), vaultKeyLine('kept'), vaultKeyLine('next')];
  const given = { venue: 'binance-demo', key: KEY, permissions: PERMISSIONS };
  const before = await openKeyStore(database, keysOf(lost), Date.now, LOG);
  const unreadable = await before.add({ ...given, owner: '3', label: 'sealed with what is gone' });
  const other = await openKeyStore(database, keysOf(kept), Date.now, LOG);
  const readable = await other.add({ ...given, owner: '4', label: 'mine' });
  const after = await openKeyStore(database, keysOf(next, kept), Date.now, LOG);
  expect(await after.open('4', readable)).toEqual({ venue: 'binance-demo', key: KEY });
  await expect(after.open('3', unreadable)).rejects.toMatchObject({ code: 'key_unreadable' });
});

test.each(['k1', 'another'])(
  'keys of a lost vault key are named at the start, also if the new one is %s',
  async (id) => {
    const given = { owner: id, venue: 'mexc-demo', label: 'mine', key: KEY, permissions: PERMISSIONS };
    const added = await (await openKeyStore(database, keysOf(vaultKeyLine('k1')), Date.now, LOG)).add(given);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const store = await openKeyStore(database, keysOf(vaultKeyLine(id)), Date.now, log);
    expect(lines.join()).toContain('sealed with another vault key');
    const unreadable = await store.open(id, added).catch((error: unknown) => error);
    expect(accountProblem(unreadable).en).toContain('Restore vault.key or HERON_VAULT_KEY');
  },
);

test('an empty vault key file after a crash is rejected with its reason', () => {
  const file = path.join(folder, 'torn.key');
  writeFileSync(file, '', { mode: 0o600 });
  expect(() => createVaultKeys(null, file)).toThrow('is empty');
});

test('programs that create the vault key at the same time all have the same one', async () => {
  const file = path.join(folder, 'raced.key');
  const script = `import { createVaultKeys } from ${JSON.stringify(import.meta.resolve('../src/vault/vaultKeys.ts'))};
    process.stdin.once('data', () => {
      console.log(createVaultKeys(null, ${JSON.stringify(file)}).current.bytes.toString('hex'));
      process.exit();
    });
    console.log('waits');`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
  for (const { stdin } of children) stdin.write('go');
  const received = await Promise.all(
    children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
  );
  expect(new Set(received).size).toBe(1);
  expect(received[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(readdirSync(folder).filter((name) => name.startsWith('raced'))).toEqual(['raced.key']);
});
