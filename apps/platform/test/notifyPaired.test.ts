import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHostConnections } from '../src/bots/paired/hostConnections.ts';
import { createPairedSource } from '../src/bots/paired/pairedSource.ts';
import { startPlatform } from '../src/platform.ts';
import { type FakePushService, startFakePushService } from '../src/testing/fakePushService.ts';
import { type FakeTelegram, startFakeTelegram, TELEGRAM_TOKEN } from '../src/testing/fakeTelegram.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../src/testing/webhookReceiver.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { type FakeMachine, startFakeMachine } from './fakeMachine.ts';
import { type FakeSmtpServer, startFakeSmtpServer } from './fakeSmtpServer.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD, requestAt, SECRET, until } from './testPlatform.ts';

/** These tests send notifications of paired bot hosts to the channels of their owner. */
let own: FakeBotHost;
/** A bot host is paired with one Heron only, so each test has its own. */
let theirs: FakeMachine;
const machines: FakeMachine[] = [];
const newMachine = async () => {
  const made = await startFakeMachine();
  machines.push(made);
  return made;
};
let mail: FakeSmtpServer;
let pushes: FakePushService;
let telegram: FakeTelegram;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [own, mail, pushes, telegram, receiver] = await Promise.all([
    ...([
      startFakeBotHost(),
      startFakeSmtpServer(),
      startFakePushService(),
      startFakeTelegram(),
      startWebhookReceiver(),
    ] as const),
  ]);
});
afterAll(async () => {
  for (const each of machines) each.close();
  await Promise.all([own, mail, pushes, telegram, receiver].map((each) => each.stop()));
});
const shared = () => ({
  ...{ bothostUrl: own.url, notifyPrivate: true, publicUrl: 'https://heron.example' },
  telegram: { token: TELEGRAM_TOKEN, url: telegram.url },
  mail: { url: `smtp://127.0.0.1:${mail.port}`, from: 'Heron <heron@mail.example>' },
});
const heron = platformFixture(shared);
beforeEach(async () => {
  theirs = await newMachine();
  for (const list of [mail.mails, pushes.received, telegram.sent, receiver.received]) list.length = 0;
});

/** Calls a method of the gateway at any platform. */
async function send(method: string, payload: object, token = '', url = heron.platform.url) {
  const { text } = await requestAt(url, '/api.php', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && bearer(token)) },
    body: JSON.stringify({ method, lang: 'en', ...payload }),
  });
  const { data, error } = JSON.parse(text) as { data: string; error?: { code: string } };
  expect(error, text).toBeUndefined();
  return JSON.parse(data);
}

let people = 0;
/** Registers a user and pairs a machine. */
async function join({ at = theirs, url = heron.platform.url } = {}) {
  const joined = await send(
    'System.Register.usernameRegister',
    { username: `keeper-${people++}`, password: PASSWORD },
    ...['', url],
  );
  const { token, user_info: user } = joined as { token: string; user_info: { id: number } };
  const endpoint = { name: 'Attic', address: '127.0.0.1', port: at.port, pairing_code: at.code };
  const { host } = await send('System.Host.pair', endpoint, token, url);
  return { token, id: user.id, host: String(host.id) };
}

async function addWebhook(token: string, at = receiver, url = heron.platform.url): Promise<string> {
  const { channel } = await send('System.Notify.add', { kind: 'webhook', webhook_url: at.url }, token, url);
  const { code } = JSON.parse(at.received.at(-1)?.body ?? '{}');
  await send('System.Notify.prove', { id: channel.id, notify_code: code }, token, url);
  at.received.length = 0;
  return channel.id;
}

let seq = 0;
const notice = (
  kind: HostNotification['kind'],
  data: HostNotification['data'] = {},
  bot = 'abc123',
): HostNotification => ({
  ...{ id: `${bot}.${++seq}`, owner: '1', bot, name: 'Grid', mode: 'live', venue: 'binance' },
  ...{ at: Date.now(), pair: 'BTC-USDT', kind, data },
});
const messages = (at = receiver): { text: string; notices: (HostNotification & { host?: string })[] }[] =>
  at.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'notices');
const idsAt = (at = receiver) => messages(at).flatMap(({ notices }) => notices.map(({ id }) => id));
/** Waits until all notifications are acknowledged and sent. */
const settled = async () => {
  await until(() => theirs.pending().length === 0);
  await until(async () => {
    const { rows } = await heron.database.pool.query(
      'select 1 from accounts.notify_deliveries where done_at is null limit 1',
    );
    return rows.length === 0;
  }, 30_000);
};

