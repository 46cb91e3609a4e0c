import type { ServerResponse } from 'node:http';
import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isSigned, startWebhookReceiver, type WebhookReceiver } from '../src/testing/webhookReceiver.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { type FakeSmtpServer, startFakeSmtpServer } from './fakeSmtpServer.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, type TestPlatform, until } from './testPlatform.ts';

let host: FakeBotHost;
let mail: FakeSmtpServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [host, mail, receiver] = await Promise.all([startFakeBotHost(), startFakeSmtpServer(), startWebhookReceiver()]);
});
afterAll(() => Promise.all([host.stop(), mail.stop(), receiver.stop()]));

const heron = platformFixture(() => ({
  bothostUrl: host.url,
  notifyPrivate: true,
  publicUrl: 'https://heron.example',
  mail: { url: `smtp://127.0.0.1:${mail.port}`, from: 'Heron <heron@mail.example>' },
}));
afterEach(() => {
  receiver.received.length = 0;
  receiver.respond = (response) => void response.writeHead(204).end();
});

type Person = Awaited<ReturnType<TestPlatform['signUp']>>;
let people = 0;
const join = () => heron.signUp(`notified-${people++}`);
const send = async (person: Person, method: string, payload: object = {}) =>
  heron.send(`System.Notify.${method}`, { ...payload, lang: 'en' }, bearer(person.token));
const channelsOf = async (person: Person) => (await send(person, 'channels')).data.channels as Channel[];
interface Channel {
  id: string;
  kind: string;
  target: string;
  proven: boolean;
  failing_since: number | null;
  kinds: string[];
  bots: { bot: string; kinds: string[] }[];
}

const bodies = (type: string, at = receiver) =>
  at.received.map(({ body }) => JSON.parse(body)).filter((body) => body.type === type);

let seq = 0;
const notice = (
  person: Person,
  kind: HostNotification['kind'],
  data: HostNotification['data'] = {},
  bot = 'abc123',
): HostNotification => ({
  ...{ id: `${bot}.${++seq}`, owner: String(person.user.id), bot, name: 'Grid <one>', mode: 'live', venue: 'binance' },
  ...{ at: Date.now(), pair: 'BTC-USDT', kind, data },
});
const addNotifications = (...notices: HostNotification[]) => {
  host.notifications = [...host.notifications, ...notices];
};

/** Adds a webhook and proves it with its code. */
async function addWebhook(person: Person, at = receiver): Promise<{ id: string; secret: string }> {
  const { data, error } = await send(person, 'add', { kind: 'webhook', webhook_url: at.url });
  expect(error).toBeNull();
  const { channel, secret } = data as unknown as { channel: Channel; secret: string };
  const [{ code }] = bodies('code', at).slice(-1);
  expect((await send(person, 'prove', { id: channel.id, notify_code: code })).error).toBeNull();
  return { id: channel.id, secret };
}

test('a webhook gets a code first, and signed notifications once it is proven', async () => {
  const person = await join();
  const { data } = await send(person, 'add', { kind: 'webhook', webhook_url: receiver.url });
  const { channel, secret } = data as unknown as { channel: Channel; secret: string };
  // The path may contain a secret of the receiver, so it is not shown.
  expect(channel).toMatchObject({ kind: 'webhook', target: `127.0.0.1:${receiver.port}`, proven: false });
  const [{ code }] = bodies('code');
  addNotifications(notice(person, 'stop', { side: 'sell', quantity: '0.5', price: '100' }));
  await until(() => host.notifications.length === 0);
  expect(bodies('notices')).toEqual([]);
  expect((await send(person, 'prove', { id: channel.id, notify_code: '000000' === code ? '1' : '000000' })).error).toBe(
    'code_wrong',
  );
  expect((await send(person, 'prove', { id: channel.id, notify_code: ` ${code} ` })).data).toMatchObject({
    channel: { proven: true },
  });
  const stop = notice(person, 'stop', { side: 'sell', quantity: '0.5', price: '100.25' });
  // Channels receive no trades by default.
  addNotifications(notice(person, 'fill', { side: 'buy', quantity: '1', price: '1' }), stop);
  await until(() => bodies('notices').length === 1);
  const [posted] = bodies('notices');
  const { owner: _, ...expected } = stop;
  expect(posted.notices).toEqual([expected]);
  expect(posted.text).toContain('Heron, stop: Grid <one> (live, real money)');
  expect(posted.text).toContain('Sold 0.5 BTC-USDT at 100.25.');
  expect(posted.text).toContain('https://heron.example/bot/abc123/');
  const [raw] = receiver.received.slice(-1);
  expect(raw !== undefined && isSigned(raw, secret, Date.now())).toBe(true);
  expect(raw !== undefined && isSigned(raw, `${secret}x`, Date.now())).toBe(false);
  expect(heron.log()).not.toContain('quiet-secret');
  expect(heron.log()).not.toContain(secret);
});

