import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { GUARDED_ACTS } from '../src/gateway/ownerGuard.ts';
import { hashToken } from '../src/gateway/secretToken.ts';
import { startIntegrations } from './startIntegrations.ts';
import { bearer, PASSWORD, until } from './testPlatform.ts';

const { heron, integrations } = startIntegrations();

/** Mode and start time of the bot that the bot host returns. */
let bot = { mode: 'live', startedAt: null as number | null };
beforeEach(() => {
  bot = { mode: 'live', startedAt: null };
  integrations.own.requests.length = 0;
  integrations.receiver.received.length = 0;
  integrations.own.respond = (_, response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ id: 'abc123', name: 'Grid', ...bot }));
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const email = (name: string) => `${name}@mail.example`;
let names = 0;

/** Creates a user whose last proof is this many minutes old. */
async function member(minutes: number) {
  const name = `guarded-${names++}`;
  const { token, user } = await heron.signUp(name);
  await sql('update accounts.users set email = $1, email_key = $1 where id = $2', [email(name), user.id]);
  const age = () =>
    sql(`update accounts.sessions set proven_at = now() - make_interval(mins => $2) where token_hash = $1`, [
      hashToken(token),
      minutes,
    ]);
  await age();
  return { name, token, user, age };
}
type Member = Awaited<ReturnType<typeof member>>;

const prove = ({ token }: Member) => heron.send('System.Session.prove', { password: PASSWORD }, bearer(token));
const method =
  (name: string, payload: () => object) =>
  async ({ token }: Member) => {
    const { status, error } = await heron.send(`System.${name}`, { ...payload(), lang: 'en' }, bearer(token));
    return { status, error };
  };
async function post({ token }: Member, path: string) {
  const { status, text } = await heron.request(path, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json', 'accept-language': 'en' },
    body: '{"confirm":"Grid"}',
  });
  return { status, error: status === 200 ? null : JSON.parse(text).error.code };
}
const pairing = () => ({
  name: 'Theirs',
  address: '127.0.0.1',
  port: integrations.theirs.port,
  pairing_code: integrations.theirs.code,
});
/** Lists the URLs of changes that have reached the bot host. */
const changes = () => integrations.own.requests.filter(({ method }) => method !== 'GET').map(({ url }) => url);

const ACTS: Record<(typeof GUARDED_ACTS)[number], { act(by: Member): Promise<object>; subject: string }> = {
  'webhook-added': {
    act: method('Notify.add', () => ({ kind: 'webhook', webhook_url: integrations.receiver.url })),
    subject: 'A webhook was added to your Heron account',
  },
  'telegram-added': {
    act: method('Notify.add', () => ({ kind: 'telegram' })),
    subject: 'A Telegram chat is being linked to your Heron account',
  },
  'telegram-commands': {
    async act(by) {
      const { rows } = await sql(
        `insert into accounts.notify_channels (user_id, kind, language, proven_at) values ($1, 'telegram', 'en', now()) returning id`,
        [by.user.id],
      );
      return method('Notify.commands', () => ({ id: rows[0].id, commands: 'stop' }))(by);
    },
    subject: 'A Telegram chat may use commands of your Heron account',
  },
  'host-paired': { act: method('Host.pair', pairing), subject: 'A bot host was paired with your Heron account' },
  'key-added': {
    act: (by) => post(by, '/bot/keys'),
    subject: 'An exchange key was added to your Heron account',
  },
  'live-started': {
    act: (by) => post(by, '/bot/bots/abc123/start'),
    subject: 'A live bot of your Heron account was started for the first time',
  },
  'signal-created': {
    act: method('Signal.create', () => ({ bot: 'abc123' })),
    subject: 'A signal address of a bot of your Heron account was created',
  },
};

describe.each(GUARDED_ACTS)('%s', (name) => {
  const { act, subject } = ACTS[name];

  test('needs a proof of the last 30 minutes and alerts the owner', async () => {
    const person = await member(31);
    expect(await act(person)).toEqual({ status: 403, error: 'proof_needed' });
    expect({
      changes: changes(),
      posted: integrations.receiver.received,
      pairings: integrations.theirs.requests,
    }).toEqual({
      ...{ changes: [], posted: [], pairings: [] },
    });
    expect(await prove(person)).toMatchObject({ code: 0 });
    expect(await act(person)).toEqual({ status: 200, error: null });
    await until(async () => (await heron.mailsFor(email(person.name))).length > 0);
    expect(await heron.mailsFor(email(person.name))).toEqual([subject]);
    integrations.theirs.requests.length = 0;
  });

  test('needs the second factor that was set up since the sign-in', async () => {
    const person = await member(0);
    await sql(`insert into accounts.totps (user_id, sealed_secret, confirmed_at) values ($1, 'sealed', now())`, [
      person.user.id,
    ]);
    expect(await act(person)).toEqual({ status: 403, error: 'proof_needed' });
  });
});