test('a notification of a paired host is sent once by every channel, with its name', async () => {
  const { token, id, host } = await join();
  await heron.database.pool.query('update accounts.users set email = $2, email_key = $2 where id = $1', [
    ...[id, 'attic@mail.example'],
  ]);
  await addWebhook(token);
  await send('System.Notify.add', { kind: 'email' }, token);
  await send('System.Notify.add', { kind: 'push', subscription: pushes.subscribe() }, token);
  const { telegram_start: start } = await send('System.Notify.add', { kind: 'telegram' }, token);
  telegram.write(7, start.notify_code);
  await until(() => telegram.sent.length === 1);
  for (const list of [pushes.received, telegram.sent]) list.length = 0;
  theirs.failingAcknowledgements = 2;
  const stop = notice('stop', { side: 'sell', quantity: '0.5', price: '88231.29' });
  theirs.push(stop);
  await until(() => theirs.acknowledged.includes(stop.id));
  const title = 'Heron, stop: Grid on Attic (live, real money)';
  await until(() => [messages(), mail.mails, pushes.received, telegram.sent].every(({ length }) => length > 0));
  await settled();
  expect(messages()).toMatchObject([
    { notices: [{ id: `${host}~${stop.id}`, bot: `${host}~abc123`, name: 'Grid', host: 'Attic', kind: 'stop' }] },
  ]);
  expect(messages()[0]?.text).toContain(`https://heron.example/bot/${host}~abc123/`);
  const subjects = mail.mails.map(({ subject }) => subject).filter((subject) => subject.startsWith('Heron, '));
  expect(subjects).toEqual([title]);
  expect(pushes.received.map(({ text }) => JSON.parse(text))).toMatchObject([{ title, path: `/bot/${host}~abc123/` }]);
  expect(telegram.sent).toMatchObject([{ chat_id: 7, text: expect.stringContaining(title) }]);
});

test('it is sent to the owner of the pairing, whatever owner the machine names', async () => {
  const stranger = await join({ at: await newMachine() });
  const other = await startWebhookReceiver();
  await addWebhook(stranger.token, other);
  const { token, host } = await join();
  const id = await addWebhook(token);
  await send('System.Notify.choose', { id, bot: null, kinds: ['fill', 'stop'] }, token);
  await send('System.Notify.choose', { id, bot: `${host}~quiet1`, kinds: [] }, token);
  const given = [notice('fill', { side: 'buy' }), notice('alarm'), notice('stop', {}, 'quiet1'), notice('stop')];
  theirs.push(...given.map((each) => ({ ...each, owner: String(stranger.id) })));
  await settled();
  expect(idsAt().toSorted()).toEqual([given[0], given[3]].map((each) => `${host}~${each?.id}`).toSorted());
  expect(messages(other)).toEqual([]);
  await other.stop();
});

test('events during a downtime are sent later, once, by two platforms too', async () => {
  const database = await temporaryDatabase();
  const start = () =>
    startPlatform({
      ...{ ...shared(), databaseUrl: database.url, host: '127.0.0.1', port: 0, secret: SECRET },
      ...{ clientDir: heron.clientDir, logLevel: 'silent' },
    });
  const first = await start();
  const { token, host } = await join({ url: first.url });
  await addWebhook(token, receiver, first.url);
  await first.close();
  const missed = notice('liquidation', { price: '1' });
  theirs.push(missed);
  const both = await Promise.all([start(), start()]);
  await until(() => theirs.pending().length === 0);
  await until(() => idsAt().length > 0);
  // The machine returns notifications to both platforms until one of them acknowledges them.
  const more = Array.from({ length: 12 }, (_, index) => notice('bot_error', { what: 'fault' }, `many${10 + index}`));
  for (let at = 0; at < more.length; at += 3) {
    theirs.push(...more.slice(at, at + 3));
    await until(() => theirs.pending().length === 0);
  }
  await until(() => idsAt().length > more.length, 30_000);
  await Promise.all(both.map((platform) => platform.close()));
  expect(idsAt().toSorted()).toEqual([missed, ...more].map(({ id }) => `${host}~${id}`).toSorted());
  await database.close();
});

