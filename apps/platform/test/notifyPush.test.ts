import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type FakePushService, type FakeSubscription, startFakePushService } from '../src/testing/fakePushService.ts';
import { type FakeTelegram, startFakeTelegram, TELEGRAM_TOKEN } from '../src/testing/fakeTelegram.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD, type TestPlatform, until } from './testPlatform.ts';

let host: FakeBotHost;
let pushes: FakePushService;
let telegram: FakeTelegram;
beforeAll(async () => {
  [host, pushes, telegram] = await Promise.all([startFakeBotHost(), startFakePushService(), startFakeTelegram()]);
});
afterAll(() => Promise.all([host.stop(), pushes.stop(), telegram.stop()]));

const heron = platformFixture(() => ({
  bothostUrl: host.url,
  notifyPrivate: true,
  publicUrl: 'https://heron.example',
  telegram: { token: TELEGRAM_TOKEN, url: telegram.url },
}));
afterEach(() => {
  pushes.received.length = 0;
  telegram.sent.length = 0;
  pushes.respond = (response) => void response.writeHead(201).end();
  telegram.refuse = () => null;
});

type Person = Awaited<ReturnType<TestPlatform['signUp']>>;
let people = 0;
const join = () => heron.signUp(`device-${people++}`);
const CHROME = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const send = async (person: Pick<Person, 'token'>, method: string, payload: object = {}) =>
  heron.send(`System.Notify.${method}`, { lang: 'en', ...payload }, { ...bearer(person.token), 'user-agent': CHROME });
interface Channel {
  id: string;
  kind: string;
  target: string;
  proven: boolean;
  this_device: boolean;
  amounts: boolean;
  failing_since: number | null;
  failing_why: string | null;
}
const channelsOf = async (person: Pick<Person, 'token'>) =>
  (await send(person, 'channels')).data.channels as unknown as Channel[];
/** Signs the same user in with another session. */
const another = async ({ user }: Person) => {
  const { data } = await heron.send('System.Login.login', { username: user.nick_name, password: PASSWORD });
  return { token: String(data.token) };
};

async function addDevice(person: Pick<Person, 'token'>, subscription: FakeSubscription): Promise<Channel> {
  const { data, error } = await send(person, 'add', { kind: 'push', subscription });
  expect(error).toBeNull();
  return data.channel as unknown as Channel;
}

const readAt = (subscription: FakeSubscription) =>
  pushes.received.filter(({ endpoint }) => endpoint === subscription.endpoint);
const shownAt = (subscription: FakeSubscription) => readAt(subscription).map(({ text }) => JSON.parse(text));

let seq = 0;
const notice = (
  person: Person,
  kind: HostNotification['kind'],
  data: HostNotification['data'],
  bot = 'abc123',
): HostNotification => ({
  ...{ id: `${bot}.${++seq}`, owner: String(person.user.id), bot, name: 'Grid', mode: 'live', venue: 'binance' },
  ...{ at: Date.now(), pair: 'BTC-USDT', kind, data },
});
const addNotifications = (...notices: HostNotification[]) => {
  host.notifications = [...host.notifications, ...notices];
};

