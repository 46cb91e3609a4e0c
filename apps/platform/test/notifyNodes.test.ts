import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../src/platform.ts';
import { type FakeTelegram, startFakeTelegram, TELEGRAM_TOKEN } from '../src/testing/fakeTelegram.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../src/testing/webhookReceiver.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { bearer, SECRET, startTestPlatform, type TestPlatform, until } from './testPlatform.ts';

/** Two platforms on one database collect from the same bot host and send to the same channels. */
let host: FakeBotHost;
let telegram: FakeTelegram;
let receivers: WebhookReceiver[];
let heron: TestPlatform;
let second: Platform;
beforeAll(async () => {
  [host, telegram] = await Promise.all([startFakeBotHost(), startFakeTelegram()]);
  receivers = await Promise.all(Array.from({ length: 3 }, startWebhookReceiver));
  const shared = { bothostUrl: host.url, notifyPrivate: true, telegram: { token: TELEGRAM_TOKEN, url: telegram.url } };
  heron = await startTestPlatform(shared);
  second = await startPlatform({
    ...shared,
    databaseUrl: heron.databaseUrl,
    ...{ host: '127.0.0.1', port: 0, secret: SECRET, clientDir: heron.clientDir, logLevel: 'silent' },
  });
});
afterAll(async () => {
  await second.close();
  await heron.stop();
  await Promise.all([host, telegram, ...receivers].map((each) => each.stop()));
});

const send = (token: string, method: string, payload: object) =>
  heron.send(`System.Notify.${method}`, { lang: 'en', ...payload }, bearer(token));

test('two platforms collect and send each notification once', async () => {
  const { token, user } = await heron.signUp('sent-once');
  for (const receiver of receivers) {
    const { data } = await send(token, 'add', { kind: 'webhook', webhook_url: receiver.url });
    const { id } = data.channel as unknown as { id: string };
    const { code } = JSON.parse(receiver.received[0]?.body ?? '{}');
    expect((await send(token, 'prove', { id, notify_code: code })).error).toBeNull();
    receiver.received.length = 0;
    // Responses are slow enough that both platforms send.
    receiver.respond = (response) => void setImmediate(() => setImmediate(() => response.writeHead(204).end()));
  }
  const notices = Array.from(
    { length: 18 },
    (_, index): HostNotification => ({
      ...{
        id: `bot${100 + (index % 7)}.${index}`,
        owner: String(user.id),
        bot: `bot${100 + (index % 7)}`,
        name: 'Grid',
      },
      ...{
        mode: 'paper',
        venue: 'binance-demo',
        at: Date.now(),
        pair: 'BTC-USDT',
        kind: 'bot_error',
        data: { what: 'fault' },
      },
    }),
  );
  // The bot host returns notifications to both platforms until one of them acknowledges them.
  for (let at = 0; at < notices.length; at += 3) {
    host.notifications = [...host.notifications, ...notices.slice(at, at + 3)];
    await new Promise(setImmediate);
  }
  const idsAt = (receiver: WebhookReceiver): string[] =>
    receiver.received.flatMap(({ body }) => JSON.parse(body).notices.map(({ id }: HostNotification) => id));
  await until(() => receivers.every((receiver) => idsAt(receiver).length >= notices.length), 30_000);
  // A platform marks a delivery as done after the receiver has responded.
  await until(async () => {
    const open = await heron.database.pool.query('select from accounts.notify_deliveries where done_at is null');
    return open.rowCount === 0;
  });
  for (const receiver of receivers) expect(idsAt(receiver).toSorted()).toEqual(notices.map(({ id }) => id).toSorted());
  // Both platforms may acknowledge the same notification.
  expect(host.acknowledged.length).toBeGreaterThanOrEqual(notices.length);
});

test('one platform at a time polls Telegram and stores its position', async () => {
  const { token } = await heron.signUp('chat-of-two');
  await until(() => telegram.polls > 0);
  const begun = telegram.polls;
  const { data } = await send(token, 'add', { kind: 'telegram' });
  telegram.write(5, (data.telegram_start as { notify_code: string }).notify_code);
  await until(() => telegram.sent.length === 1);
  // A second reader would have polled as well.
  expect(telegram.polls - begun).toBeLessThanOrEqual(1);
  expect(telegram.sent).toMatchObject([{ chat_id: 5 }]);
  await until(async () => {
    const { rows } = await heron.database.pool.query(
      `select telegram_next > 1000 as read, telegram_reader_until > now() as held from accounts.notify_state`,
    );
    return rows[0]?.read && rows[0]?.held;
  });
});

test('a new bot starts at its own updates, and a slow platform is replaced', async () => {
  const other = await startFakeTelegram();
  const alone = await startTestPlatform({ bothostUrl: host.url, notifyPrivate: true });
  await alone.database.pool.query(`update accounts.notify_state set telegram_bot = '999', telegram_next = 5000000`);
  const overtaken = Promise.withResolvers<void>();
  other.refuse = async () => {
    await alone.database.pool.query(
      `update accounts.notify_state set telegram_reader = gen_random_uuid(), telegram_reader_until = now() + interval '1 hour'`,
    );
    overtaken.resolve();
    return null;
  };
  other.write(1, '/start');
  other.write(2, '/start');
  const reader = await startPlatform({
    ...{ databaseUrl: alone.databaseUrl, bothostUrl: host.url, telegram: { token: TELEGRAM_TOKEN, url: other.url } },
    ...{ host: '127.0.0.1', port: 0, secret: SECRET, clientDir: alone.clientDir, logLevel: 'silent' },
    notifyPrivate: true,
  });
  await overtaken.promise;
  // Closing waits for the response to the update that is being handled.
  await reader.close();
  expect(other.sent.map(({ chat_id }) => chat_id)).toEqual([1]);
  const { rows } = await alone.database.pool.query(
    'select telegram_bot, telegram_next::int from accounts.notify_state',
  );
  expect(rows).toEqual([{ telegram_bot: '123456', telegram_next: 0 }]);
  await alone.stop();
  await other.stop();
});