test('a broken connection loses nothing, and events older than a day are dropped', async () => {
  const { token, host } = await join();
  await addWebhook(token);
  for (const line of theirs.connections) line.destroy();
  const fresh = notice('bot_error', { what: 'fault' });
  theirs.push({ ...notice('bot_error'), at: Date.now() - 25 * 3_600_000 }, fresh);
  await settled();
  expect(idsAt()).toEqual([`${host}~${fresh.id}`]);
});

test('a removed host sends nothing more', async () => {
  const near = await newMachine();
  const { token, host } = await join();
  await addWebhook(token);
  theirs.push(notice('stop'));
  await settled();
  expect(idsAt()).toHaveLength(1);
  await send('System.Host.remove', { id: host }, token);
  await until(() => [...theirs.connections].every(({ destroyed }) => destroyed));
  theirs.push(notice('stop'));
  // Another host of the same user still sends.
  const endpoint = { name: 'Cellar', address: '127.0.0.1', port: near.port, pairing_code: near.code };
  const { host: other } = await send('System.Host.pair', endpoint, token);
  const fromOther = notice('stop');
  near.push(fromOther);
  await until(() => idsAt().includes(`${other.id}~${fromOther.id}`));
  expect(idsAt()).toHaveLength(2);
  expect(theirs.pending()).toHaveLength(1);
});

test('an invalid or foreign notification does not block others', async () => {
  const { token, host } = await join();
  await addWebhook(token);
  const good = notice('stop');
  theirs.push(
    { ...notice('stop'), kind: 'of a later version' } as { id: string },
    { ...notice('stop'), name: 'x'.repeat(300) },
    { ...notice('stop'), data: { what: 'x'.repeat(9_000) } },
    { ...notice('stop'), bot: 'abcd~abc123' },
    good,
  );
  await settled();
  expect(idsAt()).toEqual([`${host}~${good.id}`]);
});

test('a flood of a machine uses up neither the mail server nor the database', async () => {
  const { token } = await join();
  const id = await addWebhook(token);
  const flood = (of: number) => {
    const made = Array.from({ length: of }, () => notice('bot_error', { what: 'fault' }, `z${10_000 + seq}`));
    theirs.push(...made);
    return made;
  };
  flood(70);
  await settled();
  expect(messages()).toHaveLength(70);
  flood(40);
  await settled();
  // Further events form one message, and then one message in ten minutes.
  expect(messages()).toHaveLength(71);
  expect(messages()[70]?.text).toContain('Heron, bot halted: 40 bots');
  const late = [...flood(1), notice('stop', { side: 'sell', quantity: '1', price: '2' })];
  theirs.push(late[1] as HostNotification);
  await until(() => theirs.pending().length === 0);
  const wait = await heron.database.pool.query(
    `select join_key, next_at > now() + interval '9 minutes' as late from accounts.notify_deliveries
     where channel_id = $1 and done_at is null`,
    [id],
  );
  expect(wait.rows).toEqual(late.map(() => ({ join_key: 'flood', late: true })));
  await heron.database.pool.query('update accounts.notify_deliveries set next_at = now() where channel_id = $1', [id]);
  // A notification for any user starts the sender.
  own.notifications = [{ ...notice('bot_error'), owner: '0' }];
  await until(() => messages().length === 72, 30_000);
  expect(messages()[71]?.text).toMatch(
    /^Heron, notifications: 2 bots\n.*Bot halted: .*\n.*Stop: Sold 1 BTC-USDT at 2\./s,
  );
});

test('notifications are limited to two a second after a burst of six hundred', async () => {
  let asked = 0;
  const lines = {
    ...createHostConnections({ allowPrivate: true }),
    async requestJson() {
      asked += 1;
      return { status: 200, body: { notices: Array.from({ length: 200 }, () => notice('fill')) } };
    },
  };
  const endpoint = { address: '127.0.0.1', port: 1_024, identity: '', secret: null };
  const paired = {
    id: 'abcd',
    name: 'Attic',
    version: '',
    pairedAt: new Date(),
    isDisabled: false,
    userId: 1,
    endpoint,
  };
  const source = createPairedSource(lines, paired);
  const ending = new AbortController();
  for (let times = 0; times < 4; times += 1) await source.list(ending.signal);
  const next = source.list(ending.signal);
  ending.abort();
  await expect(next).rejects.toThrow();
  expect(asked).toBe(4);
});
