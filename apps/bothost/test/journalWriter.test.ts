import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBotWriter, takeOver } from '../src/runner/botJournal.ts';
import { createJournalWriter } from '../src/runner/journalWriter.ts';
import { readSaved } from '../src/store/savedBot.ts';
import { makeBot, stored } from './testFleet.ts';

const setup = databaseFixture();
/** Longer than the time for which entries are collected. */
const COLLECTED_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Takes a new bot over, and opens its journal. Each write first waits for `beforeWrite`. */
async function openJournal({ beforeWrite = async () => {} }: { beforeWrite?: () => Promise<void> } = {}) {
  const { database } = setup;
  const id = await makeBot(database);
  const taken = await takeOver(database, id, null);
  if (taken === null) throw new Error('there is no bot');
  const onLost = vi.fn();
  const writeBot = createBotWriter(database);
  const journal = createJournalWriter(taken, {
    session: readSaved(taken.row, taken.session).session,
    async writeBot(given) {
      await beforeWrite();
      return writeBot(given);
    },
    ...{ log: { warn: vi.fn() }, now: Date.now, closing: new AbortController().signal, onLost },
    ...{ hasEnded: () => false, isLeaseValid: () => true, requestCommit: () => {}, onFlushed: () => {} },
    onFault(error) {
      throw error;
    },
  });
  return {
    ...{ journal, onLost },
    /** Locks the row of the bot, so that writes wait. @returns a function that ends it */
    async lock() {
      const client = await database.pool.connect();
      await client.query('begin');
      await client.query('select 1 from bots.snapshots where bot_id = $1 for update', [id]);
      return async () => {
        await client.query('commit');
        client.release();
      };
    },
    async written() {
      const { lines, snapshot } = await stored(database, id);
      return { prices: lines.map(({ data }) => data.close), seq: snapshot.seq };
    },
  };
}

const signal = (close: number): Note => ({ at: close, pair: 'BTC-USDT', kind: 'signal', data: { side: 'buy', close } });

test('entries that are collected while a slow write runs are written after it, each once', async () => {
  const { journal, onLost, lock, written } = await openJournal();
  const unlock = await lock();
  for (const close of [1, 2]) {
    journal.add([signal(close)]);
    journal.scheduleFlush();
    vi.advanceTimersByTime(COLLECTED_MS);
    // A round trip to the database, so that a write has begun.
    await setup.database.pool.query('select 1');
  }
  await unlock();
  await journal.flushed();
  vi.advanceTimersByTime(COLLECTED_MS);
  await journal.flushed();
  expect(await written()).toEqual({ prices: [1, 2], seq: 2 });
  journal.add([signal(3)]);
  await journal.commit();
  expect(await written()).toEqual({ prices: [1, 2, 3], seq: 3 });
  expect(onLost).not.toHaveBeenCalled();
});

test('a commit that waited for a flush is the only write until it ends', async () => {
  const writes: PromiseWithResolvers<void>[] = [];
  let onWrite = () => {};
  const { journal, onLost, written } = await openJournal({
    beforeWrite() {
      const write = Promise.withResolvers<void>();
      writes.push(write);
      onWrite();
      return write.promise;
    },
  });
  journal.add([signal(1)]);
  journal.scheduleFlush();
  vi.advanceTimersByTime(COLLECTED_MS);
  journal.add([signal(2)]);
  const committed = journal.commit();
  const begun = new Promise<void>((resolve) => {
    onWrite = resolve;
  });
  writes[0]?.resolve();
  await begun;
  journal.add([signal(3)]);
  journal.scheduleFlush();
  vi.advanceTimersByTime(COLLECTED_MS);
  expect(writes).toHaveLength(2);
  writes[1]?.resolve();
  expect(await committed).toMatchObject({ notes: [{ data: { close: 2 } }], from: 1 });
  vi.advanceTimersByTime(COLLECTED_MS);
  writes[2]?.resolve();
  await journal.flushed();
  expect(await written()).toEqual({ prices: [1, 2, 3], seq: 3 });
  expect(onLost).not.toHaveBeenCalled();
});