test('a browser gets an encrypted, signed message without amounts', async () => {
  const person = await join();
  const subscription = pushes.subscribe();
  const { push_key: key } = (await send(person, 'channels')).data as { push_key: string };
  const channel = await addDevice(person, subscription);
  expect(channel).toMatchObject({
    kind: 'push',
    target: 'Chrome · Android',
    proven: true,
    this_device: true,
    amounts: false,
  });
  expect(shownAt(subscription)).toMatchObject([{ title: 'Heron, notifications are on', path: '/notify-settings/' }]);
  addNotifications(notice(person, 'stop', { side: 'sell', quantity: '0.512', price: '88231.29' }));
  await until(() => readAt(subscription).length === 2);
  const [, message] = readAt(subscription);
  if (message === undefined) throw new Error('nothing was read');
  const { headers, claims, key: signed, text } = message;
  expect(JSON.parse(text)).toMatchObject({
    title: 'Heron, stop: Grid (live, real money)',
    body: 'Sold BTC-USDT.',
    path: '/bot/abc123/',
  });
  expect(signed).toBe(key);
  expect(claims.sub).toBe('https://heron.example');
  expect((claims.exp ?? 0) - Date.now() / 1_000).toBeLessThan(86_400);
  expect(headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' });
  expect(headers.topic).toBe(JSON.parse(text).tag);
  // Others may see a lock screen, so only the user can enable amounts.
  expect((await send(person, 'amounts', { id: channel.id, amounts: true })).data.channel).toMatchObject({
    amounts: true,
  });
  addNotifications(notice(person, 'liquidation', { price: '71000.5' }));
  await until(() => readAt(subscription).length === 3);
  expect(shownAt(subscription)[2].body).toBe('The position in BTC-USDT was liquidated at 71000.5.');
  expect(heron.log()).not.toContain(subscription.endpoint);
  expect(heron.log()).not.toContain(subscription.auth);
});

test('a device is one channel with its rules, whatever its subscription', async () => {
  const person = await join();
  const [first, second] = [pushes.subscribe(), pushes.subscribe()];
  const { id } = await addDevice(person, first);
  await send(person, 'choose', { id, bot: null, kinds: ['fill'] });
  expect((await addDevice(person, second)).id).toBe(id);
  expect((await send(person, 'renewPush', { subscription: first })).data.channel).toMatchObject({
    id,
    kinds: ['fill'],
  });
  addNotifications(notice(person, 'fill', { side: 'buy', quantity: '1', price: '2' }));
  await until(() => readAt(first).length === 2);
  expect(readAt(second)).toHaveLength(1);
  // Another device of the user is another channel, and the list marks the device that requests it.
  const other = await another(person);
  await addDevice(other, pushes.subscribe());
  expect((await channelsOf(other)).map(({ this_device }) => this_device)).toEqual([false, true]);
});

test('a removed or unknown device is not added by a renewal', async () => {
  const person = await join();
  const subscription = pushes.subscribe();
  expect((await send(person, 'renewPush', { subscription })).data).toEqual({ channel: null });
  const { id } = await addDevice(person, subscription);
  await send(await another(person), 'remove', { id });
  expect((await send(person, 'renewPush', { subscription })).data).toEqual({ channel: null });
  expect(await channelsOf(person)).toEqual([]);
});

const openDeliveries = async (id: string) => {
  const { rows } = await heron.database.pool.query(
    'select id from accounts.notify_deliveries where channel_id = $1 and done_at is null',
    [id],
  );
  return rows.length;
};

test('an expired subscription keeps its rules until the browser subscribes again', async () => {
  const person = await join();
  const [first, second] = [pushes.subscribe(), pushes.subscribe()];
  const { id } = await addDevice(person, first);
  await send(person, 'choose', { id, bot: null, kinds: ['bot_error'] });
  pushes.respond = (response) => void response.writeHead(410).end();
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await until(async () => (await channelsOf(person))[0]?.failing_why === 'gone');
  await until(async () => (await openDeliveries(id)) === 0);
  const tried = readAt(first).length;
  // The platform sends nothing more to a subscription that has expired.
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await until(() => host.notifications.length === 0);
  expect(await openDeliveries(id)).toBe(0);
  expect((await send(person, 'test', { id })).error).toBe('push_gone');
  pushes.respond = (response) => void response.writeHead(201).end();
  const { channel } = (await send(person, 'renewPush', { subscription: second })).data;
  expect(channel).toMatchObject({ id, failing_since: null, failing_why: null, kinds: ['bot_error'] });
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await until(() => readAt(second).length === 1);
  expect(readAt(first)).toHaveLength(tried + 1);
  // A subscription that rejects its first message is not added.
  pushes.respond = (response) => void response.writeHead(404).end();
  const other = await join();
  expect((await send(other, 'add', { kind: 'push', subscription: pushes.subscribe() })).error).toBe('push_gone');
  expect(await channelsOf(other)).toEqual([]);
});

test('an expired old subscription does not affect the new one', async () => {
  const person = await join();
  const [first, second] = [pushes.subscribe(), pushes.subscribe()];
  const { id } = await addDevice(person, first);
  const answered = Promise.withResolvers<void>();
  pushes.respond = async (response) => {
    pushes.respond = (next) => void next.writeHead(201).end();
    await send(person, 'renewPush', { subscription: second });
    response.writeHead(410).end(() => answered.resolve());
  };
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await answered.promise;
  // Makes the same message due again before the claim of its sender expires.
  await heron.database.pool.query('update accounts.notify_deliveries set next_at = now() where channel_id = $1', [id]);
  addNotifications(notice(person, 'liquidation', { price: '1' }));
  await until(() => readAt(second).length === 2);
  expect(await channelsOf(person)).toMatchObject([{ id, failing_since: null, failing_why: null }]);
});

test('a device gets messages in its current language', async () => {
  const person = await join();
  const subscription = pushes.subscribe();
  await addDevice(person, subscription);
  await send(person, 'renewPush', { subscription, lang: 'zh-CN' });
  addNotifications(notice(person, 'stop', {}));
  await until(() => readAt(subscription).length === 2);
  expect(shownAt(subscription)[1].title).toMatch(/^苍鹭/);
});

test('an endpoint that is no push service is not added and gets no messages', async () => {
  const person = await join();
  pushes.respond = (response) => void response.writeHead(200).end();
  expect((await send(person, 'add', { kind: 'push', subscription: pushes.subscribe() })).error).toBe('push_silent');
  expect(await channelsOf(person)).toEqual([]);
});

test('a push service can request a delay, and is retried after failures', async () => {
  const person = await join();
  const subscription = pushes.subscribe();
  const { id } = await addDevice(person, subscription);
  const waits = async () => {
    const { rows } = await heron.database.pool.query(
      `select extract(epoch from next_at - now())::int as s from accounts.notify_deliveries
       where channel_id = $1 and done_at is null and tries > 0`,
      [id],
    );
    return rows.map(({ s }) => Math.round(s / 10) * 10);
  };
  pushes.respond = (response) => void response.writeHead(429, { 'retry-after': '1800' }).end();
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await until(async () => (await channelsOf(person))[0]?.failing_since !== null);
  expect(await waits()).toEqual([1_800]);
  pushes.respond = (response) => void response.writeHead(503).end();
  await heron.database.pool.query('update accounts.notify_deliveries set next_at = now() where channel_id = $1', [id]);
  addNotifications(notice(await join(), 'stop', {}), notice(person, 'liquidation', { price: '1' }));
  await until(async () => (await waits()).length === 2);
  expect((await waits()).toSorted((a, b) => a - b)[0]).toBeLessThanOrEqual(300);
  pushes.respond = (response) => void response.writeHead(201).end();
  expect((await send(person, 'test', { id })).error).toBeNull();
  expect((await channelsOf(person))[0]?.failing_since).toBeNull();
});

test('a device loses messages when its session is ended, not when it expires', async () => {
  const person = await join();
  const devices = [await another(person), await another(person), await another(person)] as const;
  for (const device of devices) await addDevice(device, pushes.subscribe());
  await heron.send('System.Login.logout', {}, bearer(devices[0].token));
  expect(await channelsOf(person)).toHaveLength(2);
  await heron.database.pool.query(
    `update accounts.sessions set used_at = used_at - interval '20 days' where token_hash =
     (select session_id from accounts.notify_channels order by made_at desc limit 1)`,
  );
  await another(person);
  expect(await channelsOf(person)).toHaveLength(2);
  // This ends all other sessions, including expired ones.
  await heron.send('System.Session.endOthers', {}, bearer(person.token));
  expect(await channelsOf(person)).toEqual([]);
});

test('a browser belongs to the user who signs in with it', async () => {
  const [before, after] = [await join(), await join()];
  const subscription = pushes.subscribe();
  await addDevice(before, subscription);
  expect((await send(after, 'renewPush', { subscription })).data).toEqual({ channel: null });
  expect(await channelsOf(before)).toEqual([]);
});

test('an invalid or internal subscription is rejected', async () => {
  const person = await join();
  const whole = pushes.subscribe();
  for (const subscription of [undefined, { ...whole, p256dh: 'AAAA' }, { ...whole, auth: '' }])
    expect((await send(person, 'add', { kind: 'push', subscription })).error).toBe('invalid_request');
  expect((await send(person, 'add', { kind: 'push', subscription: { ...whole, endpoint: 'ftp://a/' } })).error).toBe(
    'address_refused',
  );
  pushes.respond = (response) => void response.writeHead(500).end();
  expect((await send(person, 'add', { kind: 'push', subscription: whole })).error).toBe('push_silent');
  expect(await channelsOf(person)).toEqual([]);
});

interface Start {
  notify_code: string;
  link: string | null;
}
async function beginChat(person: Person, lang = 'en'): Promise<Start> {
  const { data, error } = await send(person, 'add', { kind: 'telegram', lang });
  expect(error).toBeNull();
  expect(data.channel).toMatchObject({ kind: 'telegram', proven: false });
  return data.telegram_start as Start;
}
const textsIn = (chat: number) => telegram.sent.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text);

