import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { digestKey } from '../src/gateway/limits.ts';
import { hashToken } from '../src/gateway/secretToken.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

let host: FakeBotHost;
let names = 0;
beforeAll(async () => {
  host = await startFakeBotHost();
});
afterAll(() => host.stop());
const heron = platformFixture(() => ({ bothostUrl: host.url }));

const member = () => heron.signUp(`member-${names++}`);
const prove = (token: string, payload: object) => heron.send('System.Session.prove', payload, bearer(token));
type Entry = { id: string; current: boolean; browser: string; system: string; address: string };

async function logIn(name: string | null, userAgent = FIREFOX): Promise<string> {
  const { data } = await heron.send(
    'System.Login.login',
    { username: name, password: PASSWORD },
    { 'user-agent': userAgent },
  );
  return data.token ?? '';
}

async function listed(token: string): Promise<Entry[]> {
  const { data } = await heron.send('System.Session.list', {}, bearer(token));
  return data.sessions as Entry[];
}

async function audited(uid: number): Promise<string[]> {
  const { rows } = await heron.database.pool.query(
    'select action from accounts.audit where target_uid = $1 order by id',
    [uid],
  );
  return rows.map(({ action }) => action);
}

test('users see origin and program of their sessions, and which one is current', async () => {
  const { user } = await member();
  const [desk, phone] = [await logIn(user.username), await logIn(user.username, IPHONE)];
  const sessions = await listed(desk);
  expect(sessions).toHaveLength(3);
  expect(sessions.filter(({ current }) => current)).toMatchObject([
    { browser: 'Firefox', system: 'Linux', address: '127.0.0.1', remembered: false },
  ]);
  expect((await listed(phone)).find(({ current }) => current)).toMatchObject({ browser: 'Safari', system: 'iOS' });
  const { text } = await heron.send('System.Session.list', {}, bearer(desk));
  for (const token of [desk, phone]) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(hashToken(token));
  }
});

test('ended sessions are not listed', async () => {
  const { token, user } = await member();
  const old = await logIn(user.username);
  await heron.database.pool.query(
    `update accounts.sessions set used_at = now() - interval '15 days' where token_hash = $1`,
    [hashToken(old)],
  );
  expect(await listed(token)).toHaveLength(1);
});

test('ending a session signs it out and closes its stream', async () => {
  const { token, user } = await member();
  const other = await logIn(user.username);
  const stream = new WebSocket(`${heron.platform.url.replace('http', 'ws')}/bot/stream`, { headers: bearer(other) });
  await once(stream, 'open');
  const closed = once(stream, 'close');
  const { id } = (await listed(token)).find(({ current }) => !current) ?? { id: '' };
  expect(await heron.send('System.Session.end', { id }, bearer(token))).toMatchObject({ code: 0 });
  expect((await closed)[0]).toBe(4401);
  expect(await heron.whoAmI(other)).toMatchObject({ error: 'not_logged_in' });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect(await audited(user.uid)).toEqual(['sessions.end']);
});

test('nobody ends a session of another user', async () => {
  const [victim, attacker] = [await member(), await member()];
  const [session] = await listed(victim.token);
  expect(await heron.send('System.Session.end', { id: session?.id }, bearer(attacker.token))).toMatchObject({
    error: 'not_found',
  });
  expect(await heron.whoAmI(victim.token)).toMatchObject({ code: 0 });
  expect(await audited(victim.user.uid)).toEqual([]);
});

test('ending the own session clears the cookie', async () => {
  const { token } = await member();
  const [session] = await listed(token);
  expect(await heron.send('System.Session.end', { id: session?.id }, bearer(token))).toMatchObject({
    code: 0,
    cookie: 'heron_session=',
  });
  expect(await heron.whoAmI(token)).toMatchObject({ error: 'not_logged_in' });
});

test('ending all others keeps this session and those of other users', async () => {
  const { token, user } = await member();
  const stranger = await member();
  const others = [await logIn(user.username), await logIn(user.username)];
  expect(await heron.send('System.Session.endOthers', {}, bearer(token))).toMatchObject({ data: { ended: 2 } });
  for (const other of others) expect(await heron.whoAmI(other)).toMatchObject({ error: 'not_logged_in' });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect(await heron.whoAmI(stranger.token)).toMatchObject({ code: 0 });
  expect(await audited(user.uid)).toEqual(['sessions.end']);
});

test('the correct password is a fresh proof', async () => {
  const { token } = await member();
  await heron.database.pool.query(`update accounts.sessions set proven_at = to_timestamp(0) where token_hash = $1`, [
    hashToken(token),
  ]);
  const remember = () => heron.send('System.Device.remember', {}, bearer(token));
  expect(await remember()).toMatchObject({ status: 403, error: 'proof_needed' });
  expect(await prove(token, {})).toMatchObject({ error: 'proof_needed' });
  expect(await prove(token, { password: '' })).toMatchObject({ error: 'password_empty' });
  expect(await prove(token, { password: `${PASSWORD}!` })).toMatchObject({ error: 'password_wrong' });
  expect(await remember()).toMatchObject({ error: 'proof_needed' });
  expect(await prove(token, { password: PASSWORD })).toMatchObject({ code: 0 });
  expect(await remember()).toMatchObject({ code: 0 });
});

test('a stolen session cannot guess the password faster than a sign-in', async () => {
  const { token, user } = await member();
  for (let guess = 0; guess < 5; guess++) {
    expect(await prove(token, { password: `wrong ${guess}` })).toMatchObject({ error: 'password_wrong' });
  }
  expect(await prove(token, { password: PASSWORD })).toMatchObject({ status: 429 });
  for (const username of [user.username, String(user.uid)])
    expect(await heron.send('System.Login.login', { username, password: PASSWORD })).toMatchObject({ status: 429 });
});

test('guesses of strangers do not block a proof at a known address', async () => {
  const { user } = await member();
  const { data } = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  // Sets the limit as after fifty guesses at the uid, which is public.
  await heron.database.pool.query('insert into accounts.rate_limits values ($1, 50, $2)', [
    `login-account:${digestKey(`uid ${user.uid}`)}`,
    Date.now() + 900_000,
  ]);
  expect(await prove(data.token ?? '', { password: PASSWORD })).toMatchObject({ code: 0 });
});
