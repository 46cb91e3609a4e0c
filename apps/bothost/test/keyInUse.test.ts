import { randomBytes } from 'node:crypto';
import { openDatabase } from '@heron/database/connect.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { expect, test } from 'vitest';
import { openLog } from '../src/log.ts';
import { createBot } from '../src/store/botStore.ts';
import { openKeyStore } from '../src/vault/keyStore.ts';
import { createVaultKeys } from '../src/vault/vaultKeys.ts';
import { until } from './testFleet.ts';

test('a bot that is created while its key is being removed is rejected with a reason', async () => {
  const temporary = await temporaryDatabase();
  const database = openDatabase(temporary.url);
  const keys = createVaultKeys(`k1:${randomBytes(32).toString('base64')}`, 'unused');
  const store = await openKeyStore(database, keys, Date.now, openLog('test', 'silent'));
  const key = await store.add({
    ...{ owner: '1', venue: 'binance-demo', label: 'mine', key: { key: 'a key', secret: 'a secret' } },
    permissions: { trade: true, withdraw: false, ipRestricted: true },
  });
  const remover = await database.pool.connect();
  await remover.query('begin');
  await remover.query('delete from bots.keys where id = $1', [key]);
  const options = { ...defaultOptions(), mode: 'live' as const, exchange: 'binance-demo' as const };
  const made = createBot(database, '1', { name: 'too late', options, params: {}, key }, Date.now());
  const outcome = expect(made).rejects.toMatchObject({ code: 'key_needed' });
  const waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await until(async () => (await database.pool.query(waits)).rows.length > 0, 'the bot to wait for the key');
  await remover.query('commit');
  remover.release();
  await outcome;
  await database.close();
  await temporary.close();
});
