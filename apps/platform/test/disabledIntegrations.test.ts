import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { startIntegrations } from './startIntegrations.ts';
import { bearer, PASSWORD, until } from './testPlatform.ts';

const { heron, integrations } = startIntegrations();
beforeEach(() => {
  integrations.receiver.received.length = 0;
  integrations.receiver.respond = (response) => void response.writeHead(204).end();
  integrations.telegram.sent.length = 0;
  integrations.theirs.requests.length = 0;
  integrations.theirs.respond = (_, response) => void response.end('{"bots":[]}');
  integrations.own.respond = (_, response) =>
    void response.setHeader('content-type', 'application/json').end('{"bots":[]}');
});

const NEW_PASSWORD = 'the reeds stand still 7';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const send = (token: string, method: string, payload: object = {}) =>
  heron.send(`System.${method}`, { ...payload, lang: 'en' }, { ...bearer(token), 'user-agent': FIREFOX });
let names = 0;
let chats = 100;

async function member() {
  const name = `stale-${names++}`;
  const { token, user } = await heron.signUp(name);
  await sql('update accounts.users set email = $1, email_key = $1 where id = $2', [`${name}@mail.example`, user.id]);
  return { name, token, user, logIn: async () => String((await login(name)).data.token) };
}
const login = (username: string, password = PASSWORD) => heron.send('System.Login.login', { username, password });

async function addWebhook(token: string): Promise<string> {
  const { data } = await send(token, 'Notify.add', { kind: 'webhook', webhook_url: integrations.receiver.url });
  const { id } = data.channel as { id: string };
  const { code } = JSON.parse(integrations.receiver.received.at(-1)?.body ?? '{}');
  expect(await send(token, 'Notify.prove', { id, notify_code: code })).toMatchObject({ code: 0 });
  return id;
}
async function addChat(token: string): Promise<string> {
  const { data } = await send(token, 'Notify.add', { kind: 'telegram' });
  const sent = integrations.telegram.sent.length;
  integrations.telegram.write(chats++, (data.telegram_start as { notify_code: string }).notify_code);
  await until(() => integrations.telegram.sent.length > sent);
  return (data.channel as { id: string }).id;
}
async function pair(token: string): Promise<string> {
  const at = {
    name: 'Attic',
    address: '127.0.0.1',
    port: integrations.theirs.port,
    pairing_code: integrations.theirs.code,
  };
  return ((await send(token, 'Host.pair', at)).data.host as { id: string }).id;
}
const post = (token: string, path: string) =>
  heron.request(path, {
    ...{ method: 'POST', headers: { ...bearer(token), 'content-type': 'application/json' } },
    body: '{"close":false}',
  });
const addAll = async (token: string) => ({
  webhook: await addWebhook(token),
  telegram: await addChat(token),
  host: await pair(token),
});

/** Returns which integrations of a user are enabled. */
async function enabled(token: string): Promise<Record<string, boolean>> {
  const { channels } = (await send(token, 'Notify.channels')).data as {
    channels: { id: string; disabled_since: number | null }[];
  };
  const { hosts } = (await send(token, 'Host.list')).data as { hosts: { id: string; state: string }[] };
  return Object.fromEntries([
    ...channels.map(({ id, disabled_since }) => [id, disabled_since === null]),
    ...hosts.map(({ id, state }) => [id, state !== 'disabled']),
  ]);
}

const WAYS: Record<string, (token: string) => ReturnType<typeof send>> = {
  'ending all other sessions': (token) => send(token, 'Session.endOthers'),
  'a new password': (token) =>
    send(token, 'Member.modifyPassword', { old_password: PASSWORD, new_password: NEW_PASSWORD }),
};

