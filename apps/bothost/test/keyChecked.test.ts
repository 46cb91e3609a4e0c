import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import { ExchangeRefused, ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import type { KeyPermissions, TradingExchange } from '@heron/exchanges/trading.ts';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identifyAccount } from '../src/live/accountOfKey.ts';
import { addKeyRoutes } from '../src/live/keyApi.ts';
import { createKeyPermissionReader } from '../src/live/keyPermissionReader.ts';
import { getOtherBots, type OtherBots } from '../src/live/otherBots.ts';
import { openLog } from '../src/log.ts';
import { createBot } from '../src/store/botStore.ts';
import { listKeys, ownKey } from '../src/store/keyViews.ts';
import { type KeyStore, openKeyStore } from '../src/vault/keyStore.ts';
import { createVaultKeys } from '../src/vault/vaultKeys.ts';
import { KEY_PATHS } from '../src/worker/workerApi.ts';

const LOG = openLog('test', 'silent');
const GOOD: KeyPermissions = { trade: true, withdraw: false, ipRestricted: true };

const vaultKeys = createVaultKeys(`k1:${randomBytes(32).toString('base64')}`, 'unused');

let temporary: TemporaryDatabase;
let database: Database;
let store: KeyStore;

beforeAll(async () => {
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url);
  store = await openKeyStore(database, vaultKeys, Date.now, LOG);
});

afterAll(async () => {
  await database.close();
  await temporary.close();
});

let count = 0;
const added = (owner = '1') =>
  store.add({
    ...{ owner, venue: 'binance-demo', label: `key ${++count}`, key: { key: 'a key', secret: 'a secret' } },
    permissions: GOOD,
  });

/** Creates a live bot. @param cash its cash after it has traded; null for a bot that has not */
async function bot(key: string, cash: string | null, owner = '1'): Promise<string> {
  const options = { ...defaultOptions(), mode: 'live' as const, watch_pairs: 'BTC-USDT' };
  const made = await createBot(database, owner, { name: `bot ${++count}`, options, params: {}, key }, Date.now());
  const { id } = made.row;
  if (cash !== null) {
    const session = createLiveSession({ id, options, params: {}, allotment: null });
    session.state.opened = true;
    session.state.bot.wallet.quote = parseUnits(cash) as number;
    const text = saveSession(session);
    await database.pool.query('update bots.snapshots set session = $2 where bot_id = $1', [id, text]);
  }
  return id;
}

const noClaims = async () => [];

const cashOf = ({ claims }: OtherBots) => claims.reduce((sum, { cash }) => sum + cash, 0);

/** Returns the dependencies of `identifyAccount` except `open`. */
const deps = () => ({ database, store, log: LOG, venue: 'binance-demo' });

/** Creates an exchange that only reports the account of a key. */
const signedIn = (account: string | null) =>
  ({ name: 'binance', account: async () => account, close: async () => {} }) as unknown as TradingExchange;

test('a key that can withdraw at its next test is marked so, and gets no new bots', async () => {
  const id = await added();
  let received: KeyPermissions = { ...GOOD, withdraw: true };
  const venue = {
    permissions: async () => received,
    account: async () => null,
    close: async () => {},
  } as unknown as TradingExchange;
  const server = fastify();
  const checked: string[] = [];
  addKeyRoutes(server, {
    store,
    claims: noClaims,
    open: async () => venue,
    onChecked: (key) => void checked.push(key),
  });
  const again = () => server.inject({ method: 'POST', url: KEY_PATHS.test, payload: { owner: '1', id } });
  expect((await again()).statusCode).toBe(200);
  expect(checked).toEqual([id]);
  expect(await store.permissionsOf(id)).toMatchObject({ withdraw: true });
  const key = await ownKey(database, '1', id);
  expect(key).toMatchObject({ permissions: { withdraw: true } });
  expect(key.warnings[0]?.en).toContain('may withdraw by now');
  await expect(bot(id, null)).rejects.toMatchObject({ code: 'key_may_withdraw' });
  received = GOOD;
  await again();
  expect(await store.permissionsOf(id)).toMatchObject({ withdraw: false });
  expect((await ownKey(database, '1', id)).warnings).toEqual([]);
  await bot(id, null);
  await server.close();
});

