import { CallError } from '@heron/contract/http/errors.ts';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openPresence } from '../src/ownership/presence.ts';
import { unseenAlarms } from '../src/store/botNotifications.ts';
import { reportUnservedBots } from '../src/venues/unservedBots.ts';
import { control, makeKey, makeLive, saveLive, want } from './control.ts';
import { makeBot, stored } from './testFleet.ts';

const setup = databaseFixture();

async function workingLive(name: string): Promise<string> {
  const id = await makeLive(setup.database, name, 'BTC-USDT', await makeKey(setup.database, null));
  await want(setup.database, id, 'running');
  await saveLive(setup.database, id, 'BTC-USDT', 'working');
  return id;
}

const remove = (id: string) => setup.database.orm.delete(table.bot).where(eq(table.bot.id, id));
const none = () => false;

test('a bot on a venue that is not enabled is not shown as running, with the next step', async () => {
  const id = await workingLive('shut out');
  const unserved = control(setup.database, null, false);
  const shown = await unserved.get(id);
  expect(shown.status).toBe('venue_disabled');
  expect(shown.problem?.en).toContain('binanceusdm-demo is not enabled. Nothing watches its positions');
  expect(shown.problem?.en).toContain('--venues');
  expect(shown.problem?.zh).toContain('未启用');
  expect((await unserved.list()).bots).toContainEqual(expect.objectContaining({ id, status: 'venue_disabled' }));
  await expect(unserved.remove(id)).rejects.toMatchObject({ code: 'venue_disabled' });
  // Its last worker has ended.
  const gone = async () => {
    throw new CallError('unavailable');
  };
  await expect(control(setup.database, gone, false).candles(id)).rejects.toMatchObject({ code: 'venue_disabled' });
  await expect(control(setup.database, gone).candles(id)).rejects.toMatchObject({ code: 'unavailable' });
  // On a served venue the worker is only starting.
  expect((await control(setup.database, null).get(id)).status).toBe('working');
  await remove(id);
});

test('a stopped bot stays stopped there, and is not started', async () => {
  const id = await makeLive(setup.database, 'resting', 'BTC-USDT', await makeKey(setup.database, null));
  const unserved = control(setup.database, null, false);
  expect(await unserved.get(id)).toMatchObject({ status: 'created', problem: null });
  await expect(unserved.start(id, 'resting')).rejects.toMatchObject({ code: 'venue_disabled' });
  const { row } = await stored(setup.database, id);
  expect(row.wanted).toBe('stopped');
  await remove(id);
});

test('the owner of a live bot on such a venue gets one alarm, that of a paper bot none', async () => {
  const live = await workingLive('left alone');
  const paper = await makeBot(setup.database);
  await want(setup.database, paper, 'running');
  for (const at of [1_000, 2_000]) {
    const found = await reportUnservedBots(setup.database, none, at);
    expect(found.live.map(({ id }) => id)).toEqual([live]);
    expect(found.paper.map(({ id }) => id)).toEqual([paper]);
  }
  expect(await unseenAlarms(setup.database, '1')).toMatchObject([
    { bot: live, count: 1, newest: { kind: 'bot_error', at: 1_000, data: { what: 'venue_disabled' } } },
  ]);
  const { lines, snapshot } = await stored(setup.database, live);
  expect(lines.at(-1)?.seq).toBe(snapshot.seq);
  expect(await reportUnservedBots(setup.database, () => true, 3_000)).toEqual({ paper: [], live: [] });
  await Promise.all([remove(live), remove(paper)]);
});

test('a bot whose venue another host serves causes no alarm', async () => {
  const live = await workingLive('elsewhere');
  const kind = { host: 'another', venue: 'binanceusdm-demo', mode: 'live', url: 'http://127.0.0.1:1' } as const;
  const presence = await openPresence(setup.database, kind, new AbortController().signal);
  expect((await reportUnservedBots(setup.database, none, 1_000)).live).toEqual([]);
  presence.close();
  await remove(live);
});