describe.each(Object.keys(WAYS))('%s', (way) => {
  const act = (token: string) => (WAYS[way] as (typeof WAYS)[string])(token);

  test('disables and reports integrations of other sessions only', async () => {
    const { token, logIn } = await member();
    const mine = await addWebhook(token);
    const thief = await logIn();
    const others = await addAll(thief);
    expect(Object.values(await enabled(token))).toEqual([true, true, true, true]);
    const { data } = await act(token);
    const from = { added: expect.any(Number), address: '127.0.0.1', browser: 'Firefox', system: 'Linux' };
    expect(data.disabled).toEqual([
      { kind: 'webhook', id: others.webhook, name: `127.0.0.1:${integrations.receiver.port}`, ...from },
      { kind: 'telegram', id: others.telegram, name: '@reader_one', ...from },
      { kind: 'host', id: others.host, name: 'Attic', ...from },
    ]);
    expect(await enabled(token)).toEqual({
      ...{ [mine]: true, [others.webhook]: false, [others.telegram]: false, [others.host]: false },
    });
    // Integrations that were disabled before are not reported again.
    expect((await send(token, 'Session.endOthers')).data.disabled).toEqual([]);
  });

  test('keeps integrations of earlier sessions of the same device', async () => {
    const { token, user } = await member();
    const { data: device } = await send(token, 'Device.remember');
    const webhook = await addWebhook(token);
    const legacy = await addWebhook(token);
    await sql('update accounts.notify_channels set added_by_session = null, added_by_device = null where id = $1', [
      legacy,
    ]);
    // Assigns the webhook to the remembered device.
    await sql(
      'update accounts.notify_channels set added_by_device = (select id from accounts.devices where user_id = $1) where id = $2',
      [user.id, webhook],
    );
    const { data } = await heron.send('System.Device.login', { basepass: device.basepass });
    await sql('update accounts.sessions set proven_at = now() where token_hash = $1', [hashToken(data.token ?? '')]);
    await act(data.token ?? '');
    expect(await enabled(data.token ?? '')).toEqual({ [webhook]: true, [legacy]: false });
  });

  test('does not affect other users', async () => {
    const [somebody, other] = [await member(), await member()];
    const webhook = await addWebhook(other.token);
    await act(somebody.token);
    expect(await enabled(other.token)).toEqual({ [webhook]: true });
  });
});

