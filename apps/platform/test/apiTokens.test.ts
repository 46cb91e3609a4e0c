import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { CALL_SCOPES, TOKEN_SCOPES } from '@heron/contract/bots/tokenScopes.ts';
import { TRADES_CSV_PATH } from '@heron/contract/bots/tradesCsv.ts';
import { API_EXAMPLES } from '@heron/contract/http/apiExamples.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createApiToken } from '../src/gateway/apiTokens.ts';
import { hashToken } from '../src/gateway/secretToken.ts';
import { startIntegrations } from './startIntegrations.ts';
import { bearer, PASSWORD, until } from './testPlatform.ts';

const { heron, integrations } = startIntegrations();

/** Mode and start time of the bot that the bot host returns. */
let bot = { mode: 'paper', startedAt: 1 as number | null };
beforeEach(() => {
  bot = { mode: 'paper', startedAt: 1 };
  integrations.own.requests.length = 0;
  integrations.own.respond = (_, response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ id: 'abc123', name: 'Grid', status: 'running', bots: [], ...bot }));
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
let names = 0;

async function member() {
  const name = `token-${names++}`;
  const { token: session, user } = await heron.signUp(name);
  await sql('update accounts.users set email = $1, email_key = $1 where id = $2', [`${name}@mail.example`, user.id]);
  return { name, session, user };
}

const send = (session: string, method: string, payload: object = {}) =>
  heron.send(`System.${method}`, { ...payload, lang: 'en' }, bearer(session));

async function addToken(session: string, scopes: readonly string[] = TOKEN_SCOPES, days: number | null = 30) {
  const { data, error } = await send(session, 'ApiToken.create', { label: 'My script', scopes, days });
  if (error !== null) throw new Error(error);
  return { id: (data.entry as { id: string }).id, secret: String(data.secret) };
}

