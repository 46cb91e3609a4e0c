import { randomUUID } from 'node:crypto';
import {
  type BotNotification,
  HOST_NOTIFICATION_PATHS,
  botNotification as noticeSchema,
} from '@heron/contract/bots/notifications.ts';
import { PAIRING_PATHS } from '@heron/contract/bots/pairing.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createNotificationSignal, serveHostNotifications } from '../src/api/hostNotifications.ts';
import { PAPER } from '../src/fleet/fleetKind.ts';
import { notificationKindOf } from '../src/runner/notificationKind.ts';
import { createOutageMonitor } from '../src/runner/outageMonitor.ts';
import {
  deleteOldNotifications,
  markSeen,
  notificationPage,
  undeliveredNotifications,
  unseenAlarms,
  unseenCount,
} from '../src/store/botNotifications.ts';
import { makeBot, PAIR, quoting, stored, testFleet, until, working } from './testFleet.ts';

const setup = databaseFixture();

/** Stores notifications with these times, as a worker writes them. */
const keep = (botId: string, owner: string, moments: readonly number[], kinds: readonly string[] = []) =>
  setup.database.orm.insert(table.notification).values(
    moments.map((at, index) => ({
      ...{ botId, venue: 'binance-demo', seq: index + 1, owner, at, pair: PAIR, kind: kinds[index] ?? 'fill' },
      data: { side: 'buy', price: '1' },
    })),
  );

const all = (owner: string) => notificationPage(setup.database, owner, { limit: 100 });

test('buys, sells and profits notify with their journal entries, once committed', async () => {
  const owner = 'trader';
  const id = await makeBot(setup.database, owner);
  const on = testFleet(setup.database, { databaseUrl: setup.url });
  await on.fleet.start(id);
  await working(on, id);
  const by = { pair: PAIR, order: 'taker' } as const;
  await on.fleet.order(id, { type: 'buy', ...by, requestId: randomUUID(), value: toUnits(1_000) });
  await quoting(on, async () => (await all(owner)).unseen === 1, 'a notice of the purchase');
  await on.fleet.order(id, { type: 'sell', ...by, requestId: randomUUID(), percent: 100 });
  await quoting(on, async () => (await all(owner)).unseen === 3, 'notices of the sale');
  await on.fleet.stop(id);
  const { notices } = await all(owner);
  expect(notices.map(({ kind }) => kind)).toEqual(['position_closed', 'fill', 'fill']);
  const { lines } = await stored(setup.database, id);
  for (const { id: name, kind, at, data } of notices) {
    const connection = lines.find(({ seq }) => name === `${id}.${seq}`);
    expect(connection).toMatchObject({ kind, at, data });
  }
  const pushed = on.pushes.flatMap(({ message }) => (message.type === 'notice' ? [message.notice] : []));
  expect(pushed.reverse()).toEqual(notices);
  for (const each of pushed) expect(noticeSchema.parse(each)).toEqual(each);
  await on.close();
});

test('the owner of a bot with a fault is notified that it has halted', async () => {
  const id = await makeBot(setup.database, 'unlucky');
  let broken = false;
  const on = testFleet(setup.database, {
    databaseUrl: setup.url,
    kind: {
      ...PAPER,
      machine(row, session) {
        const machine = PAPER.machine(row, session);
        return {
          ...machine,
          feed(event) {
            if (broken) throw new Error('a fault of this test');
            return machine.feed(event);
          },
        };
      },
    },
  });
  await on.fleet.start(id);
  await working(on, id);
  broken = true;
  const received = await quoting(on, async () => (await all('unlucky')).notices[0] ?? null, 'a notice of the fault');
  expect(received).toMatchObject({ kind: 'bot_error', data: { what: 'fault' }, mode: 'paper', venue: 'binance-demo' });
  expect((await stored(setup.database, id)).lines.at(-1)).toMatchObject({ kind: 'alarm', data: { what: 'fault' } });
  await until(() => on.pushes.some(({ message }) => message.type === 'notice'), 'a push of it');
  broken = false;
  // The bot continues from its earlier state, with the next entry number.
  await on.fleet.start(id);
  await working(on, id);
  // A bot that is not stopped would be taken over by the next fleet.
  await on.fleet.stop(id);
  await on.close();
});

