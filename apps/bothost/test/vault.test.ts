import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeyStore } from '../src/live/keyStore.ts';
import { seal, unseal } from '../src/live/vault.ts';
import { type VaultKeys, vaultKeys } from '../src/live/vaultKeys.ts';

const KEY = { key: 'an api key of an exchange', secret: 'the secret that signs' };
const OWNER = { id: 'a', owner: '1', exchange: 'binance' };
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

const line = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

function keysOf(...lines: string[]): VaultKeys {
  return vaultKeys(lines.join(','), path.join(folder, 'unused'));
}

test('what is sealed opens again, is different each time, and shows nothing of the key', () => {
  const keys = keysOf(line('k1'));
  const sealed = seal(keys, OWNER, KEY);
  expect(unseal(keys, OWNER, sealed)).toEqual(KEY);
  expect(seal(keys, OWNER, KEY)).not.toBe(sealed);
  const bytes = Buffer.from(sealed.split('.').slice(2).join(''), 'base64url').toString('latin1');
  for (const hidden of [KEY.key, KEY.secret]) expect(sealed + bytes).not.toContain(hidden);
});

test('a sealed key opens for nobody else, nowhere else, and not when one bit of it was changed', () => {
  const keys = keysOf(line('k1'));
  const sealed = seal(keys, OWNER, KEY);
  for (const other of [
    { ...OWNER, owner: '2' },
    { ...OWNER, id: 'b' },
    { ...OWNER, exchange: 'mexc' },
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
  expect(() => unseal(keysOf(line('k1')), OWNER, sealed)).toThrow('cannot be opened');
  expect(() => unseal(keysOf(line('k2')), OWNER, sealed)).toThrow('k1, which is not here');
});

test('the key of the vault is made once, for its owner alone; a file that others may read is refused', () => {
  const file = path.join(folder, 'vault.key');
  const made = vaultKeys(undefined, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(vaultKeys('', file)).toEqual(made);
  chmodSync(file, 0o640);
  expect(() => vaultKeys(undefined, file)).toThrow('chmod 600');
  expect(readFileSync(file, 'utf8')).toContain('k1:');
  expect(() => vaultKeys('k1:c2hvcnQ=', file)).toThrow('32 bytes');
});

test('a new key of the vault seals everything anew; then the old one may go', async () => {
  const [old, next] = [line('old'), line('next')];
  const store = await openKeyStore(database, keysOf(old), Date.now);
  const id = await store.add({ owner: '1', exchange: 'binance', label: 'mine', key: KEY, permissions: PERMISSIONS });
  await openKeyStore(database, keysOf(next, old), Date.now);
  const [row] = await database.orm.select().from(table.key);
  expect(row?.sealed).toMatch(/^1\.next\./);
  const rotated = await openKeyStore(database, keysOf(next), Date.now);
  expect(await rotated.open('1', id)).toEqual({ exchange: 'binance', key: KEY });
  await expect(rotated.open('2', id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(openKeyStore(database, keysOf(line('other')), Date.now)).rejects.toThrow('which is not here');
});