/** Creates an exchange whose permissions a test defines. */
const reporting = (permissions: () => Promise<KeyPermissions>) =>
  ({ permissions, account: async () => null, close: async () => {} }) as unknown as TradingExchange;

const refusal = () => new ExchangeRefused('binance', 'Invalid API-key, IP, or permissions for action.', 'not_allowed');

test('a key that the exchange refuses at its test is no longer shown as one that may trade', async () => {
  const id = await added();
  const server = fastify();
  const checked: string[] = [];
  const venue = reporting(async () => {
    throw refusal();
  });
  addKeyRoutes(server, {
    store,
    claims: noClaims,
    open: async () => venue,
    onChecked: (key) => void checked.push(key),
  });
  await server.inject({ method: 'POST', url: KEY_PATHS.test, payload: { owner: '1', id } });
  expect((await ownKey(database, '1', id)).permissions).toEqual({ ...GOOD, trade: false });
  expect(checked).toEqual([id]);
  await server.close();
});

test('a refusal that does not concern the key leaves its permissions as they are', async () => {
  const id = await added();
  const server = fastify();
  const venue = reporting(async () => {
    throw new ExchangeRefused('binance', 'This action is disabled.', 'other');
  });
  addKeyRoutes(server, { store, claims: noClaims, open: async () => venue, onChecked() {} });
  const response = await server.inject({ method: 'POST', url: KEY_PATHS.test, payload: { owner: '1', id } });
  expect(response.statusCode).not.toBe(200);
  expect((await ownKey(database, '1', id)).permissions).toEqual(GOOD);
  await server.close();
});

test('the balance of a key is what no bot on its account claims, and only its owner can read it', async () => {
  const [id, second] = [await added('rich'), await added('rich')];
  for (const key of [id, second]) await store.storeAccount(key, 'shared account');
  const server = fastify();
  const balances = [
    { asset: 'BTC', free: '2', locked: '0' },
    { asset: 'USDT', free: '900.1', locked: '99.9' },
  ];
  const venue = { ...signedIn(null), balances: async () => balances } as unknown as TradingExchange;
  const claims = async (key: string, currency: string) => (await getOtherBots(database, key, null, currency)).claims;
  addKeyRoutes(server, { store, claims, open: async () => venue, onChecked() {} });
  const read = (currency: string, owner = 'rich') =>
    server.inject({ method: 'POST', url: KEY_PATHS.balance, payload: { owner, id, currency } });
  expect((await read('USDT')).json()).toEqual({ available: '1000', free: '900.1' });
  await bot(id, '300', 'rich');
  await bot(second, '250.5', 'rich');
  await bot(second, null, 'rich');
  expect((await read('USDT')).json()).toEqual({ available: '449.5', free: '900.1' });
  await bot(id, '5000', 'rich');
  expect((await read('USDT')).json()).toEqual({ available: '0', free: '900.1' });
  expect((await read('EUR')).json()).toEqual({ available: '0', free: '0' });
  await expect(store.open('stranger', id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await read('USDT', 'stranger')).statusCode).not.toBe(200);
  await server.close();
});

test('a key is not stored after the caller has given up', async () => {
  const server = fastify();
  const answer = Promise.withResolvers<KeyPermissions>();
  const closed = Promise.withResolvers<void>();
  const venue = { ...reporting(() => answer.promise), close: async () => closed.resolve() };
  addKeyRoutes(server, { store, claims: noClaims, open: async () => venue, onChecked() {}, checkMs: 20 });
  const payload = { owner: 'slow', venue: 'binance-demo', label: 'slow', key: 'k', secret: 's', withdrawOff: false };
  const response = await server.inject({ method: 'POST', url: KEY_PATHS.add, payload });
  expect(response.statusCode).not.toBe(200);
  answer.resolve(GOOD);
  await closed.promise;
  await server.close();
  expect(await listKeys(database, 'slow')).toEqual([]);
});

test('a key is not stored by a database that takes too long', async () => {
  const server = fastify();
  addKeyRoutes(server, {
    store,
    claims: noClaims,
    open: async () => reporting(async () => GOOD),
    onChecked() {},
    addMs: 0,
  });
  const payload = { owner: 'slow', venue: 'binance-demo', label: 'slow', key: 'k', secret: 's', withdrawOff: false };
  const response = await server.inject({ method: 'POST', url: KEY_PATHS.add, payload });
  expect(response.statusCode).not.toBe(200);
  await server.close();
  expect(await listKeys(database, 'slow')).toEqual([]);
});

