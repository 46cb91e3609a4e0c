import { afterEach, expect, test } from 'vitest';
import { startIntegrations } from './startIntegrations.ts';
import { bearer, until } from './testPlatform.ts';

const { heron, integrations } = startIntegrations();

afterEach(() => {
  integrations.telegram.sent.length = 0;
  integrations.own.requests.length = 0;
});

const send = (token: string, method: string, payload: object) =>
  heron.send(`System.Notify.${method}`, { lang: 'en', ...payload }, bearer(token));

let people = 0;
/** Links a Telegram chat to a new account. */
async function linkedChat(chat: number) {
  const { token } = await heron.signUp(`commander-${people++}`);
  const { data } = await send(token, 'add', { kind: 'telegram' });
  const { id } = data.channel as unknown as { id: string };
  integrations.telegram.write(chat, (data.telegram_start as { notify_code: string }).notify_code);
  await until(() => integrations.telegram.sent.some((message) => message.chat_id === chat));
  return { token, id };
}

/** Returns the reply to a message; the reply to a later unknown chat proves that there is none. */
async function replyTo(chat: number, text: string, from: { type?: string } = {}): Promise<string | null> {
  const { telegram } = integrations;
  telegram.sent.length = 0;
  telegram.write(chat, text, from);
  telegram.write(999_999, '/start');
  await until(() => telegram.sent.some((message) => message.chat_id === 999_999));
  return telegram.sent.find((message) => message.chat_id === chat)?.text ?? null;
}
/** Lets the own bot host respond that there are no bots. */
function serveNoBots() {
  integrations.own.respond = (_, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify({ bots: [] }));
}
const urls = () => integrations.own.requests.map(({ method, url }) => `${method} ${url}`);

test('a linked chat commands nothing until its owner allows it, and then only that', async () => {
  serveNoBots();
  const { token, id } = await linkedChat(71);
  expect(await replyTo(71, '/status')).toBeNull();
  expect((await send(token, 'commands', { id, commands: 'read' })).data.channel).toMatchObject({ commands: 'read' });
  expect(await replyTo(71, '/status')).toBe('There are no bots yet.');
  expect(await replyTo(71, '/halt')).toContain('may only read');
  await send(token, 'commands', { id, commands: 'stop' });
  const code = /\/confirm_\d{4}/.exec((await replyTo(71, '/halt')) ?? '')?.[0] ?? '';
  expect(urls()).not.toContain('POST /bot/halt');
  expect(await replyTo(71, code)).toBe('There is no live bot to stop.');
  expect(urls()).toContain('POST /bot/halt');
  await send(token, 'commands', { id, commands: 'none' });
  expect(await replyTo(71, '/status')).toBeNull();
});

test('other chats, groups and disabled chats command nothing', async () => {
  serveNoBots();
  const { token, id } = await linkedChat(72);
  await send(token, 'commands', { id, commands: 'stop' });
  expect(await replyTo(73, '/status')).toBeNull();
  expect(await replyTo(72, '/status', { type: 'group' })).toBeNull();
  const code = /\/confirm_\d{4}/.exec((await replyTo(72, '/halt')) ?? '')?.[0] ?? '';
  expect(await replyTo(73, code)).toBeNull();
  await heron.database.pool.query('update accounts.notify_channels set disabled_at = now() where id = $1', [id]);
  expect(await replyTo(72, code)).toBeNull();
  expect(urls()).not.toContain('POST /bot/halt');
});

test('a chat of several accounts with commands commands none of them', async () => {
  serveNoBots();
  const [victim, stranger] = [await linkedChat(77), await linkedChat(77)];
  await send(victim.token, 'commands', { id: victim.id, commands: 'stop' });
  expect(await replyTo(77, '/status')).toBe('There are no bots yet.');
  await send(stranger.token, 'commands', { id: stranger.id, commands: 'stop' });
  expect(await replyTo(77, '/halt')).toMatch(/^Nothing was done: several Heron accounts/);
  await send(stranger.token, 'commands', { id: stranger.id, commands: 'none' });
  expect(await replyTo(77, '/status')).toBe('There are no bots yet.');
});

test('a chat that is enabled again must be allowed to command again', async () => {
  serveNoBots();
  const { token, id } = await linkedChat(78);
  await send(token, 'commands', { id, commands: 'stop' });
  await heron.database.pool.query('update accounts.notify_channels set disabled_at = now() where id = $1', [id]);
  expect((await send(token, 'enable', { id })).data.channel).toMatchObject({ commands: 'none' });
  expect(await replyTo(78, '/status')).toBeNull();
});

test('a command that fails unexpectedly is answered once, and later ones work', async () => {
  const { token, id } = await linkedChat(78);
  await send(token, 'commands', { id, commands: 'read' });
  integrations.own.respond = (_, response) =>
    void response.setHeader('content-type', 'application/json').end('{"bots":5}');
  expect(await replyTo(78, '/status')).toBe('That failed. See the state of your bots in Heron.');
  serveNoBots();
  expect(await replyTo(78, '/status')).toBe('There are no bots yet.');
});

test('/end ends notifications, and /stop does where a chat has no commands', async () => {
  serveNoBots();
  const first = await linkedChat(74);
  await send(first.token, 'commands', { id: first.id, commands: 'stop' });
  expect(await replyTo(74, '/stop')).toContain('no such bot');
  expect(await replyTo(74, '/end')).toContain('No more notifications');
  expect(await replyTo(74, '/status')).toBeNull();
  const second = await linkedChat(75);
  expect(await replyTo(75, '/stop')).toContain('No more notifications');
  expect((await send(second.token, 'commands', { id: second.id, commands: 'read' })).error).toBe('not_found');
});

test('only a Telegram chat gets commands, and only of its owner', async () => {
  const { id } = await linkedChat(76);
  const { token, user } = await heron.signUp(`commander-${people++}`);
  expect((await send(token, 'commands', { id, commands: 'read' })).error).toBe('not_found');
  const { rows } = await heron.database.pool.query(
    `insert into accounts.notify_channels (user_id, kind, language, proven_at) values ($1, 'webhook', 'en', now()) returning id`,
    [user.id],
  );
  expect((await send(token, 'commands', { id: rows[0].id, commands: 'read' })).error).toBe('not_found');
});