test('a Telegram chat is linked by a code, gets plain text, and can be stopped', async () => {
  const person = await join();
  expect((await send(person, 'channels')).data).toMatchObject({ has_telegram: true });
  const start = await beginChat(person);
  expect(start.link).toBe(`https://t.me/heron_test_bot?start=${start.notify_code.replace('/start ', '')}`);
  telegram.writeNonsense();
  // Others would read the code in a group, so it has no effect there. An invented code is invalid.
  telegram.write(7, start.notify_code, { type: 'group' });
  telegram.write(8, '/start AAAAAAAAAAAAAAAAAAAAAA');
  await until(() => textsIn(8).length === 1);
  expect(textsIn(8)[0]).toMatch(/not valid/);
  expect((await channelsOf(person))[0]?.proven).toBe(false);
  telegram.write(9, start.notify_code);
  await until(() => textsIn(9).length === 1);
  expect(await channelsOf(person)).toMatchObject([{ proven: true, target: '@reader_one' }]);
  // The code is used up.
  telegram.write(8, start.notify_code);
  await until(() => textsIn(8).length === 2);
  expect(textsIn(8)[1]).toMatch(/not valid/);
  addNotifications(notice(person, 'stop', { side: 'sell', quantity: '0.5', price: '100.25' }));
  await until(() => textsIn(9).length === 2);
  expect(textsIn(9)[1]).toContain('Heron, stop: Grid (live, real money)\n');
  expect(textsIn(9)[1]).toContain('Sold 0.5 BTC-USDT at 100.25.\n\nhttps://heron.example/bot/abc123/');
  expect(telegram.sent.at(-1)).not.toHaveProperty('parse_mode');
  telegram.write(9, '/stop', { language: 'zh-hans' });
  await until(async () => (await channelsOf(person)).length === 0);
  await until(() => textsIn(9).length === 3);
  expect(textsIn(9)[2]).toBe('已停止，不会再向这里发送通知。');
  expect(textsIn(7)).toEqual([]);
  expect(heron.log()).not.toContain(TELEGRAM_TOKEN);
});

