import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createServer } from 'node:tls';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, Trade } from '@heron/contract/bots/entities.ts';
import type { BotNotification } from '@heron/contract/bots/notifications.ts';
import { hostOf, idHere, idThere, type PairedHost } from '@heron/contract/bots/pairedHosts.ts';
import {
  CODE_IDENTITY,
  type HostPairing,
  PAIRING_PATHS,
  PAIRING_TLS,
  parsePairingCode,
} from '@heron/contract/bots/pairing.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import { openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { createSecretKeys } from '@heron/platform/accounts/core/secretKeys.ts';
import { createHostConnections } from '@heron/platform/bots/paired/hostConnections.ts';
import { openPairedHosts } from '@heron/platform/bots/paired/pairedHosts.ts';
import { type Platform, startPlatform } from '@heron/platform/platform.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@heron/platform/testing/webhookReceiver.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type BotHost, createRunningBot, placeManualOrder, SECRET, until, untilOrderAccepted } from './botHost.ts';
import { startTestbed, type Testbed } from './testbed.ts';

/**
 * A Heron with its own bot host, and a second bot host that plays another machine, with a separate database, folder and
 * vault.
 */
let testbed: Testbed;
let own: BotHost;
let theirs: BotHost;
let theirDatabase: TemporaryDatabase;
let platform: Platform;
const theirFolder = mkdtempSync(path.join(os.tmpdir(), 'heron-paired-'));
/** Collects everything that the platform has sent to users. */
let sentToUsers = '';

beforeAll(async () => {
  [testbed, theirDatabase] = await Promise.all([startTestbed('paired', { seed: 9 }), temporaryDatabase()]);
  [own, theirs] = await Promise.all([testbed.startHost(), startTheirs(0)]);
  platform = await startApp();
});

afterAll(async () => {
  await platform.close();
  await Promise.all([own.stop(), theirs.stop()]);
  await theirDatabase.close();
  await testbed.close();
  rmSync(theirFolder, { recursive: true, force: true });
});

const startApp = () =>
  startPlatform({
    ...{ databaseUrl: testbed.database.url, host: '127.0.0.1', port: 0, bothostUrl: own.url, secret: SECRET },
    ...{ clientDir: testbed.folder, logLevel: 'silent', notifyPrivate: true },
  });
const startTheirs = (pairingPort: number) =>
  testbed.startHost({ databaseUrl: theirDatabase.url, dataDir: theirFolder, pairingPort });
const portOf = ({ url }: BotHost) => Number(new URL(url).port);
const newCode = async () => (await theirs.call<HostPairing>('POST', '/host/pairing')).body.code?.text ?? '';