async function call(secret: string, method: string, at: string, headers: object = {}) {
  const hasBody = method === 'POST';
  const { status, text } = await heron.request(at, {
    method,
    headers: { ...bearer(secret), ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(hasBody ? { body: '{}' } : {}),
  });
  return { status, error: status === 200 ? null : (JSON.parse(text).error.code as string) };
}

const list = async (session: string) =>
  (await send(session, 'ApiToken.list')).data.entries as Record<string, unknown>[];
const DENIED = { status: 401, error: 'token_invalid' };

describe('creating a token', () => {
  test('needs a fresh proof, alerts the owner, is audited, and shows the secret once', async () => {
    const { name, session, user } = await member();
    await sql('update accounts.sessions set proven_at = now() - make_interval(mins => 31) where token_hash = $1', [
      hashToken(session),
    ]);
    const asked = { label: 'Nightly', scopes: ['trade', 'read'], days: 7 };
    expect(await send(session, 'ApiToken.create', asked)).toMatchObject({ error: 'proof_needed' });
    expect(await list(session)).toEqual([]);
    await send(session, 'Session.prove', { password: PASSWORD });
    const { data } = await send(session, 'ApiToken.create', asked);
    expect(data.secret).toMatch(/^heron_[\w-]{43}$/);
    expect(await list(session)).toEqual([
      expect.objectContaining({ label: 'Nightly', scopes: ['read', 'trade'], used: null, address: '' }),
    ]);
    const [entry] = await list(session);
    expect(Number(entry?.expires) - Number(entry?.made)).toBe(7 * 86_400);
    const { rows } = await sql('select * from accounts.api_tokens where user_id = $1', [user.id]);
    expect(JSON.stringify(rows)).not.toContain(String(data.secret).slice(6));
    expect(heron.log()).not.toContain(String(data.secret).slice(6));
    await until(async () => (await heron.mailsFor(`${name}@mail.example`)).length > 0);
    expect(await heron.mailsFor(`${name}@mail.example`)).toEqual(['An API token of your Heron account was created']);
    await send(session, 'ApiToken.revoke', { id: entry?.id });
    const audited = await sql('select action, details from accounts.audit where actor_uid = $1 order by id', [
      user.uid,
    ]);
    expect(audited.rows).toEqual([
      { action: 'token.create', details: { scopes: 'read trade' } },
      { action: 'token.revoke', details: { scopes: 'read trade' } },
    ]);
  });

  test('is limited to known scopes and periods, and to 20 tokens', async () => {
    const { session } = await member();
    for (const wrong of [
      { scopes: [] },
      { scopes: ['admin'] },
      { days: 31 },
      { days: 0 },
      { label: 'a\u202eb' },
      { label: ' ' },
    ])
      expect(
        await send(session, 'ApiToken.create', { label: 'x', scopes: ['read'], days: null, ...wrong }),
      ).toMatchObject({ error: 'invalid_request' });
    for (let count = 0; count < 20; count++) await addToken(session, ['read'], null);
    expect(await send(session, 'ApiToken.create', { label: 'x', scopes: ['read'], days: null })).toMatchObject({
      error: 'tokens_full',
    });
  });
});

describe('a token opens', () => {
  test('the calls of its scopes, and no others', async () => {
    const { session } = await member();
    const tokens = new Map(
      await Promise.all(TOKEN_SCOPES.map(async (scope) => [scope, (await addToken(session, [scope])).secret] as const)),
    );
    const calls = Object.entries({ ...botCalls, tradesCsv: { method: 'GET', path: TRADES_CSV_PATH } });
    for (const [name, { method, path: template }] of calls) {
      const at = template.replace(':id', 'abc123');
      for (const [scope, secret] of tokens) {
        const needed = CALL_SCOPES[name as keyof typeof CALL_SCOPES];
        const outcome =
          needed === null
            ? { status: 403, error: 'not_by_token' }
            : needed.scope === scope
              ? { status: 200, error: null }
              : { status: 403, error: 'token_scope_missing' };
        integrations.own.requests.length = 0;
        expect({ name, scope, ...(await call(secret, method, at)) }).toEqual({ name, scope, ...outcome });
        if (outcome.status !== 200) expect(integrations.own.requests).toEqual([]);
      }
    }
  });

  test('calls of its owner without the role of the owner', async () => {
    const { session, user } = await member();
    await sql('update accounts.users set group_id = 1 where id = $1', [user.id]);
    const { secret } = await addToken(session);
    await call(secret, 'GET', '/bot/bots/abc123');
    expect(integrations.own.requests.map(({ headers }) => headers)).toMatchObject([
      { 'x-heron-user': String(user.id), 'x-heron-group': '' },
    ]);
    expect(integrations.own.requests[0]?.headers.authorization).not.toContain(secret);
  });

  test('neither methods of accounts nor the stream nor a session', async () => {
    const { session } = await member();
    const { secret } = await addToken(session);
    for (const at of ['/api/apiToken/list', '/api/member/memberInfo', '/api/session/list', '/api/apiToken/create'])
      expect(await call(secret, 'POST', at)).toMatchObject({ status: 401, error: 'not_logged_in' });
    expect(await heron.whoAmI(secret)).toMatchObject({ error: 'not_logged_in' });
    const cookie = { cookie: `heron_session=${secret}` };
    expect((await heron.request('/bot/bots', { headers: cookie })).status).toBe(401);
    const stream = new WebSocket(`${heron.platform.url.replace('http', 'ws')}/bot/stream`, { headers: bearer(secret) });
    const status = await new Promise((resolve) => {
      stream.on('unexpected-response', (_, response) => resolve(response.statusCode));
      stream.on('open', () => resolve('open'));
    });
    expect(status).toBe(401);
    const answer = await heron.request('/bot/bots', { headers: bearer(secret) });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('no call in another spelling of its path', async () => {
    const { session } = await member();
    const { secret } = await addToken(session, ['read', 'manage']);
    const posts = [
      ...['/bot/keys', '/bot/keys/', '/bot/key%73', '/bot/KEYS', '/bot/keys;x', '/bot/keys?x=1', '/bot/keys%3Fx'],
      ...['/bot//keys', '/bot/./keys', '/bot/bots/../keys', '/bot/bots/%2e%2e/keys', '/bot/bots%2f..%2fkeys'],
      ...[
        '/bot/bots/abc123/orders',
        '/bot/bots/abc123/orders/',
        '/bot/bots/abc123/ord%65rs',
        '/BOT/bots/abc123/orders',
      ],
      ...[
        '/bot/bots/abc123/st%61rt',
        '/bot/bots/abc123/start?x=/name',
        '/bot/bots/abc123/start#/name',
        '/bot/bots/a%00/start',
      ],
      ...['/bot/bots/abc123/name/../start', '/bot/bots/abc123/name%2f..%2fstart', '/bot/bots/ab12~abc123/start'],
    ];
    for (const at of posts) {
      const { status } = await call(secret, 'POST', at);
      expect({ at, isRefused: status >= 400 && status < 500, requests: integrations.own.requests }).toEqual({
        ...{ at, isRefused: true, requests: [] },
      });
    }
    for (const method of ['PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS']) {
      const { status } = await heron.request('/bot/bots/abc123/orders', { method, headers: bearer(secret) });
      expect({ method, isRefused: status >= 400 && status < 500 }).toEqual({ method, isRefused: true });
    }
    expect(integrations.own.requests).toEqual([]);
  });
});

describe('a token does not open anything', () => {
  test('when it is forged, expired or revoked', async () => {
    const { session } = await member();
    const { id, secret } = await addToken(session);
    const flipped = secret.slice(0, -1) + (secret.endsWith('A') ? 'E' : 'A');
    const forged = [
      createApiToken(),
      flipped,
      `${secret}=`,
      'heron_',
      `heron_${'a'.repeat(5_000)}`,
      secret.toUpperCase(),
    ];
    for (const wrong of forged) expect((await call(wrong, 'GET', '/bot/bots')).status).toBe(401);
    const cookie = { cookie: `heron_session=${session}` };
    // A valid cookie does not replace an invalid token.
    expect(await call(createApiToken(), 'GET', '/bot/bots', cookie)).toEqual(DENIED);
    expect((await call(secret, 'GET', '/bot/bots')).status).toBe(200);
    await sql(`update accounts.api_tokens set expires_at = now() where id = $1`, [id]);
    expect(await call(secret, 'GET', '/bot/bots')).toEqual(DENIED);
    await sql(`update accounts.api_tokens set expires_at = null where id = $1`, [id]);
    expect((await call(secret, 'GET', '/bot/bots')).status).toBe(200);
    expect(await send(session, 'ApiToken.revoke', { id })).toMatchObject({ error: null });
    expect(await call(secret, 'GET', '/bot/bots')).toEqual(DENIED);
  });

  test('when other sessions end, until its owner enables it with a fresh proof', async () => {
    const { name, session } = await member();
    const thief = String((await heron.send('System.Login.login', { username: name, password: PASSWORD })).data.token);
    const mine = await addToken(session);
    const theirs = await addToken(thief);
    const { data } = await send(session, 'Session.endOthers');
    expect(data.disabled).toEqual([expect.objectContaining({ kind: 'token', id: theirs.id, name: 'My script' })]);
    expect(await call(theirs.secret, 'GET', '/bot/bots')).toEqual(DENIED);
    expect((await call(mine.secret, 'GET', '/bot/bots')).status).toBe(200);
    await sql(`update accounts.sessions set proven_at = 'epoch' where token_hash = $1`, [hashToken(session)]);
    expect(await send(session, 'ApiToken.enable', { id: theirs.id })).toMatchObject({ error: 'proof_needed' });
    await send(session, 'Session.prove', { password: PASSWORD });
    expect(await send(session, 'ApiToken.enable', { id: theirs.id })).toMatchObject({ error: null });
    expect((await call(theirs.secret, 'GET', '/bot/bots')).status).toBe(200);
  });

  test('after its owner signs out everywhere elsewhere or deletes the account', async () => {
    const { name, session, user } = await member();
    const other = String((await heron.send('System.Login.login', { username: name, password: PASSWORD })).data.token);
    const { secret } = await addToken(other);
    await send(session, 'Login.logout', { everywhere: true });
    expect(await call(secret, 'GET', '/bot/bots')).toEqual(DENIED);

    const again = String((await heron.send('System.Login.login', { username: name, password: PASSWORD })).data.token);
    const newer = await addToken(again);
    expect((await call(newer.secret, 'GET', '/bot/bots')).status).toBe(200);
    expect(await send(again, 'Member.deleteAccount', { uid: user.uid, password: PASSWORD })).toMatchObject({
      error: null,
    });
    expect(await call(newer.secret, 'GET', '/bot/bots')).toEqual(DENIED);
    await sql('update accounts.users set deleted_at = null where id = $1', [user.id]);
    // A restored account does not get its tokens back.
    expect(await call(newer.secret, 'GET', '/bot/bots')).toEqual(DENIED);
  });

  test('in an address, and no log contains it', async () => {
    const { session } = await member();
    const { secret } = await addToken(session);
    for (const parameter of ['token', 'access_token', 'api_key', 'x', 'Authorization'])
      for (const headers of [bearer(secret), bearer(session), {}]) {
        const { status, text } = await heron.request(`/bot/bots?${parameter}=${secret}`, { headers });
        expect({ status, error: JSON.parse(text).error.code }).toEqual({ status: 400, error: 'secret_in_address' });
      }
    await heron.request(`/bot/bots/${secret}`, { headers: bearer(secret) });
    await heron.request(`/${secret}`);
    await call(secret, 'GET', '/bot/bots');
    expect(heron.log()).not.toContain(secret.slice(6));
    expect(heron.log()).toContain('"apiToken"');
  });
});

test('another user can neither see, enable nor revoke a token, and a token reaches the bots of its owner only', async () => {
  const [owner, stranger] = [await member(), await member()];
  const { id, secret } = await addToken(owner.session);
  for (const method of ['ApiToken.enable', 'ApiToken.revoke'])
    expect(await send(stranger.session, method, { id })).toMatchObject({ error: 'not_found' });
  expect(await list(stranger.session)).toEqual([]);
  const pairing = { address: '127.0.0.1', port: integrations.theirs.port, pairing_code: integrations.theirs.code };
  const { data } = await send(stranger.session, 'Host.pair', { name: 'Attic', ...pairing });
  const host = (data.host as { id: string }).id;
  integrations.theirs.requests.length = 0;
  for (const at of [`/bot/bots/${host}~abc123`, `/bot/bots/${host}%7Eabc123`, `/bot/exchanges?host=${host}`])
    expect(await call(secret, 'GET', at)).toEqual({ status: 404, error: 'not_found' });
  expect(integrations.theirs.requests).toEqual([]);
  await call(secret, 'GET', '/bot/bots/abc123', { 'x-heron-user': String(stranger.user.id) });
  expect(integrations.own.requests.at(-1)?.headers['x-heron-user']).toBe(String(owner.user.id));
});

describe('live trading', () => {
  test('the first live start needs a person, also on a host that sends something unreadable', async () => {
    const { session } = await member();
    const { secret } = await addToken(session);
    for (const state of [
      { mode: 'live', startedAt: null },
      { mode: 'unknown', startedAt: 1 },
    ]) {
      bot = state;
      expect(await call(secret, 'POST', '/bot/bots/abc123/start')).toEqual({ status: 403, error: 'not_by_token' });
    }
    expect(integrations.own.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    bot = { mode: 'live', startedAt: 1 };
    expect((await call(secret, 'POST', '/bot/bots/abc123/start')).status).toBe(200);
  });

  test('changing a live bot also needs the scope trade', async () => {
    const { session } = await member();
    const manage = await addToken(session, ['manage']);
    const both = await addToken(session, ['manage', 'trade']);
    const change = (secret: string) => call(secret, 'POST', '/bot/bots/abc123/options');
    expect((await change(manage.secret)).status).toBe(200);
    for (const mode of ['live', 'unknown']) {
      bot = { mode, startedAt: 1 };
      expect(await change(manage.secret)).toEqual({ status: 403, error: 'token_scope_missing' });
      expect((await change(both.secret)).status).toBe(200);
    }
  });
});

test('the list shows the last use, and changes are limited except those that lower a risk', async () => {
  const { session } = await member();
  const { secret } = await addToken(session);
  for (let count = 0; count < 60; count++)
    expect((await call(secret, 'POST', '/bot/bots/abc123/resume')).status).toBe(200);
  expect(await call(secret, 'POST', '/bot/bots/abc123/resume')).toEqual({ status: 429, error: 'too_many_requests' });
  expect((await call(secret, 'POST', '/bot/bots/abc123/halt')).status).toBe(200);
  expect((await call(secret, 'GET', '/bot/bots')).status).toBe(200);
  const [entry] = await list(session);
  expect(entry).toMatchObject({ address: '127.0.0.1' });
  expect(Math.abs(Number(entry?.used) - Date.now() / 1_000)).toBeLessThan(60);
});

test('the TypeScript example of the documentation lists the bots', async () => {
  const { session } = await member();
  const { secret } = await addToken(session, ['read']);
  integrations.own.respond = (_, response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ bots: [{ id: 'abc123', name: 'Grid', status: 'running' }] }));
  const { code = '' } = API_EXAMPLES.find(({ language }) => language === 'ts') ?? {};
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-example-'));
  try {
    const file = path.join(folder, 'example.mts');
    writeFileSync(file, code);
    const env = { ...process.env, HERON_URL: heron.platform.url, HERON_TOKEN: secret };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    expect(stdout).toBe('abc123 Grid running\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { text } = await heron.request('/openapi.json');
  const { info, paths } = JSON.parse(text);
  for (const example of API_EXAMPLES) expect(info.description).toContain(example.code);
  expect(paths['/bot/bots/{id}/options'].post.security).toContainEqual({ apiToken: ['manage', 'trade'] });
  expect(paths['/bot/keys'].post.security).toEqual([{ bearer: [] }, { cookie: [] }]);
});
