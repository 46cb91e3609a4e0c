import { CallError } from '@heron/contract/http/errors.ts';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { KEY_PATHS, WORKER_PATHS } from '../src/worker/workerApi.ts';
import { control, makeKey, makeLive, saveLive, type Worker, want } from './control.ts';
import { until } from './testFleet.ts';

const setup = databaseFixture();
let key: string;

beforeEach(async () => {
  await setup.database.orm.delete(table.bot);
  await setup.database.orm.delete(table.key);
  key = await makeKey(setup.database, 'the account');
});

/** A worker that cannot be reached. */
const idle: Worker = async () => {
  throw new CallError('unavailable');
};

/** Creates a host whose worker delays the commit of a change of `id` until the test allows it. */
function changing(id: string, pairs: string) {
  const called = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const host = control(setup.database, async (path) => {
    if (path !== WORKER_PATHS.change(id)) throw new CallError('unavailable');
    called.resolve();
    await gate.promise;
    await saveLive(setup.database, id, pairs);
    return { ok: false, faults: [] };
  });
  const changed = host.change(id, pairs).catch(() => {});
  return {
    called: called.promise,
    async letGo() {
      gate.resolve();
      await changed;
    },
  };
}

/** Waits until a host is blocked on the lock that another host holds. */
const waits = () =>
  until(async () => {
    const query = "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    return (await setup.database.pool.query(query)).rows.length > 0;
  }, 'it to wait');

test('while a running bot is being changed to a contract no other bot starts on it', async () => {
  const first = await makeLive(setup.database, 'the first', 'ETH-USDT', key);
  const second = await makeLive(setup.database, 'the second', 'BTC-USDT', key);
  await want(setup.database, first, 'running');
  const change = changing(first, 'BTC-USDT');
  await change.called;
  const refused = expect(control(setup.database, idle).start(second, 'the second')).rejects.toMatchObject({
    ...{ code: 'contract_taken', details: { pair: 'BTC-USDT', name: 'the first' } },
  });
  await waits();
  await change.letGo();
  await refused;
});

test('a stopped bot claims the contracts of its last change at its start, however late', async () => {
  const first = await makeLive(setup.database, 'the first', 'ETH-USDT', key);
  const second = await makeLive(setup.database, 'the second', 'BTC-USDT', key);
  await want(setup.database, second, 'running');
  const change = changing(first, 'BTC-USDT');
  await change.called;
  const refused = expect(control(setup.database, idle).start(first, 'the first')).rejects.toMatchObject({
    code: 'contract_taken',
  });
  await waits();
  await change.letGo();
  await refused;
});

test('a bot that is still stopping claims the contracts of its change', async () => {
  const first = await makeLive(setup.database, 'the first', 'ETH-USDT', key);
  const second = await makeLive(setup.database, 'the second', 'BTC-USDT', key);
  await want(setup.database, second, 'running');
  await saveLive(setup.database, first, 'ETH-USDT', 'stopping');
  await expect(control(setup.database, idle).change(first, 'BTC-USDT')).rejects.toMatchObject({
    code: 'contract_taken',
  });
});

test.each([
  ['is reported', 'the account', 'contract_taken'],
  ['stays unknown', null, 'account_unknown'],
])('a start first requests the unknown account of its key: it %s', async (_, account, code) => {
  const unknown = await makeKey(setup.database, null);
  const first = await makeLive(setup.database, 'the first', 'BTC-USDT', key);
  const second = await makeLive(setup.database, 'the second', 'BTC-USDT', unknown);
  await want(setup.database, first, 'running');
  const worker: Worker = async (path, body) => {
    if (path !== KEY_PATHS.test) throw new CallError('unavailable');
    expect(body).toEqual({ owner: '1', id: unknown });
    await setup.database.orm.update(table.key).set({ account }).where(eq(table.key.id, unknown));
    return {};
  };
  await expect(control(setup.database, worker).start(second, 'the second')).rejects.toMatchObject({ code });
  await want(setup.database, first, 'stopped');
  await control(setup.database, worker).start(second, 'the second');
});