test('an order that is rejected repeatedly is one notification; the journal has all', async () => {
  const id = await makeBot(setup.database, 'delisted');
  let refusals = 0;
  const paper = (...[row, session]: Parameters<typeof PAPER.machine>): ReturnType<typeof PAPER.machine> => {
    const machine = PAPER.machine(row, session);
    return {
      ...machine,
      feed(event) {
        const output = machine.feed(event);
        if (event.type !== 'quote' || refusals === 18) return output;
        refusals += 1;
        const data = { what: 'order_refused', clientOrderId: `${row.id}-${refusals}-1`, why: 'Market is closed.' };
        return { ...output, notes: [{ at: event.at, pair: PAIR, kind: 'external', data }] };
      },
    };
  };
  const on = testFleet(setup.database, { databaseUrl: setup.url, kind: { ...PAPER, machine: paper } });
  await on.fleet.start(id);
  await working(on, id);
  const linesOf = async () => (await stored(setup.database, id)).lines.filter(({ kind }) => kind === 'external');
  await quoting(on, async () => (await linesOf()).length === 18, 'every line');
  await on.fleet.stop(id);
  expect((await all('delisted')).notices).toMatchObject([{ kind: 'outside', data: { what: 'order_refused' } }]);
  await on.close();
});

test('entries that are being written when a bot fails are written before its fault', async () => {
  const id = await makeBot(setup.database, 'halfway');
  let next: 'line' | 'fault' | null = null;
  const paper = (...[row, session]: Parameters<typeof PAPER.machine>): ReturnType<typeof PAPER.machine> => {
    const machine = PAPER.machine(row, session);
    return {
      ...machine,
      feed(event) {
        if (next === 'fault') throw new Error('a fault of this test');
        const output = machine.feed(event);
        if (next !== 'line') return output;
        next = null;
        return { ...output, notes: [{ at: event.at, pair: PAIR, kind: 'refusal', data: { gate: 'this test' } }] };
      },
    };
  };
  const { pool } = setup.database;
  /** Writes of bots wait for this gate. */
  let gate: PromiseWithResolvers<void> | null = null;
  let waiting = 0;
  const heldUp = new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return async (query: { name?: string }) => {
        if (gate !== null && query.name === 'write what bots did') {
          waiting += 1;
          await gate.promise;
        }
        return value.call(target, query);
      };
    },
  });
  const slow = { ...setup.database, pool: heldUp };
  const on = testFleet(slow, { databaseUrl: setup.url, kind: { ...PAPER, machine: paper } });
  await on.fleet.start(id);
  await working(on, id);
  gate = Promise.withResolvers();
  next = 'line';
  await quoting(on, async () => waiting > 0, 'the write of a line');
  next = 'fault';
  await quoting(on, async () => (await on.fleet.detail(id))?.status === 'error', 'the fault');
  // This is long enough to write the fault if it did not wait for the earlier write.
  for (let round = 0; round < 20; round += 1) {
    expect((await stored(setup.database, id)).lines.map(({ kind }) => kind)).not.toContain('alarm');
  }
  gate.resolve();
  const { lines } = await until(async () => {
    const now = await stored(setup.database, id);
    // Rows and snapshot are not read at the same time.
    return now.lines.at(-1)?.kind === 'alarm' && now.snapshot.seq === now.lines.length ? now : null;
  }, 'the line of the fault');
  expect(lines.slice(-2).map(({ kind }) => kind)).toEqual(['refusal', 'alarm']);
  await on.close();
});