test('a code is replaced by a new one and expires after half an hour', async () => {
  const person = await join();
  const first = await beginChat(person);
  const second = await beginChat(person, 'zh-CN');
  telegram.write(20, first.notify_code);
  await until(() => textsIn(20).length === 1);
  expect(await channelsOf(person)).toMatchObject([{ proven: false }]);
  await heron.database.pool.query(`update accounts.notify_channels set code_expires_at = now() where user_id = $1`, [
    person.user.id,
  ]);
  telegram.write(20, second.notify_code);
  await until(() => textsIn(20).length === 2);
  telegram.write(20, (await beginChat(person, 'zh-CN')).notify_code);
  await until(() => textsIn(20).length === 3);
  expect(textsIn(20)[2]).toMatch(/^已连接/);
});

test('a blocked bot is reported, and Telegram can request a delay', async () => {
  const person = await join();
  telegram.write(30, (await beginChat(person)).notify_code);
  await until(() => textsIn(30).length === 1);
  telegram.refuse = (chat) => (chat === 30 ? { code: 403 } : null);
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await until(async () => (await channelsOf(person))[0]?.failing_why === 'blocked');
  const [{ id } = { id: '' }] = await channelsOf(person);
  expect((await send(person, 'test', { id })).error).toBe('telegram_blocked');
  telegram.refuse = () => ({ code: 429, retryAfter: 1_200 });
  await heron.database.pool.query('update accounts.notify_deliveries set next_at = now() where channel_id = $1', [id]);
  addNotifications(notice(await join(), 'stop', {}), notice(person, 'liquidation', { price: '1' }));
  await until(async () => (await channelsOf(person))[0]?.failing_why === null);
  const { rows } = await heron.database.pool.query(
    `select bool_and(next_at > now() + interval '19 minutes') as long from accounts.notify_deliveries
     where channel_id = $1 and done_at is null and tries > 0`,
    [id],
  );
  expect(rows).toEqual([{ long: true }]);
  telegram.refuse = () => null;
  expect((await send(person, 'test', { id })).error).toBeNull();
  expect((await channelsOf(person))[0]?.failing_since).toBeNull();
});

test('a long Telegram message is truncated between characters', async () => {
  const person = await join();
  telegram.write(40, (await beginChat(person)).notify_code);
  await until(() => textsIn(40).length === 1);
  const [{ id } = { id: '' }] = await channelsOf(person);
  const away = (bot: string) => ({
    ...notice(person, 'disconnect', { what: 'feed_away' }, bot),
    name: '🦅'.repeat(20),
  });
  addNotifications(away('abc000'));
  await until(() => textsIn(40).length === 2);
  addNotifications(...Array.from({ length: 90 }, (_, index) => away(`abc0${index + 10}`)));
  await until(() => host.notifications.length === 0);
  await heron.database.pool.query('update accounts.notify_deliveries set next_at = now() where channel_id = $1', [id]);
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await until(() => textsIn(40).some((text) => text.endsWith('…')));
  const long = textsIn(40).find((text) => text.endsWith('…')) ?? '';
  expect(long.length).toBeLessThanOrEqual(4_096);
  expect(long.length).toBeGreaterThan(4_090);
  expect(long.isWellFormed()).toBe(true);
});