test('a code allows five guesses, and a new one is sent on request', async () => {
  const person = await join();
  const { data } = await send(person, 'add', { kind: 'webhook', webhook_url: receiver.url });
  const { id } = (data as unknown as { channel: Channel }).channel;
  const [{ code }] = bodies('code');
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  for (let tries = 0; tries < 5; tries += 1)
    expect((await send(person, 'prove', { id, notify_code: wrong })).error).toBe('code_wrong');
  expect((await send(person, 'prove', { id, notify_code: code })).error).toBe('code_wrong');
  await send(person, 'test', { id });
  const fresh = bodies('code').at(-1).code;
  expect((await send(person, 'prove', { id, notify_code: fresh })).error).toBeNull();
});

test('kinds are chosen for all bots and for one, and can be reset', async () => {
  const person = await join();
  const { id } = await addWebhook(person);
  const choose = async (bot: string | null, kinds: string[] | null) =>
    (await send(person, 'choose', { id, bot, kinds })).data.channel as unknown as Channel;
  expect((await choose(null, ['fill', 'fill'])).kinds).toEqual(['fill']);
  expect((await choose('def456', [])).bots).toEqual([{ bot: 'def456', kinds: [] }]);
  const bought = { side: 'buy', quantity: '1', price: '2' };
  addNotifications(
    notice(person, 'fill', bought, 'def456'),
    notice(person, 'stop', bought, 'abc123'),
    notice(person, 'fill', bought, 'abc123'),
  );
  await until(() => bodies('notices').length === 1);
  await until(() => host.notifications.length === 0);
  expect(bodies('notices')[0].notices).toMatchObject([{ kind: 'fill', bot: 'abc123' }]);
  expect((await choose('def456', null)).bots).toEqual([]);
  expect((await choose(null, null)).kinds).toContain('stop');
  expect((await send(person, 'choose', { id, bot: null, kinds: ['nonsense'] })).error).toBe('invalid_request');
});

test('trades are joined, and a lasting problem is not sent every minute', async () => {
  const person = await join();
  const { id } = await addWebhook(person);
  await send(person, 'choose', { id, bot: null, kinds: ['fill', 'alarm', 'disconnect'] });
  const bought = { side: 'buy', quantity: '1', price: '2' };
  addNotifications(...[1, 2, 3].map(() => notice(person, 'fill', bought)));
  await until(() => bodies('notices').length === 1);
  expect(bodies('notices')[0].notices).toHaveLength(3);
  expect(bodies('notices')[0].text).toContain('Heron, trade (3): Grid <one>');
  addNotifications(notice(person, 'alarm', { what: 'exit_not_filled' }));
  await until(() => bodies('notices').length === 2);
  addNotifications(notice(person, 'alarm', { what: 'exit_not_filled' }), notice(person, 'fill', bought));
  await until(() => host.notifications.length === 0);
  // Events of another kind are sent at once.
  addNotifications(
    notice(person, 'disconnect', { what: 'feed_away' }),
    notice(person, 'disconnect', { what: 'feed_away' }, 'def456'),
  );
  await until(() => bodies('notices').length === 3);
  expect(bodies('notices')[2].text).toContain('disconnected: 2 bots');
  await heron.database.pool.query(`update accounts.notify_deliveries set next_at = now() where done_at is null`);
  addNotifications(notice(person, 'alarm', { what: 'order_rejected' }));
  await until(() => bodies('notices').length === 6);
});

test('a failing receiver is retried with the same key, and gets nothing twice', async () => {
  const person = await join();
  const { id, secret } = await addWebhook(person);
  receiver.respond = (response) => void response.writeHead(500).end();
  const fault = notice(person, 'bot_error', { what: 'fault' });
  addNotifications(fault);
  await until(async () => (await channelsOf(person))[0]?.failing_since !== null);
  // The bot host sends it again, as after a lost acknowledgement.
  addNotifications(fault);
  await until(() => host.notifications.length === 0);
  expect(bodies('notices')).toHaveLength(1);
  receiver.respond = (response) => void response.writeHead(204).end();
  await heron.database.pool.query(`update accounts.notify_deliveries set next_at = now() where done_at is null`);
  // The next notification starts the sender.
  addNotifications(notice(person, 'liquidation', { price: '1' }));
  await until(() => bodies('notices').length === 3);
  const sent = receiver.received.filter(({ body }) => body.includes(fault.id));
  expect(sent.map(({ headers }) => headers['idempotency-key']).every((key, _, [first]) => key === first)).toBe(true);
  expect(sent).toHaveLength(2);
  for (const each of sent) expect(isSigned(each, secret, Date.now())).toBe(true);
  await until(async () => (await channelsOf(person))[0]?.failing_since === null);
  expect((await channelsOf(person))[0]?.id).toBe(id);
});