test('owners read and mark only their own notifications, page by page', async () => {
  const [mine, second, theirs] = [
    await makeBot(setup.database, 'reader'),
    await makeBot(setup.database, 'reader'),
    await makeBot(setup.database, 'other'),
  ];
  await keep(mine, 'reader', [1, 5, 5, 9]);
  await keep(second, 'reader', [5, 7]);
  await keep(theirs, 'other', [6]);
  const seen: BotNotification[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < 10; pages += 1) {
    const page = await notificationPage(setup.database, 'reader', { before, limit: 2 });
    expect(page.unseen).toBe(6);
    seen.push(...page.notices);
    if (page.next === null) break;
    before = page.next;
  }
  expect(seen.map(({ at }) => at)).toEqual([9, 7, 5, 5, 5, 1]);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(6);
  const ofOne = await notificationPage(setup.database, 'reader', { bot: second, limit: 50 });
  expect(ofOne.notices.map(({ at }) => at)).toEqual([7, 5]);
  await markSeen(setup.database, 'reader', { ids: [`${mine}.1`, `${theirs}.1`, 'gone00.7'] }, 100);
  expect(await unseenCount(setup.database, 'reader')).toBe(5);
  expect(await unseenCount(setup.database, 'other')).toBe(1);
  expect((await all('reader')).notices.filter(({ seen: was }) => was).map(({ id }) => id)).toEqual([`${mine}.1`]);
  await markSeen(setup.database, 'reader', { all: true }, 101);
  expect(await unseenCount(setup.database, 'reader')).toBe(0);
  expect(await unseenCount(setup.database, 'other')).toBe(1);
  await expect(notificationPage(setup.database, 'reader', { before: "1.x'y", limit: 2 })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await deleteOldNotifications(setup.database, 90 * 86_400_000 + 6);
  expect((await all('reader')).notices.map(({ at }) => at)).toEqual([9, 7]);
});

test('unseen notifications that need the owner are counted, with the newest, per bot', async () => {
  const [busy, calm, theirs] = [
    await makeBot(setup.database, 'warned'),
    await makeBot(setup.database, 'warned'),
    await makeBot(setup.database, 'neighbour'),
  ];
  await keep(busy, 'warned', [1, 2, 3, 3, 4], ['alarm', 'fill', 'stop', 'bot_error', 'reconnected']);
  await keep(calm, 'warned', [5, 6], ['position_closed', 'bot_finished']);
  await keep(theirs, 'neighbour', [7], ['liquidation']);
  const alarms = async () =>
    (await unseenAlarms(setup.database, 'warned')).map(({ bot, count, newest }) => [bot, count, newest.id]);
  expect(await alarms()).toEqual([[busy, 3, `${busy}.4`]]);
  const page = (before?: string) =>
    notificationPage(setup.database, 'warned', { bot: busy, only: 'urgent', before, limit: 2 });
  const first = await page();
  expect(first.notices.map(({ kind }) => kind)).toEqual(['bot_error', 'stop']);
  expect((await page(first.next as string)).notices.map(({ kind }) => kind)).toEqual(['alarm']);
  await markSeen(setup.database, 'warned', { ids: [`${busy}.4`, `${theirs}.1`] }, 100);
  expect(await alarms()).toEqual([[busy, 2, `${busy}.3`]]);
  await markSeen(setup.database, 'warned', { all: true }, 101);
  expect(await alarms()).toEqual([]);
  const [other] = await unseenAlarms(setup.database, 'neighbour');
  expect(noticeSchema.parse(other?.newest)).toEqual(other?.newest);
});

test('a notification sender waits for the next and receives it until it is confirmed', async () => {
  const notificationSignal = createNotificationSignal();
  const server = fastify();
  serveHostNotifications(server, {
    ...{ database: setup.database, demo: true, notificationSignal, now: Date.now },
    guestShare() {
      throw new CallError('not_found');
    },
  });
  const fetchNotifications = async (wait: number) =>
    (await server.inject({ url: `${HOST_NOTIFICATION_PATHS.list}?wait=${wait}` })).json().notices;
  const taken = (ids: readonly string[]) =>
    server.inject({ method: 'POST', url: HOST_NOTIFICATION_PATHS.taken, payload: { ids } });
  await taken((await undeliveredNotifications(setup.database)).map(({ id }) => id));
  expect(await fetchNotifications(0)).toEqual([]);
  const id = await makeBot(setup.database, 'waiting');
  const waiting = fetchNotifications(30);
  await keep(id, 'waiting', [1, 2]);
  notificationSignal.notify();
  const received = await waiting;
  expect(received).toMatchObject([
    { id: `${id}.1`, owner: 'waiting', at: 1, kind: 'fill' },
    { id: `${id}.2`, owner: 'waiting', at: 2 },
  ]);
  expect(await fetchNotifications(30)).toEqual(received);
  await taken([`${id}.1`]);
  await taken([`${id}.1`]);
  expect((await fetchNotifications(30)).map((each: { id: string }) => each.id)).toEqual([`${id}.2`]);
  await taken([`${id}.2`]);
  const last = fetchNotifications(30);
  notificationSignal.close();
  expect(await last).toEqual([]);
  await server.close();
});

test('a paired Heron gets the notifications since its pairing and nothing else', async () => {
  const notificationSignal = createNotificationSignal();
  const server = fastify();
  const share = { owner: 'paired', since: 100 };
  serveHostNotifications(server, {
    ...{ database: setup.database, demo: true, notificationSignal, now: Date.now },
    guestShare: () => share,
  });
  const [id, theirs] = [await makeBot(setup.database, 'paired'), await makeBot(setup.database, 'neighbour')];
  await keep(id, 'paired', [99, 100, 101]);
  await keep(theirs, 'neighbour', [102]);
  const fetchIds = async () =>
    (await server.inject({ url: `${PAIRING_PATHS.notifications}?wait=0` }))
      .json()
      .notices.map((each: BotNotification) => each.id);
  const taken = (ids: readonly string[]) =>
    server.inject({ method: 'POST', url: PAIRING_PATHS.acknowledgeNotifications, payload: { ids } });
  expect(await fetchIds()).toEqual([`${id}.2`, `${id}.3`]);
  await taken([`${id}.1`, `${id}.2`, `${theirs}.1`]);
  expect(await fetchIds()).toEqual([`${id}.3`]);
  const open = (await undeliveredNotifications(setup.database)).map((each) => each.id);
  expect(open).toEqual(expect.arrayContaining([`${id}.1`, `${theirs}.1`]));
  // After a new pairing, earlier notifications are not sent on.
  share.since = 200;
  expect(await fetchIds()).toEqual([]);
  notificationSignal.close();
  await server.close();
});

test('a minute without the market or the account notifies once, and so does its end', () => {
  const watch = createOutageMonitor();
  expect(watch.check('feed', 1_000, 60_999)).toBeNull();
  expect(watch.check('feed', 1_000, 61_000)).toMatchObject({
    kind: 'alarm',
    data: { what: 'feed_away', since: 1_000 },
  });
  expect(watch.check('feed', 1_000, 99_000)).toBeNull();
  expect(watch.check('account', 40_000, 99_000)).toBeNull();
  expect(watch.check('account', 40_000, 100_000)).toMatchObject({ data: { what: 'account_away' } });
  expect(watch.check('feed', null, 101_000)).toMatchObject({ at: 101_000, data: { what: 'feed_back', since: 1_000 } });
  expect(watch.check('feed', null, 102_000)).toBeNull();
  // A venue that is polled every minute sends no events in between.
  expect(watch.check('feed', 200_000, 300_000, 180_000)).toBeNull();
  expect(watch.check('feed', 200_000, 380_000, 180_000)).not.toBeNull();
});

test('each journal entry notifies with its meaning to the owner, or not at all', () => {
  const kindOf = (kind: Parameters<typeof notificationKindOf>[0]['kind'], data: Record<string, string>, endsAt = 0) =>
    notificationKindOf({ at: 0, pair: null, kind, data }, endsAt);
  expect(kindOf('fill', { reason: 'signal' })).toBe('fill');
  for (const reason of ['stop_sell', 'exchange_stop', 'liquidation_guard'])
    expect(kindOf('fill', { reason })).toBe('stop');
  expect(kindOf('fill', { reason: 'liquidation' })).toBeNull();
  expect(kindOf('external', { what: 'liquidated' })).toBe('liquidation');
  expect(kindOf('external', { what: 'no_stop' })).toBe('outside');
  expect(kindOf('external', { what: 'capital' })).toBeNull();
  expect(kindOf('alarm', { what: 'exit_not_filled' })).toBe('alarm');
  expect(kindOf('alarm', { what: 'account_away' })).toBe('disconnect');
  expect(kindOf('alarm', { what: 'feed_back' })).toBe('reconnected');
  expect(kindOf('alarm', { what: 'state_unreadable' })).toBe('bot_error');
  expect(kindOf('status', { to: 'finished' }, 5)).toBe('bot_finished');
  expect(kindOf('status', { to: 'finished' })).toBeNull();
  expect(kindOf('signal', {})).toBeNull();
});