test('signing out everywhere disables and reports integrations of other sessions', async () => {
  const { name, token, logIn } = await member();
  const mine = await addWebhook(token);
  const thief = await logIn();
  const others = await addAll(thief);
  const { data } = await send(token, 'Login.logout', { everywhere: true });
  expect((data.disabled as { id: string }[]).map(({ id }) => id)).toEqual([
    ...[others.webhook, others.telegram, others.host],
  ]);
  const later = String((await login(name)).data.token);
  expect(await enabled(later)).toEqual({
    ...{ [mine]: true, [others.webhook]: false, [others.telegram]: false, [others.host]: false },
  });
  const { rows } = await sql(
    `select details from accounts.audit where action = 'sessions.end' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ details: { everywhere: true, disabled: 3 } }]);
});

test('signing out of one session disables nothing', async () => {
  const { token, logIn } = await member();
  const thief = await logIn();
  const webhook = await addWebhook(thief);
  expect((await send(thief, 'Login.logout')).data.disabled).toEqual([]);
  expect(await enabled(token)).toEqual({ [webhook]: true });
});

test('a password reset by code disables all of them and reports their number', async () => {
  const { name, token } = await member();
  await addAll(token);
  const account = `${name}@mail.example`;
  await heron.send('System.Password.sendFindPasswordCode', { send_param: account, type: 'email' });
  const app_code = await heron.codeFor(account);
  const reset = { account, password: NEW_PASSWORD, type: 'email', app_code };
  expect(await heron.send('System.Password.passwordReset', reset)).toMatchObject({ code: 1, data: { disabled: 3 } });
  const { data } = await login(name, NEW_PASSWORD);
  expect(Object.values(await enabled(data.token ?? ''))).toEqual([false, false, false]);
});

test('a disabled integration gets nothing but the kill switch', async () => {
  const { token, user, logIn } = await member();
  const others = await addAll(await logIn());
  for (const id of [others.webhook, others.telegram])
    await send(token, 'Notify.choose', { id, bot: null, kinds: ['fill', 'stop'] });
  // The receiver fails, so that the message waits for a retry.
  integrations.receiver.respond = (response) => void response.writeHead(503).end();
  let seq = 0;
  const addNotification = () => {
    const of = {
      bot: 'abc123',
      name: 'Grid',
      mode: 'live',
      venue: 'binance',
      demo: false,
      pair: 'BTC-USDT',
      kind: 'stop',
    } as const;
    const notice: HostNotification = {
      ...{ id: `abc123.${++seq}${Date.now()}`, owner: String(user.id), at: Date.now(), ...of },
      data: { side: 'sell', quantity: '0.5', price: '100' },
    };
    integrations.own.notifications = [...integrations.own.notifications, notice];
  };
  addNotification();
  const countPosted = () =>
    integrations.receiver.received.filter(({ body }) => JSON.parse(body).type === 'notices').length;
  await until(() => countPosted() > 0 && integrations.telegram.sent.some(({ text }) => text.includes('Grid')));
  await send(token, 'Session.endOthers');
  integrations.receiver.respond = (response) => void response.writeHead(204).end();
  await sql('update accounts.notify_deliveries set next_at = now() where done_at is null');
  const before = { posted: integrations.receiver.received.length, sent: integrations.telegram.sent.length };
  integrations.theirs.requests.length = 0;
  addNotification();
  await until(() => integrations.own.notifications.length === 0);
  expect(await send(token, 'Notify.test', { id: others.webhook })).toMatchObject({ error: 'integration_disabled' });
  // When the webhook of this session has received it, the others would have received it too.
  const mine = await addWebhook(token);
  await send(token, 'Notify.choose', { id: mine, bot: null, kinds: ['stop'] });
  addNotification();
  await until(() => countPosted() > 1);
  expect(countPosted()).toBe(2);
  expect(integrations.telegram.sent.length).toBe(before.sent);
  const list = await heron.request('/bot/bots', { headers: bearer(token) });
  expect(JSON.parse(list.text).hosts).toEqual([{ id: others.host, name: 'Attic', state: 'disabled' }]);
  expect((await heron.request(`/bot/bots/${others.host}~abc123`, { headers: bearer(token) })).status).toBe(404);
  expect((await post(token, `/bot/bots/${others.host}~abc123/start`)).status).toBe(404);
  expect(integrations.theirs.requests).toEqual([]);
});

test('the kill switch reaches a disabled bot host of its owner', async () => {
  const { token, logIn } = await member();
  const stranger = await member();
  const { host } = await addAll(await logIn());
  await send(token, 'Session.endOthers');
  integrations.theirs.requests.length = 0;
  expect(JSON.parse((await post(token, '/bot/halt')).text)).toEqual({ bots: [], away: [] });
  expect(integrations.theirs.requests).toEqual(['/bot/halt']);
  integrations.theirs.respond = (_, response) =>
    void response.writeHead(404).end('{"error":{"code":"not_found","message":"none"}}');
  await post(token, `/bot/bots/${host}~abc123/halt`);
  expect(integrations.theirs.requests).toEqual(['/bot/halt', '/bot/bots/abc123/halt']);
  await post(stranger.token, `/bot/bots/${host}~abc123/halt`);
  expect(integrations.theirs.requests).toHaveLength(2);
});

test('a disabled bot host that does not respond to the kill switch is named', async () => {
  const { token, logIn } = await member();
  const { host } = await addAll(await logIn());
  await send(token, 'Session.endOthers');
  integrations.theirs.respond = (_, response) => void response.writeHead(503).end();
  expect(JSON.parse((await post(token, '/bot/halt')).text).away).toEqual([{ id: host, name: 'Attic' }]);
});

test('enabling needs a fresh proof, sends an alert, and restores deliveries', async () => {
  const { name, token, logIn } = await member();
  const others = await addAll(await logIn());
  await send(token, 'Session.endOthers');
  await sql('delete from accounts.outbox');
  await sql(`update accounts.sessions set proven_at = 'epoch' where token_hash = $1`, [hashToken(token)]);
  const enable = async () => [
    await send(token, 'Notify.enable', { id: others.webhook }),
    await send(token, 'Notify.enable', { id: others.telegram }),
    await send(token, 'Host.enable', { id: others.host }),
  ];
  expect((await enable()).map(({ error }) => error)).toEqual(['proof_needed', 'proof_needed', 'proof_needed']);
  expect(Object.values(await enabled(token))).toEqual([false, false, false]);
  await send(token, 'Session.prove', { password: PASSWORD });
  expect((await enable()).map(({ error }) => error)).toEqual([null, null, null]);
  expect(Object.values(await enabled(token))).toEqual([true, true, true]);
  expect(await send(token, 'Notify.test', { id: others.webhook })).toMatchObject({ code: 0 });
  await until(async () => (await heron.mailsFor(`${name}@mail.example`)).length === 3);
  // Enabled integrations count as added by this session.
  expect((await send(token, 'Session.endOthers')).data.disabled).toEqual([]);
});

test('only the owner enables or removes a disabled integration', async () => {
  const { token, logIn } = await member();
  const stranger = await member();
  const others = await addAll(await logIn());
  await send(token, 'Session.endOthers');
  for (const [method, id] of [
    ['Notify.enable', others.webhook],
    ['Host.enable', others.host],
  ] as const)
    expect(await send(stranger.token, method, { id })).toMatchObject({ error: 'not_found' });
  expect(await send(token, 'Host.remove', { id: others.host })).toMatchObject({ code: 0, data: { told: true } });
  expect(await enabled(token)).toEqual({ [others.webhook]: false, [others.telegram]: false });
});

test('an unproven webhook or chat is removed, and its code becomes invalid', async () => {
  const { token, logIn } = await member();
  const thief = await logIn();
  await send(thief, 'Notify.add', { kind: 'webhook', webhook_url: integrations.receiver.url });
  const { data } = await send(thief, 'Notify.add', { kind: 'telegram' });
  expect((await send(token, 'Session.endOthers')).data.disabled).toEqual([]);
  expect(await enabled(token)).toEqual({});
  integrations.telegram.write(chats++, (data.telegram_start as { notify_code: string }).notify_code);
  await until(() => integrations.telegram.sent.length > 0);
  expect(await enabled(token)).toEqual({});
});