test('a receiver that hangs delays no other, and gets one message at a time', async () => {
  const [slow, quick] = [await join(), await join()];
  const other = await startWebhookReceiver();
  const { id } = await addWebhook(slow, other);
  await addWebhook(quick);
  const held: ServerResponse[] = [];
  other.respond = (response) => void held.push(response);
  addNotifications(notice(slow, 'stop', { side: 'sell' }), notice(slow, 'liquidation', { price: '1' }));
  await until(() => held.length === 1);
  const begun = await heron.database.pool.query(
    'select 1 from accounts.notify_deliveries where channel_id = $1 and tries > 0',
    [id],
  );
  expect(begun.rowCount).toBe(1);
  addNotifications(notice(quick, 'liquidation', { price: '1' }));
  await until(() => bodies('notices').length === 1);
  expect(held).toHaveLength(1);
  // A receiver gets waiting messages as soon as it responds.
  other.respond = (response) => void response.writeHead(204).end();
  held[0]?.writeHead(204).end();
  await until(() => other.received.length === 3);
  await other.stop();
});

test('a retried message stays the same, and later events form another one', async () => {
  const person = await join();
  const { id } = await addWebhook(person);
  await send(person, 'choose', { id, bot: null, kinds: ['fill'] });
  receiver.respond = (response) => void response.writeHead(500).end();
  const bought = { side: 'buy', quantity: '1', price: '2' };
  const [first, second] = [notice(person, 'fill', bought), notice(person, 'fill', bought)];
  addNotifications(first);
  await until(async () => (await channelsOf(person))[0]?.failing_since !== null);
  addNotifications(second);
  await until(() => host.notifications.length === 0);
  receiver.respond = (response) => void response.writeHead(204).end();
  await heron.database.pool.query(`update accounts.notify_deliveries set next_at = now() where done_at is null`);
  // The next notification starts the sender.
  addNotifications(notice(await join(), 'stop'));
  await until(() => bodies('notices').length === 3);
  const posted = receiver.received
    .filter(({ body }) => JSON.parse(body).type === 'notices')
    .map(({ headers, body }) => ({ key: headers['idempotency-key'], notices: JSON.parse(body).notices }));
  const [tried, ...others] = posted.filter(({ notices }) => notices[0].id === first.id);
  expect(others).toEqual([tried]);
  expect(posted.filter(({ notices }) => notices[0].id === second.id)).toHaveLength(1);
});

test('an e-mail needs no proof, and contains escaped names', async () => {
  const person = await join();
  expect((await send(person, 'add', { kind: 'email' })).error).toBe('email_empty');
  await heron.database.pool.query('update accounts.users set email = $2, email_key = $2 where id = $1', [
    person.user.id,
    'reader@mail.example',
  ]);
  expect((await send(person, 'add', { kind: 'email' })).data).toMatchObject({
    channel: { kind: 'email', proven: true, target: 'rea****' },
    secret: null,
  });
  // The account has one e-mail address, so adding it again returns the same channel with its rules.
  const [added] = await channelsOf(person);
  await send(person, 'choose', { id: added?.id, bot: 'def456', kinds: [] });
  const again = (await send(person, 'add', { kind: 'email' })).data.channel;
  expect(again).toMatchObject({ id: added?.id, bots: [{ bot: 'def456', kinds: [] }] });
  expect(await channelsOf(person)).toEqual([again]);
  addNotifications(notice(person, 'disconnect', { what: 'account_away' }));
  await until(() => mail.mails.length === 1);
  const [{ recipients, subject, text, html } = { recipients: [], subject: '', text: '', html: '' }] = mail.mails;
  expect(recipients).toEqual(['reader@mail.example']);
  expect(subject).toBe('Heron, disconnected: Grid <one> (live, real money)');
  expect(text).toContain('The account at the exchange has been unreachable for a minute.');
  expect(html).not.toContain('<one>');
});

