import { CallError } from '@heron/contract/http/errors.ts';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeOver } from '../src/runner/botJournal.ts';
import { WORKER_PATHS } from '../src/worker/workerApi.ts';
import { control, makeKey, makeLive, want } from './control.ts';

const setup = databaseFixture();

/** Creates a bot that its owner wants running and that a fault has stopped. */
async function failed(name: string): Promise<string> {
  const id = await makeLive(setup.database, name, 'BTC-USDT', await makeKey(setup.database, null));
  await want(setup.database, id, 'running');
  return id;
}

/** Creates a host whose worker shows the bot as failed. @param meanwhile runs while the open orders are read from the exchange */
const host = (id: string, meanwhile: () => Promise<unknown>) =>
  control(setup.database, async (path) => {
    if (path === WORKER_PATHS.details) return [{ id, status: 'error' }];
    if (path !== WORKER_PATHS.resting(id)) throw new CallError('unavailable');
    await meanwhile();
    return { count: 0 };
  });

const bots = async (id: string) => setup.database.orm.select().from(table.bot).where(eq(table.bot.id, id));
const hadBy = (id: string, given: Partial<typeof table.snapshot.$inferInsert>) =>
  setup.database.orm.update(table.snapshot).set(given).where(eq(table.snapshot.botId, id));

test('a failed bot is deleted, unless a worker has taken it over during the request', async () => {
  const id = await failed('came back');
  await hadBy(id, { worker: 1, status: 'working' });
  const revived = host(id, () => takeOver(setup.database, id, 2));
  await expect(revived.remove(id)).rejects.toMatchObject({ code: 'bot_running' });
  expect(await bots(id)).toHaveLength(1);
  await host(id, async () => {}).remove(id);
  expect(await bots(id)).toEqual([]);
});

test('a bot that a newer version has saved is deleted only when no worker can read it', async () => {
  const id = await failed('too new');
  await hadBy(id, { session: JSON.stringify({ kind: 'live', version: 1_000 }), status: 'working' });
  const attempt = host(id, async () => {});
  await expect(attempt.remove(id)).rejects.toMatchObject({ code: 'bot_running' });
  expect(await bots(id)).toHaveLength(1);
  await hadBy(id, { status: 'error' });
  await attempt.remove(id);
  expect(await bots(id)).toEqual([]);
});

test('a bot is deleted while a worker writes an entry of its journal', async () => {
  const id = await failed('written');
  await hadBy(id, { status: 'error', session: '{"half":' });
  const { pool } = setup.database;
  const writer = await pool.connect();
  onTestFinished(() => writer.release());
  await writer.query('begin');
  await writer.query('update bots.snapshots set seq = seq + 1 where bot_id = $1', [id]);
  const removed = host(id, async () => {}).remove(id);
  await vi.waitFor(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect((await pool.query(waiting)).rowCount).toBe(1);
  }, 30_000);
  await writer.query(
    `insert into bots.journal (bot_id, venue, seq, at, pair, kind, data)
     select id, venue, 1, 0, null, 'alarm', '{}' from bots.bots where id = $1`,
    [id],
  );
  await writer.query('commit');
  await removed;
  expect(await bots(id)).toEqual([]);
});

test('an unreadable bot is deleted, also when a worker has just tried to read it', async () => {
  const id = await failed('torn');
  await hadBy(id, { session: '{"half":', status: 'working' });
  await host(id, () => takeOver(setup.database, id, 2)).remove(id);
  expect(await bots(id)).toEqual([]);
});