test('a guarded call needs a proof in every spelling of its path', async () => {
  const person = await member(31);
  const spellings = [
    ...['/bot/keys?x=1', '/bot/keys/', '/bot/key%73', '/bot/%6Beys', '/bot/KEYS', '/bot/keys;x', '/bot/keys%3Fx'],
    ...[
      '/bot/bots/abc123/start/',
      '/bot/bots/abc123/st%61rt',
      '/bot/bots/%61bc123/start?x=/stop',
      '/bot/bot%73/abc123/start',
    ],
    // The router decodes only the path, so it accepts a query that cannot be decoded.
    ...['/bot/key%73?x=%', '/bot/key%73?%E0%A4%A', '/bot/bots/abc123/st%61rt?x=%zz'],
  ];
  for (const path of spellings) {
    const { error } = await post(person, path);
    expect({ path, error, changes: changes() }).toEqual({ path, error: 'proof_needed', changes: [] });
  }
});

test('paper starts, later live starts and stops need no proof and send no alert', async () => {
  const person = await member(31);
  bot = { mode: 'paper', startedAt: null };
  expect(await post(person, '/bot/bots/abc123/start')).toEqual({ status: 200, error: null });
  bot = { mode: 'live', startedAt: 1 };
  expect(await post(person, '/bot/bots/abc123/start')).toEqual({ status: 200, error: null });
  bot = { mode: 'live', startedAt: null };
  for (const path of ['/bot/bots/abc123/stop', '/bot/halt', '/bot/bots/abc123/halt', `/bot/keys/${randomUUID()}/test`])
    expect(await post(person, path)).toEqual({ status: 200, error: null });
  expect(await method('Notify.add', () => ({ kind: 'email' }))(person)).toEqual({ status: 200, error: null });
  expect(await heron.mailsFor(email(person.name))).toEqual([]);
});

test('the first live start on a paired host needs a proof, also when unreadable', async () => {
  const person = await member(0);
  const { data } = await heron.send('System.Host.pair', pairing(), bearer(person.token));
  const { id } = (data as unknown as { host: { id: string } }).host;
  await person.age();
  await sql(`update accounts.sessions set proven_at = 'epoch' where token_hash = $1`, [hashToken(person.token)]);
  const start = () => post(person, `/bot/bots/${id}~abc123/start`);
  for (const botState of [
    { mode: 'live', startedAt: null },
    { mode: 'live' },
    { mode: 'papery', startedAt: 1 },
    null,
  ]) {
    integrations.theirs.respond = (_, response) => void response.end(JSON.stringify(botState));
    integrations.theirs.requests.length = 0;
    expect(await start()).toEqual({ status: 403, error: 'proof_needed' });
    expect(integrations.theirs.requests).toEqual(['/bot/bots/abc123']);
  }
  integrations.theirs.respond = (_, response) => void response.end('{"mode":"paper","startedAt":null}');
  integrations.theirs.requests.length = 0;
  await start();
  expect(integrations.theirs.requests).toEqual(['/bot/bots/abc123', '/bot/bots/abc123/start']);
});

test('a call that fails for another reason sends no alert', async () => {
  const person = await member(0);
  integrations.own.respond = (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') response.end(JSON.stringify(bot));
    else response.writeHead(409).end('{"error":{"code":"live_not_confirmed","message":"no"}}');
  };
  expect(await post(person, '/bot/bots/abc123/start')).toMatchObject({ status: 409 });
  expect(await post(person, '/bot/keys')).toMatchObject({ status: 409 });
  const silent = { kind: 'webhook', webhook_url: 'https://127.0.0.1:1/' };
  expect(await method('Notify.add', () => silent)(person)).toMatchObject({ error: 'address_silent' });
  expect(await method('Host.pair', () => ({ ...pairing(), pairing_code: 'no code' }))(person)).toMatchObject({
    error: 'host_code_wrong',
  });
  expect(await heron.mailsFor(email(person.name))).toEqual([]);
});