test('e-mails about trades are joined for minutes, for all bots together', async () => {
  const person = await join();
  await heron.database.pool.query('update accounts.users set email = $2, email_key = $2 where id = $1', [
    person.user.id,
    'trades@mail.example',
  ]);
  const { id } = (await send(person, 'add', { kind: 'email' })).data.channel as unknown as Channel;
  await send(person, 'choose', { id, bot: null, kinds: ['fill', 'stop'] });
  const mails = () => mail.mails.filter(({ recipients }) => recipients.includes('trades@mail.example'));
  const bought = { side: 'buy', quantity: '1', price: '2' };
  addNotifications(notice(person, 'fill', bought));
  await until(() => mails().length === 1);
  addNotifications(notice(person, 'fill', bought), notice(person, 'fill', bought, 'def456'));
  await until(() => host.notifications.length === 0);
  const waiting = await heron.database.pool.query(
    `select next_at > now() + interval '2 minutes' as long from accounts.notify_deliveries
     where channel_id = $1 and done_at is null`,
    [id],
  );
  expect(waiting.rows).toEqual([{ long: true }, { long: true }]);
  await heron.database.pool.query('update accounts.notify_deliveries set next_at = now() where channel_id = $1', [id]);
  addNotifications(notice(person, 'stop', { ...bought, side: 'sell' }));
  await until(() => mails().length === 3);
  expect(mails().filter(({ subject }) => subject === 'Heron, trade: 2 bots')).toHaveLength(1);
});

test('a liquidation is sent at once, and its further parts are joined', async () => {
  const person = await join();
  const { id } = await addWebhook(person);
  addNotifications(notice(person, 'liquidation', { price: '1' }));
  await until(() => bodies('notices').length === 1);
  addNotifications(...['2', '3'].map((price) => notice(person, 'liquidation', { price })));
  await until(() => host.notifications.length === 0);
  await heron.database.pool.query('update accounts.notify_deliveries set next_at = now() where channel_id = $1', [id]);
  addNotifications(notice(person, 'bot_error', { what: 'fault' }));
  await until(() => bodies('notices').length >= 3);
  const kinds = bodies('notices').map(({ notices }) => notices.map(({ kind }: HostNotification) => kind).join(' '));
  expect(kinds.sort()).toEqual(['bot_error', 'liquidation', 'liquidation liquidation']);
});

test('channels belong to their owner, are limited to ten, and must be reachable', async () => {
  const [person, stranger] = [await join(), await join()];
  const { id } = await addWebhook(person);
  for (const [method, payload] of [
    ['prove', { notify_code: '1' }],
    ['test', {}],
    ['remove', {}],
    ['choose', { bot: null, kinds: [] }],
  ] as const)
    expect((await send(stranger, method, { id, ...payload })).error).toBe('not_found');
  expect(await channelsOf(stranger)).toEqual([]);
  receiver.respond = (response) => void response.writeHead(404).end();
  expect((await send(stranger, 'add', { kind: 'webhook', webhook_url: receiver.url })).error).toBe('address_silent');
  expect(await channelsOf(stranger)).toEqual([]);
  for (const webhook_url of ['nonsense', 'file:///etc/passwd', ''])
    expect((await send(stranger, 'add', { kind: 'webhook', webhook_url })).error).toBe('address_refused');
  receiver.respond = (response) => void response.writeHead(200).end();
  expect((await send(person, 'test', { id })).error).toBeNull();
  expect(bodies('test')).toHaveLength(1);
  for (let count = 1; count < 10; count += 1)
    expect((await send(person, 'add', { kind: 'webhook', webhook_url: receiver.url })).error).toBeNull();
  expect((await send(person, 'add', { kind: 'webhook', webhook_url: receiver.url })).error).toBe('channel_limit');
  expect((await send(person, 'remove', { id })).error).toBeNull();
  expect(await channelsOf(person)).toHaveLength(9);
  expect((await heron.send('System.Notify.channels')).error).toBe('not_logged_in');
});

test('an event that is older than a day is acknowledged and not sent', async () => {
  const person = await join();
  await addWebhook(person);
  const old = { ...notice(person, 'stop', { side: 'sell' }), at: Date.now() - 25 * 3_600_000 };
  addNotifications(old, notice(person, 'bot_finished'));
  await until(() => bodies('notices').length === 1);
  expect(host.acknowledged).toContain(old.id);
  expect(bodies('notices')[0].notices).toMatchObject([{ kind: 'bot_finished' }]);
});