test('bots of one key whose permissions are due at once share a read', async () => {
  const id = await added();
  const reader = createKeyPermissionReader({ store, log: LOG, now: Date.now, onBlocking() {} });
  let reads = 0;
  const venue = reporting(async () => {
    reads += 1;
    return GOOD;
  });
  await Promise.all(Array.from({ length: 5 }, () => reader.readDaily(id, venue)));
  expect(reads).toBe(1);
});

test('the permissions of a key are read at first and once a day, and stored as a whole', async () => {
  const id = await added();
  let hours = 0;
  const now = () => Date.now() + hours * 3_600_000;
  const blocking: string[] = [];
  const onBlocking = (key: string) => void blocking.push(key);
  const reader = createKeyPermissionReader({ store, log: LOG, now, onBlocking });
  const received: KeyPermissions = { trade: true, withdraw: true, ipRestricted: false };
  let reads = 0;
  let failure: Error | null = null;
  const venue = reporting(async () => {
    reads += 1;
    if (failure !== null) throw failure;
    return received;
  });
  const readAfter = async (passed: number) => {
    hours += passed;
    await reader.readDaily(id, venue);
    return reads;
  };
  expect([await readAfter(0), await readAfter(23), await readAfter(2)]).toEqual([1, 1, 2]);
  expect((await ownKey(database, '1', id)).permissions).toEqual(received);
  expect(await store.permissionsOf(id)).toMatchObject({ withdraw: true });
  // Without a response the known permissions remain, and the read is repeated an hour later.
  failure = new ExchangeUnreachable('binance', 'not now');
  await database.pool.query('update bots.keys set checked_at = 0 where id = $1', [id]);
  expect([await readAfter(24), await readAfter(0.5), await readAfter(0.6)]).toEqual([3, 3, 4]);
  expect(blocking).toEqual([id, id]);
  expect((await ownKey(database, '1', id)).permissions).toEqual(received);
});

test('the permissions of a key are read again when its account is opened again, and an hour after a failure', async () => {
  const id = await added();
  let hours = 0;
  const now = () => Date.now() + hours * 3_600_000;
  const reader = createKeyPermissionReader({ store, log: LOG, now, onBlocking() {} });
  let reads = 0;
  let failure: Error | null = null;
  const opened = () =>
    reporting(async () => {
      reads += 1;
      if (failure !== null) throw failure;
      return GOOD;
    });
  const readsAfter = async (passed: number, venue: TradingExchange) => {
    hours += passed;
    await reader.readDaily(id, venue);
    return reads;
  };
  const first = opened();
  expect([await readsAfter(0, first), await readsAfter(2, first)]).toEqual([1, 1]);
  failure = new ExchangeUnreachable('binance', 'not now');
  const second = opened();
  expect([await readsAfter(0, second), await readsAfter(0.5, second), await readsAfter(0.6, second)]).toEqual([
    2, 2, 3,
  ]);
  failure = null;
  expect([await readsAfter(1.1, second), await readsAfter(2, second)]).toEqual([4, 4]);
});

test('a refusal at the daily read is stored, and ends with the next reading', async () => {
  const id = await added();
  const now = () => Date.now() + 90_000_000;
  const reader = createKeyPermissionReader({ store, log: LOG, now, onBlocking() {} });
  let failure: Error | null = refusal();
  const venue = reporting(async () => {
    if (failure !== null) throw failure;
    return GOOD;
  });
  await expect(reader.readDaily(id, venue)).rejects.toMatchObject({ about: 'not_allowed' });
  expect((await ownKey(database, '1', id)).permissions).toEqual({ ...GOOD, trade: false });
  failure = null;
  await reader.readDaily(id, venue);
  expect((await ownKey(database, '1', id)).permissions).toEqual(GOOD);
});

