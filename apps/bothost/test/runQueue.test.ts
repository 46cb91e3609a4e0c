import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { expect, test } from 'vitest';
import { openRunQueue } from '../src/ownership/runQueue.ts';
import { until } from './testFleet.ts';

const setup = databaseFixture();

const open = () => openRunQueue(setup.url, 'heron-test', 1, () => {});

test('a database failure while the queue opens leaves it closed and ends nothing else', async () => {
  const first = await setup.database.pool.connect();
  try {
    // BullMQ takes this lock for its migrations.
    await first.query("begin; select pg_advisory_xact_lock(x'42554c4c'::int, hashtext('bullmq'))");
    const opening = open();
    const given = expect(opening).rejects.toThrow();
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event = 'advisory' and datname = current_database()`;
    await until(async () => (await setup.database.pool.query(kill)).rowCount, 'it to wait for the first');
    await given;
  } finally {
    await first.query('rollback');
    first.release();
  }
  await (await open()).close();
});

test('runs of a dead worker are taken over while others of it are still being freed', async () => {
  const dead = await open();
  const living = await openRunQueue(setup.url, 'heron-test', 2, () => {});
  const runs = Array.from({ length: 200 }, (_, at) => ({ bot: `bot${at}`, run: 1 }));
  await dead.offer(runs);
  for (const _ of runs) await dead.claim(false);
  // The last run is not freed before this transaction ends.
  const holder = await setup.database.pool.connect();
  await holder.query('begin');
  const held = await holder.query("select from bullmq.job where id like 'bot199-%' for update");
  expect(held.rowCount).toBe(1);
  let done = false;
  const freeing = living.free(runs.map((run) => ({ ...run, worker: 1 }))).then(() => {
    done = true;
  });
  let first = await living.claim(true);
  while (first === null) first = await living.claim(true);
  expect(done).toBe(false);
  await holder.query('rollback');
  holder.release();
  await freeing;
  let taken = 1;
  while ((await living.claim(false)) !== null) taken++;
  expect(taken).toBe(runs.length);
  await Promise.all([dead.close(), living.close()]);
});