/** A user of the app. */
class AppUser {
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }

  static async join(name: string): Promise<AppUser> {
    const { data } = await new AppUser('').send('System.Register.usernameRegister', {
      ...{ username: name, password: 'heron stands still 41' },
    });
    return new AppUser((data as { token: string }).token);
  }

  async send(method: string, payload: object = {}) {
    const { status, text } = await this.#ask('POST', '/api.php', { method, ...payload });
    const { data, error } = JSON.parse(text) as { data: string; error?: { code: string } };
    return { status, data: JSON.parse(data) as unknown, error: error?.code ?? null };
  }

  async call<Body = { error?: { code: string } }>(method: string, where: string, body?: object) {
    const { status, text } = await this.#ask(method, where, body);
    return { status, body: JSON.parse(text) as Body, text };
  }

  async #ask(method: string, where: string, body?: object) {
    const response = await fetch(`${platform.url}${where}`, {
      method,
      headers: {
        'accept-language': 'en',
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    sentToUsers += text;
    return { status: response.status, text };
  }

  async stream() {
    const socket = new WebSocket(`${platform.url.replace('http', 'ws')}/bot/stream`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    const messages: StreamMessage[] = [];
    socket.on('message', (data) => {
      sentToUsers += String(data);
      messages.push(JSON.parse(String(data)) as StreamMessage);
    });
    await once(socket, 'open');
    return { socket, messages };
  }

  pair(pairing_code: string, port = portOf(theirs)) {
    return this.send('System.Host.pair', { name: 'My server', address: '127.0.0.1', port, pairing_code });
  }

  async hosts() {
    return ((await this.send('System.Host.list')).data as { hosts: PairedHost[] }).hosts;
  }

  async bots() {
    return botCalls.list.response.parse((await this.call('GET', '/bot/bots')).body);
  }
}

test('a bot host is paired by code, used, and unpaired from either side', async () => {
  // The first account has the ID 1, the default user of the bot host's test calls.
  const owner = await AppUser.join('Keeper');
  const stranger = await AppUser.join('Stranger');

  // Only the right code works, only once, and no other key is accepted.
  const code = await newCode();
  expect((await owner.pair(code.replaceAll(/[2-9]/g, 'X'))).error).toBe('host_code_wrong');
  expect((await owner.pair(code, portOf(own))).error).toBe('host_code_wrong');
  expect((await owner.pair(code, 1_025)).error).toBe('host_silent');
  expect((await owner.pair(code, 22)).error).toBe('host_address_refused');
  const paired = await owner.pair(code.toLowerCase().replaceAll('-', ' '));
  expect(paired).toMatchObject({ error: null, data: { host: { name: 'My server', state: 'up' } } });
  const { id: host } = (paired.data as { host: PairedHost }).host;
  expect((await owner.pair(code)).error).toBe('host_code_wrong');
  expect(await stranger.hosts()).toEqual([]);

  // The bots of both hosts form one list, and each request goes to its bot's host.
  const here = await createRunningBot(own, 'At home', {});
  const setup = {
    name: 'Far away',
    options: { watch_pairs: 'BTC-USDT', period: '1m', poll_scan_time: 1_000 },
    params: {},
  };
  const made = await owner.call<BotDetail>('POST', `/bot/bots?host=${host}`, setup);
  expect(made.status).toBe(200);
  const { id } = made.body;
  expect(hostOf(id)).toBe(host);
  expect((await theirs.call<BotDetail>('GET', `/bot/bots/${idThere(id)}`)).body.name).toBe('Far away');
  expect((await own.call('GET', `/bot/bots/${idThere(id)}`, { user: '2' })).status).toBe(404);
  const listed = await owner.bots();
  expect(listed.hosts).toEqual([{ id: host, name: 'My server', state: 'up' }]);
  expect(listed.bots.map((bot) => bot.id)).toContain(id);
  expect(here).toMatch(/^[a-z0-9]{6}$/);

  // A stranger has no access to the paired host.
  expect((await stranger.call('GET', `/bot/bots/${id}`)).body.error?.code).toBe('not_found');
  expect((await stranger.call('GET', `/bot/exchanges?host=${host}`)).body.error?.code).toBe('not_found');
  expect((await stranger.bots()).bots).toEqual([]);

  // One stream carries the messages of both hosts, and details come from the watched bot's host.
  const { socket, messages } = await owner.stream();
  await until(() => messages.some((message) => message.type === 'bot' && message.bot.id === id), 'the summary');
  socket.send(JSON.stringify({ type: 'watch', id }));
  await until(() => messages.some((message) => message.type === 'detail' && message.bot.id === id), 'the detail');
  expect((await owner.call('POST', `/bot/bots/${id}/start`, {})).status).toBe(200);
  await until(() => messages.some((message) => message.type === 'quote' && message.id === id), 'a quote');
  const buy = { requestId: randomUUID(), pair: 'BTC-USDT', side: 'buy', type: 'taker', value: '1000' };
  await until(async () => (await owner.call('POST', `/bot/bots/${id}/orders`, buy)).status === 200, 'the order');
  await until(() => messages.some((message) => message.type === 'fill' && message.id === id), 'the fill');
  const page = botCalls.notifications.response.parse((await owner.call('GET', '/bot/notices')).body);
  expect(page.notices.every((notice) => notice.bot === id)).toBe(true);
  expect((await owner.call('POST', '/bot/notices/seen', { all: true })).body).toEqual({ unseen: 0 });
  const table = await fetch(`${platform.url}/bot/bots/${id}/trades.csv`, {
    headers: { authorization: `Bearer ${owner.token}`, accept: 'text/csv' },
  });
  expect(await table.text()).toMatch(/BTC-USDT/);

  // The exchange keys of the paired host stay on its machine.
  const { key, secret } = testbed.sandbox.binance;
  const kept = await theirs.call('POST', '/bot/keys', {
    body: { venue: 'binance-demo', label: 'theirs', key, secret },
  });
  expect(kept.status).toBe(200);
  const refused = await owner.call('POST', `/bot/keys?host=${host}`, {
    venue: 'binance-demo',
    label: 'x',
    key,
    secret,
  });
  expect(refused.body.error?.code).toBe('keys_stay_there');
  const connections = createHostConnections({ allowPrivate: true });
  const database = openDatabase(testbed.database.url);
  const { rows } = await database.pool.query('select user_id from accounts.paired_hosts');
  const [stored] = await openPairedHosts(database, createSecretKeys(SECRET)).listEnabled(Number(rows[0].user_id));
  if (stored === undefined) throw new Error('the paired host is not stored');
  let crossed = '';
  for (const { method, path: pattern } of Object.values(botCalls)) {
    if (method !== 'GET') continue;
    const where = `${pattern.replace(':id', idThere(id))}?venue=binance-demo&pair=BTC-USDT&period=1m&from=0&to=0&since=0`;
    const answer = await connections.request(stored.endpoint, { method, path: where, timeoutMs: 40_000 });
    for await (const chunk of answer) crossed += String(chunk);
  }
  const addAnyway = { venue: 'binance-demo', label: 'again', key, secret };
  const rejected = await connections.requestJson(
    stored.endpoint,
    {
      ...{ method: 'POST', path: '/bot/keys', timeoutMs: 5_000, body: JSON.stringify(addAnyway) },
      headers: { 'content-type': 'application/json' },
    },
    10_000,
  );
  expect(rejected.status).toBe(409);
  for (const inside of ['/host/notices', '/host/pairing', '/nowhere']) {
    expect(
      (await connections.requestJson(stored.endpoint, { method: 'GET', path: inside, timeoutMs: 5_000 }, 10_000))
        .status,
    ).toBe(404);
  }
  const json = { 'content-type': 'application/json' };
  for (const malformed of [
    { method: 'GET', path: `${PAIRING_PATHS.notifications}?wait=x` },
    { method: 'POST', path: PAIRING_PATHS.acknowledgeNotifications, body: '{"ids":"x"}', headers: json },
  ]) {
    expect((await connections.requestJson(stored.endpoint, { ...malformed, timeoutMs: 5_000 }, 10_000)).status).toBe(
      422,
    );
  }
  await database.close();
  expect(crossed).toContain('theirs');
  for (const bytes of [crossed, sentToUsers]) {
    expect(bytes).not.toContain(key);
    expect(bytes).not.toContain(secret);
    expect(bytes).not.toContain(stored.endpoint.secret?.toString('hex'));
  }

  // An unreachable host is reported as such, and not as an empty list of bots.
  const port = portOf(theirs);
  await theirs.kill();
  await until(
    () => messages.some((message) => message.type === 'host' && message.host.state === 'away'),
    'the host to be unreachable',
  );
  expect((await owner.bots()).hosts).toEqual([{ id: host, name: 'My server', state: 'away' }]);
  expect((await owner.call('GET', `/bot/bots/${id}`)).body.error?.code).toBe('host_away');
  expect((await owner.call('POST', '/bot/halt', { close: false })).body).toMatchObject({
    away: [{ id: host, name: 'My server' }],
  });

  // The platform must not accept another server at the host's address.
  const impostor = createServer({ ...PAIRING_TLS, pskCallback: () => Buffer.alloc(32) }, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\n\r\n'),
  );
  impostor.on('tlsClientError', () => {});
  impostor.listen(port, '127.0.0.1');
  await once(impostor, 'listening');
  expect((await owner.hosts())[0]?.state).toBe('refused');
  impostor.close();
  await once(impostor, 'close');

  // The host is reachable again, with its bots.
  messages.length = 0;
  theirs = await startTheirs(port);
  await until(
    () => messages.some((message) => message.type === 'host' && message.host.state === 'up'),
    'the host to be reachable again',
  );
  await until(() => messages.some((message) => message.type === 'detail' && message.bot.id === id), 'the watched bot');
  expect((await owner.bots()).bots.map((bot) => bot.id)).toContain(id);

  // A new code pairs the same host with a new key; the previous key becomes invalid.
  const again = await owner.pair(await newCode());
  expect(again).toMatchObject({ error: null, data: { host: { id: host } } });
  await expect(
    connections.requestJson(stored.endpoint, { method: 'GET', path: '/paired/hello', timeoutMs: 5_000 }, 1_000),
  ).rejects.toMatchObject({
    state: 'refused',
  });

  // The app shows a pairing that ended on the host. The host is notified of a removal in the app.
  expect((await theirs.call<HostPairing>('DELETE', '/host/pairing')).body.paired).toBeNull();
  expect((await owner.hosts())[0]?.state).toBe('refused');
  expect((await owner.pair(await newCode())).error).toBeNull();
  expect((await owner.send('System.Host.remove', { id: host })).data).toEqual({ told: true });
  expect(await owner.hosts()).toEqual([]);
  await until(async () => (await theirs.call<HostPairing>('GET', '/host/pairing')).body.paired === null, 'the end');
  expect((await theirs.call('GET', `/bot/bots/${idThere(id)}`)).status).toBe(200);
  socket.close();
});

/** Adds a webhook as a verified notification channel for fills. */
async function addWebhook(person: AppUser, { url, received }: WebhookReceiver): Promise<void> {
  const given = { kind: 'webhook', webhook_url: url };
  const { channel } = (await person.send('System.Notify.add', given)).data as { channel: { id: string } };
  const proof = { id: channel.id, notify_code: JSON.parse(received[0]?.body ?? '{}').code };
  expect((await person.send('System.Notify.prove', proof)).error).toBeNull();
  const wanted = { id: channel.id, bot: null, kinds: ['fill'] };
  expect((await person.send('System.Notify.choose', wanted)).error).toBeNull();
}

const notificationsAt = ({ received }: WebhookReceiver): (BotNotification & { host?: string })[] =>
  received.flatMap(({ body }) => JSON.parse(body).notices ?? []);

async function allDelivered(): Promise<boolean> {
  const database = openDatabase(testbed.database.url);
  try {
    const { rowCount } = await database.pool.query('select from accounts.notify_deliveries where done_at is null');
    return rowCount === 0;
  } finally {
    await database.close();
  }
}

test('notifications of a paired host arrive once, despite outages and a new owner', async () => {
  const [first, second] = [await AppUser.join('Former'), await AppUser.join('Current')];
  const [hook, other] = [await startWebhookReceiver(), await startWebhookReceiver()];
  await addWebhook(first, hook);
  await addWebhook(second, other);
  const { id: host } = ((await first.pair(await newCode())).data as { host: PairedHost }).host;
  // The bot trades only manually, because the test counts every trade.
  const bot = await createRunningBot(theirs, 'Notifier', { strategy: 'manual' });
  const buy = (user = '1', id = bot) =>
    placeManualOrder(theirs, id, { pair: 'BTC-USDT', side: 'buy', value: '500' }, user);
  const trades = async () => (await theirs.call<{ trades: Trade[] }>('GET', `/bot/bots/${bot}/trades`)).body.trades;
  /** Waits until a number of trades is made, and a message about each fill of them has arrived. */
  async function untilNotified(count: number, what: string): Promise<void> {
    let state = '';
    const isDone = async () => {
      const made = await trades();
      const fills = made.flatMap((trade) => trade.fills).length;
      const messages = notificationsAt(hook).length;
      state = `${made.length} trades, ${fills} fills, ${messages} messages`;
      return made.length === count && messages === fills;
    };
    await until(isDone, what).catch((error: unknown) => {
      throw new Error(state, { cause: error });
    });
  }

  await buy();
  await untilNotified(1, 'a message about it');
  expect(notificationsAt(hook)[0]).toMatchObject({
    ...{
      kind: 'fill',
      bot: idHere(host, bot),
      name: 'Notifier',
      host: 'My server',
      mode: 'paper',
      venue: 'binance-demo',
    },
  });

  // The app is down here. It would send a message again that was not recorded as sent.
  await until(allDelivered, 'the message to be recorded as sent');
  await platform.close();
  await buy();
  await until(async () => (await trades()).length === 2, 'the second trade');
  platform = await startApp();
  await untilNotified(2, 'a message about what happened meanwhile');

  // The bot host is killed here, right after an order.
  const port = portOf(theirs);
  await buy();
  await theirs.kill();
  theirs = await startTheirs(port);
  await buy();
  await untilNotified(4, 'messages about both');

  // Nobody here is notified of another user's bots on that machine.
  const made = await theirs.call<BotDetail>('POST', '/bot/bots', {
    user: '2',
    body: {
      name: 'Of another user',
      options: { watch_pairs: 'BTC-USDT', period: '1m', strategy: 'manual' },
      params: {},
    },
  });
  const theirBot = made.body.id;
  await theirs.call('POST', `/bot/bots/${theirBot}/start`, { user: '2', body: {} });
  await buy('2', theirBot);

  // After pairing with another user, only that user is notified, and the previous one is not.
  expect((await second.pair(await newCode())).error).toBeNull();
  await placeManualOrder(theirs, bot, { pair: 'BTC-USDT', side: 'sell', percent: 100 });
  await until(() => notificationsAt(other).length > 0, 'a message to the other');
  expect(notificationsAt(other)[0]).toMatchObject({ name: 'Notifier', data: { side: 'sell' } });
  const ids = notificationsAt(hook).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const kinds = new Set(notificationsAt(hook).map(({ name, data }) => `${name} ${data.side}`));
  expect([...kinds]).toEqual(['Notifier buy']);
  await Promise.all([hook.stop(), other.stop()]);
});

test('a live bot on a paired host trades with its own key and obeys the kill switch', async () => {
  const trader = await AppUser.join('Trader');
  const { id: host } = ((await trader.pair(await newCode())).data as { host: PairedHost }).host;
  const { keys } = botCalls.keys.response.parse((await trader.call('GET', `/bot/keys?host=${host}`)).body);
  const [key] = keys;
  expect(key).toMatchObject({ venue: 'binance-demo', label: 'theirs' });
  const { socket, messages } = await trader.stream();
  const made = await trader.call<BotDetail>('POST', `/bot/bots?host=${host}`, {
    ...{ name: 'Far and live', params: {}, key: key?.id, allotment: '2000' },
    options: { mode: 'live', exchange: 'binance-demo', watch_pairs: 'BTC-USDT', strategy: 'manual', period: '1m' },
  });
  const { id } = made.body;
  expect([made.status, made.body.mode, hostOf(id)]).toEqual([200, 'live', host]);
  const start = (confirm?: string) => trader.call('POST', `/bot/bots/${id}/start`, confirm ? { confirm } : {});
  expect((await start()).status).toBe(409);
  expect((await start('Far and live')).status).toBe(200);
  socket.send(JSON.stringify({ type: 'watch', id }));
  const order = (requestId: string) => {
    const buy = { requestId, pair: 'BTC-USDT', side: 'buy', type: 'taker', value: '500' };
    return trader.call('POST', `/bot/bots/${id}/orders`, buy);
  };
  let acceptedId = '';
  await untilOrderAccepted((requestId) => {
    acceptedId = requestId;
    return order(requestId);
  });
  await until(() => messages.some((message) => message.type === 'fill' && message.id === id), 'the fill');
  const quantity = async () =>
    Number((await trader.call<BotDetail>('GET', `/bot/bots/${id}`)).body.pairViews[0]?.position?.quantity ?? 0);
  expect(await quantity()).toBeGreaterThan(0);
  // A repeated request ID places no second order.
  expect((await order(acceptedId)).status).toBe(200);
  const trades = await theirs.call<{ trades: unknown[] }>('GET', `/bot/bots/${idThere(id)}/trades`);
  expect(trades.body.trades).toHaveLength(1);
  const halted = await trader.call<{ bots: { confirmed: boolean; bot: { id: string } }[] }>('POST', '/bot/halt', {
    close: true,
  });
  expect(halted.body.bots.find(({ bot }) => bot.id === id)).toMatchObject({ confirmed: true });
  expect(await quantity()).toBe(0);
  socket.close();
});

test('only the first of two simultaneous uses of a code succeeds', async () => {
  const code = await newCode();
  const place = {
    ...{ address: '127.0.0.1', port: portOf(theirs), identity: CODE_IDENTITY },
    secret: Buffer.from(parsePairingCode(code) ?? ''),
  };
  const join = () =>
    createHostConnections({ allowPrivate: true }).requestJson(
      place,
      {
        ...{ method: 'POST', path: '/paired/join', timeoutMs: 5_000, body: '{"platform":"a test"}' },
        headers: { 'content-type': 'application/json' },
      },
      10_000,
    );
  const answers = await Promise.allSettled([join(), join(), join()]);
  const joined = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 200);
  expect(joined.length).toBe(1);
});

test("the port of a bot host serves its own machine only with the folder's secret", async () => {
  expect((await fetch(`${theirs.url}/bot/bots`)).status).toBe(401);
  expect((await fetch(`${theirs.url}/paired/hello`)).status).toBe(401);
  expect((await theirs.call('GET', '/bot/bots')).status).toBe(200);
});
