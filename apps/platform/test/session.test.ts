import { expect, test } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

const heron = platformFixture();
let names = 0;

const member = () => heron.signUp(`member-${names++}`);
const cookie = (token: string) => ({ cookie: `heron_session=${token}` });
const whoAmI = (headers = {}, payload = {}) => heron.send('System.Member.memberInfo', payload, headers);
const age = (token: string, column: string, days: number) =>
  heron.database.pool.query(
    `update accounts.sessions set ${column} = now() - make_interval(secs => $1) where token_hash = $2`,
    [days * 86_400, hashToken(token)],
  );

test('the token is accepted as a bearer header, in the body, and as a cookie', async () => {
  const { token, user } = await member();
  for (const answer of [await whoAmI(bearer(token)), await whoAmI({}, { token }), await whoAmI(cookie(token))]) {
    expect(answer).toMatchObject({ status: 200, code: 0, data: { user_info: { uid: user.uid } } });
  }
  const { text } = await heron.request('/api.php?method=System.Member.memberInfo', { headers: bearer(token) });
  expect(JSON.parse(JSON.parse(text).data)).toMatchObject({ user_info: { uid: user.uid } });
});

test('a token in the address is rejected in any spelling, and never logged', async () => {
  const { token } = await member();
  for (const name of ['token', 'sessionkey', 'sessionuid', 't%6Fken', 'setup_token', 'password', 'ticket']) {
    const { status, text } = await heron.request(`/api.php?method=System.Member.memberInfo&${name}=${token}`, {
      headers: bearer(token),
    });
    expect(status).toBe(400);
    expect(JSON.parse(text).error.code).toBe('secret_in_address');
  }
  await heron.request(`/bot/bots?token=${token}`);
  await heron.request(`/setup/${token}`);
  await heron.request(`/nowhere?x=${token}`);
  await heron.request(`/%zz?x=${token}`);
  expect(heron.log()).toContain('/api.php');
  expect(heron.log()).not.toContain(token);
});

test.each([
  ['none', {}],
  ['empty', bearer('')],
  ['of another scheme', { authorization: 'Basic YWRtaW46YWRtaW4=' }],
  ['made up', bearer('A'.repeat(43))],
  ['too long', bearer('A'.repeat(5_000))],
  ['of other signs', bearer("' or true --")],
  ['a hash', bearer(hashToken('A'.repeat(43)))],
])('a token that is %s has no session', async (_what, headers) => {
  expect(await whoAmI(headers)).toMatchObject({ status: 401, code: -401, error: 'not_logged_in', data: null });
});

test('the stored hash is no token', async () => {
  const { token } = await member();
  const { rows } = await heron.database.pool.query('select * from accounts.sessions where token_hash = $1', [
    hashToken(token),
  ]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(await whoAmI(bearer(rows[0].token_hash))).toMatchObject({ error: 'not_logged_in' });
});

test('an invalid bearer token is not replaced by a valid cookie', async () => {
  const { token } = await member();
  expect(await whoAmI({ ...bearer('A'.repeat(43)), ...cookie(token) })).toMatchObject({ error: 'not_logged_in' });
});

test('two session cookies count as none', async () => {
  const [own, planted] = [await member(), await member()];
  const both = { cookie: `heron_session=${planted.token}; heron_session=${own.token}` };
  expect(await whoAmI(both)).toMatchObject({ error: 'not_logged_in' });
});

test('a session from before the sign-in is ended', async () => {
  const planted = await member();
  const victim = await member();
  const login = await heron.send(
    'System.Login.login',
    { username: victim.user.username, password: PASSWORD },
    cookie(planted.token),
  );
  expect(login.data.token).not.toBe(planted.token);
  expect(login.cookie).toBe(`heron_session=${login.data.token}`);
  expect(await whoAmI(bearer(planted.token))).toMatchObject({ error: 'not_logged_in' });
  expect(await whoAmI(bearer(login.data.token ?? ''))).toMatchObject({ data: { user_info: { uid: victim.user.uid } } });
});

test('signing out ends this session and clears the cookie', async () => {
  const { token, user } = await member();
  const other = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  const out = await heron.send('System.Login.logout', {}, cookie(token));
  expect(out).toMatchObject({ code: 0, cookie: 'heron_session=' });
  expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect(await whoAmI(cookie(token))).toMatchObject({ error: 'not_logged_in' });
  expect(await whoAmI(bearer(other.data.token ?? ''))).toMatchObject({ code: 0 });
});

test('signing out everywhere ends the sessions of this user only', async () => {
  const { token, user } = await member();
  const stranger = await member();
  const other = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  await heron.send('System.Login.logout', { everywhere: true }, bearer(token));
  for (const gone of [token, other.data.token ?? ''])
    expect(await whoAmI(bearer(gone))).toMatchObject({ error: 'not_logged_in' });
  expect(await whoAmI(bearer(stranger.token))).toMatchObject({ code: 0 });
});

test('signing out without a session succeeds', async () => {
  expect(await heron.send('System.Login.logout')).toMatchObject({ code: 0 });
});

test('a session lasts 30 days at most and 14 days without use', async () => {
  const { token } = await member();
  await age(token, 'began_at', 29.9);
  expect(await whoAmI(bearer(token))).toMatchObject({ code: 0 });
  await age(token, 'began_at', 30.1);
  expect(await whoAmI(bearer(token))).toMatchObject({ error: 'not_logged_in' });

  const idle = await member();
  await age(idle.token, 'used_at', 13.9);
  expect(await whoAmI(bearer(idle.token))).toMatchObject({ code: 0 });
  // The request counts as a use, so the 14 days begin again.
  const { rows } = await heron.database.pool.query(
    `select used_at > now() - interval '1 minute' as fresh from accounts.sessions where token_hash = $1`,
    [hashToken(idle.token)],
  );
  expect(rows).toEqual([{ fresh: true }]);
  await age(idle.token, 'used_at', 14.1);
  expect(await whoAmI(bearer(idle.token))).toMatchObject({ error: 'not_logged_in' });
});

test('a sign-in deletes expired sessions, and the fifty-first ends the oldest', async () => {
  const { token, user } = await member();
  await age(token, 'used_at', 15);
  const { rows: ids } = await heron.database.pool.query('select id from accounts.users where uid = $1', [user.uid]);
  await heron.database.pool.query(
    `insert into accounts.sessions (token_hash, user_id, began_at) select 'filler-' || $1::bigint || '-' || n, $1, now() - make_interval(mins => n) from generate_series(1, 50) n`,
    [ids[0].id],
  );
  await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  const { rows } = await heron.database.pool.query('select token_hash from accounts.sessions where user_id = $1', [
    ids[0].id,
  ]);
  expect(rows).toHaveLength(50);
  expect(rows.map((row) => row.token_hash)).not.toContain(`filler-${ids[0].id}-50`);
  expect(rows.map((row) => row.token_hash)).not.toContain(hashToken(token));
});

test('sessions of a removed account end at once', async () => {
  const { token, user } = await member();
  await heron.database.pool.query('delete from accounts.users where uid = $1', [user.uid]);
  expect(await whoAmI(bearer(token))).toMatchObject({ error: 'not_logged_in' });
});