test('a refusal of one host blocks no bots of another host, and delays none of its daily reads', async () => {
  const id = await added();
  let hours = 0;
  const now = () => Date.now() + hours * 3_600_000;
  const later = await openKeyStore(database, vaultKeys, now, LOG);
  const host = () => createKeyPermissionReader({ store: later, log: LOG, now, onBlocking() {} });
  const [refusedHost, otherHost] = [host(), host()];
  const refusing = reporting(async () => {
    throw refusal();
  });
  let reads = 0;
  const accepting = reporting(async () => {
    reads += 1;
    return GOOD;
  });
  await otherHost.readDaily(id, accepting);
  hours += 25;
  await expect(refusedHost.read(id, refusing)).rejects.toMatchObject({ about: 'not_allowed' });
  expect(await store.permissionsOf(id)).toEqual(GOOD);
  expect((await ownKey(database, '1', id)).permissions).toEqual({ ...GOOD, trade: false });
  await otherHost.readDaily(id, accepting);
  expect(reads).toBe(2);
});

test('the mark of a refusal that is over is taken back within an hour', async () => {
  const id = await added();
  let minutes = 0;
  const now = () => Date.now() + minutes * 60_000;
  const later = await openKeyStore(database, vaultKeys, now, LOG);
  const reader = createKeyPermissionReader({ store: later, log: LOG, now, onBlocking() {} });
  const account = reporting(async () => GOOD);
  await reader.readDaily(id, account);
  // A test in the app, or another host, was refused.
  await later.markRefused(id);
  minutes += 59;
  await reader.readDaily(id, account);
  expect((await ownKey(database, '1', id)).permissions.trade).toBe(false);
  minutes += 2;
  await reader.readDaily(id, account);
  expect((await ownKey(database, '1', id)).permissions.trade).toBe(true);
});

test('bots on one account with different keys find each other, also across owners', async () => {
  const [mine, second, stranger, elsewhere] = [await added(), await added(), await added('2'), await added()];
  const starting = await bot(mine, null);
  await bot(second, '100');
  await bot(stranger, '20', '2');
  await bot(elsewhere, '3');
  // The key of another owner was identified when it was added.
  await store.storeAccount(stranger, 'a');
  const accounts = new Map([
    [mine, 'a'],
    [second, 'a'],
    [elsewhere, 'b'],
  ]);
  const opened: string[] = [];
  const open = async (_owner: string, key: string) => {
    opened.push(key);
    return signedIn(accounts.get(key) ?? 'another');
  };
  await identifyAccount({ ...deps(), open }, signedIn('a'), { id: mine, owner: '1' });
  expect(cashOf(await getOtherBots(database, mine, starting, 'USDT'))).toBe(parseUnits('120'));
  expect(cashOf(await getOtherBots(database, elsewhere, 'none', 'USDT'))).toBe(parseUnits('3'));
  expect(opened).not.toContain(stranger);
});

test('a key of another owner is never opened; a start waits until its account is known', async () => {
  const [mine, stranger] = [await added(), await added('2')];
  await bot(mine, null);
  const fresh = await bot(stranger, null, '2');
  const open = async (owner: string) => {
    if (owner !== '1') throw new Error('a key of another owner was opened');
    return signedIn('b');
  };
  const identify = () => identifyAccount({ ...deps(), open }, signedIn('a'), { id: mine, owner: '1' });
  // A bot that has never opened its account has no cash or coins to distinguish.
  await identify();
  await database.pool.query('update bots.snapshots set session = \'{"opened":true}\' where bot_id = $1', [fresh]);
  await expect(identify()).rejects.toMatchObject({ code: 'account_unknown' });
  await store.storeAccount(stranger, 'b');
  await identify();
});

test('a second key is rejected where the exchange does not report the account of a key', async () => {
  const own = await added();
  await bot(await added(), '1');
  const open = async () => signedIn(null);
  const identified = identifyAccount({ ...deps(), open }, signedIn(null), { id: own, owner: '1' });
  await expect(identified).rejects.toMatchObject({ code: 'account_unknown' });
});

test('an unreadable state of another bot on the account is reported, without a fault', async () => {
  const key = await added();
  const torn = await bot(key, '1');
  await database.pool.query('update bots.snapshots set session = $2 where bot_id = $1', [torn, '{"half":']);
  expect(await getOtherBots(database, key, 'asking', 'USDT')).toMatchObject({ claims: [], unreadable: true });
});
