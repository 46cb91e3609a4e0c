import { expect, test } from 'vitest';
import { createSecretKeys } from '../src/accounts/core/secretKeys.ts';
import { nextToken } from '../src/accounts/devices/rotateDevice.ts';
import { hashToken } from '../src/gateway/secretToken.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD, SECRET } from './testPlatform.ts';

const heron = platformFixture();
let names = 0;

const enter = (basepass: unknown, payload = {}) => heron.send('System.Device.login', { basepass, ...payload });

/** Creates a user with a remembered device. */
async function remembered() {
  const { token, user } = await heron.signUp(`member-${names++}`);
  const { data } = await heron.send('System.Device.remember', {}, bearer(token));
  return { token, user, basepass: String(data.basepass) };
}

async function devicesOf(token: string) {
  const { data } = await heron.send('System.Device.list', {}, bearer(token));
  return data.devices as { id: string; current: boolean }[];
}

/** Makes the last rotation of all device tokens older. */
const age = (seconds: number) =>
  heron.database.pool.query('update accounts.devices set rotated_at = now() - make_interval(secs => $1)', [seconds]);

async function thefts(uid: number): Promise<number> {
  const { rows } = await heron.database.pool.query(
    `select 1 from accounts.audit where action = 'device.theft' and target_uid = $1`,
    [uid],
  );
  return rows.length;
}

test('a remembered device signs in repeatedly, each time with a new token', async () => {
  const { user, basepass } = await remembered();
  const first = await enter(basepass, { basename: user.username });
  expect(first).toMatchObject({ code: 1, data: { basename: user.username, user_info: { uid: user.uid } } });
  expect(await heron.whoAmI(first.data.token ?? '')).toMatchObject({ code: 0 });
  const second = await enter(first.data.basepass);
  expect(second).toMatchObject({ code: 1, data: { user_info: { uid: user.uid } } });
  expect(new Set([basepass, first.data.basepass, second.data.basepass]).size).toBe(3);
});

test('a device can receive its session in the cookie only', async () => {
  const { basepass } = await remembered();
  const { data, cookie } = await enter(basepass, { session: 'cookie' });
  expect(data.token).toBeUndefined();
  expect(cookie).toMatch(/^heron_session=.{43}$/);
});

test('the database contains no usable device token', async () => {
  const { basepass } = await remembered();
  const { rows } = await heron.database.pool.query('select * from accounts.devices');
  expect(JSON.stringify(rows)).not.toContain(basepass);
  for (const { token_hash } of rows) expect(await enter(token_hash)).toMatchObject({ error: 'device_unknown' });
});

test.each([
  ['empty', ''],
  ['made up', 'A'.repeat(43)],
  ['of other signs', "' or true --"],
  ['a hash', hashToken('A'.repeat(43))],
])('a device token that is %s is unknown', async (_what, basepass) => {
  expect(await enter(basepass)).toMatchObject({ status: 401, error: 'device_unknown', data: null });
});

test('a token with one changed letter is unknown and has no effect', async () => {
  const { basepass, user } = await remembered();
  const other = basepass.startsWith('A') ? 'B' : 'A';
  expect(await enter(other + basepass.slice(1))).toMatchObject({ error: 'device_unknown' });
  expect(await thefts(user.uid)).toBe(0);
  expect(await enter(basepass)).toMatchObject({ code: 1 });
});

test('a lost response can be requested again within a minute', async () => {
  const { basepass, user } = await remembered();
  const lost = await enter(basepass);
  await age(50);
  const again = await enter(basepass);
  expect(again).toMatchObject({ code: 1, data: { user_info: { uid: user.uid } } });
  // The session of the lost response has ended, because an attacker may have received it.
  expect(await heron.whoAmI(lost.data.token ?? '')).toMatchObject({ error: 'not_logged_in' });
  expect(await enter(again.data.basepass)).toMatchObject({ code: 1 });
  expect(await thefts(user.uid)).toBe(0);
});

test.each([
  ['the token before, after the minute', 61, ['first'], 'first'],
  ['the token before the last', 0, ['first', 'second'], 'first'],
  ['the token of an answer that was lost', 0, ['first', 'first late'], 'second'],
])('a use of %s is a theft: device and sessions end, and it is audited', async (_what, seconds, shown, copied) => {
  const { token, user, basepass } = await remembered();
  const tokens: Record<string, unknown> = { first: basepass };
  let newest = token;
  for (const name of shown) {
    if (name.endsWith(' late')) await age(11);
    const { data } = await enter(tokens[name.replace(' late', '')]);
    tokens.second ??= data.basepass;
    tokens.newest = data.basepass;
    newest = data.token ?? '';
  }
  await age(seconds);
  expect(await enter(tokens[copied])).toMatchObject({ error: 'device_unknown' });
  expect(await heron.whoAmI(newest)).toMatchObject({ error: 'not_logged_in' });
  expect(await enter(tokens.newest)).toMatchObject({ error: 'device_unknown' });
  expect(await thefts(user.uid)).toBe(1);
});

test('a theft ends one device of the account only', async () => {
  const { user, basepass } = await remembered();
  const login = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  const other = await heron.send('System.Device.remember', {}, bearer(login.data.token ?? ''));
  await enter(basepass);
  await age(61);
  await enter(basepass);
  expect(await heron.whoAmI(login.data.token ?? '')).toMatchObject({ code: 0 });
  expect(await enter(other.data.basepass)).toMatchObject({ code: 1 });
});

test('twenty windows that start together get the same next token', async () => {
  const { token, user, basepass } = await remembered();
  const answers = await Promise.all(Array.from({ length: 20 }, () => enter(basepass)));
  expect(answers.map(({ error }) => error)).toEqual(Array(20).fill(null));
  const next = new Set(answers.map(({ data }) => data.basepass));
  expect(next.size).toBe(1);
  expect(await heron.whoAmI(token)).toMatchObject({ error: 'not_logged_in' });
  for (const { data } of answers) expect(await heron.whoAmI(data.token)).toMatchObject({ code: 0 });
  expect(await thefts(user.uid)).toBe(0);
  // The next sign-in of the device ends the sessions of this one.
  const after = await enter([...next][0]);
  expect(after).toMatchObject({ code: 1 });
  for (const { data } of answers) expect(await heron.whoAmI(data.token)).toMatchObject({ error: 'not_logged_in' });
  expect(await heron.whoAmI(after.data.token)).toMatchObject({ code: 0 });
});

test('of two holders of one token, both lose access at the next rotation', async () => {
  const { user, basepass } = await remembered();
  const [owner, thief] = await Promise.all([enter(basepass), enter(basepass)]);
  const next = await enter(owner.data.basepass);
  expect(await heron.whoAmI(thief.data.token)).toMatchObject({ error: 'not_logged_in' });
  await age(61);
  expect(await enter(thief.data.basepass)).toMatchObject({ error: 'device_unknown' });
  expect(await heron.whoAmI(next.data.token)).toMatchObject({ error: 'not_logged_in' });
  expect(await enter(next.data.basepass)).toMatchObject({ error: 'device_unknown' });
  expect(await thefts(user.uid)).toBe(1);
});

test('the next token depends on the previous one and on a key', async () => {
  const { basepass } = await remembered();
  const { rows } = await heron.database.pool.query('select id from accounts.devices order by made_at desc limit 1');
  const { data } = await enter(basepass);
  expect(nextToken(createSecretKeys(SECRET), rows[0].id, basepass)).toBe(data.basepass);
  expect(nextToken(createSecretKeys('another'), rows[0].id, basepass)).not.toBe(data.basepass);
  expect(nextToken(createSecretKeys(SECRET), rows[0].id, 'A'.repeat(43))).not.toBe(data.basepass);
});

test('a session that was planted before a device signs in is ended', async () => {
  const planted = await heron.signUp(`member-${names++}`);
  const { basepass } = await remembered();
  const body = JSON.stringify({ method: 'System.Device.login', basepass });
  const headers = { 'content-type': 'application/json', cookie: `heron_session=${planted.token}` };
  const { status } = await heron.request('/api.php', { method: 'POST', headers, body });
  expect(status).toBe(200);
  expect(await heron.whoAmI(planted.token)).toMatchObject({ error: 'not_logged_in' });
});

test('a password change ends all devices, the own one included', async () => {
  const { token, basepass } = await remembered();
  const change = { old_password: PASSWORD, new_password: 'another heron 42 stands' };
  expect(await heron.send('System.Member.modifyPassword', change, bearer(token))).toMatchObject({ code: 0 });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect(await enter(basepass)).toMatchObject({ error: 'device_unknown' });
});

test('signing out forgets the device', async () => {
  const { token, basepass } = await remembered();
  await heron.send('System.Login.logout', {}, bearer(token));
  expect(await enter(basepass)).toMatchObject({ error: 'device_unknown' });
});

test('signing out everywhere forgets all devices', async () => {
  const { user, basepass } = await remembered();
  const login = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  await heron.send('System.Login.logout', { everywhere: true }, bearer(login.data.token ?? ''));
  expect(await enter(basepass)).toMatchObject({ error: 'device_unknown' });
});

test('a device whose session is ended elsewhere cannot sign in again', async () => {
  const { user, basepass } = await remembered();
  const login = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
  const own = bearer(login.data.token ?? '');
  const { data } = await heron.send('System.Session.list', {}, own);
  const sessions = data.sessions as { id: string; remembered: boolean }[];
  const { id } = sessions.find(({ remembered }) => remembered) ?? { id: '' };
  expect(await heron.send('System.Session.end', { id }, own)).toMatchObject({ code: 0 });
  expect(await enter(basepass)).toMatchObject({ error: 'device_unknown' });
});

test('ending all other sessions forgets their devices only', async () => {
  const away = await remembered();
  const login = await heron.send('System.Login.login', { username: away.user.username, password: PASSWORD });
  const own = bearer(login.data.token ?? '');
  const here = await heron.send('System.Device.remember', {}, own);
  await heron.send('System.Session.endOthers', {}, own);
  expect(await enter(away.basepass)).toMatchObject({ error: 'device_unknown' });
  expect(await enter(here.data.basepass)).toMatchObject({ code: 1 });
});

test('users list and forget their own devices only', async () => {
  const { token, basepass } = await remembered();
  const stranger = await heron.signUp(`member-${names++}`);
  const [device] = await devicesOf(token);
  expect(device).toMatchObject({ current: true });
  expect(await devicesOf(stranger.token)).toEqual([]);
  const forget = (by: string) => heron.send('System.Device.forget', { id: device?.id }, bearer(by));
  expect(await forget(stranger.token)).toMatchObject({ error: 'not_found' });
  expect(await forget(token)).toMatchObject({ code: 0 });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect(await enter(basepass)).toMatchObject({ error: 'device_unknown' });
});

test('the session of a device is no fresh proof', async () => {
  const { basepass } = await remembered();
  const { data } = await enter(basepass);
  expect(await heron.send('System.Device.remember', {}, bearer(data.token ?? ''))).toMatchObject({
    error: 'proof_needed',
  });
});

test('a device remembered twice is listed once, and its old token is used up', async () => {
  const { token, basepass } = await remembered();
  const { data } = await heron.send('System.Device.remember', {}, bearer(token));
  expect(await devicesOf(token)).toHaveLength(1);
  await age(61);
  expect(await enter(basepass)).toMatchObject({ error: 'device_unknown' });
  expect(await enter(data.basepass)).toMatchObject({ error: 'device_unknown' });
});

test('an idle device expires after 90 days, and a twenty-first replaces the oldest', async () => {
  const { basepass, user } = await remembered();
  await age(90 * 86_400 + 1);
  expect(await enter(basepass)).toMatchObject({ error: 'device_unknown' });
  expect(await thefts(user.uid)).toBe(0);
  let newest = '';
  for (let count = 0; count < 21; count++) {
    await heron.resetRateLimits();
    const login = await heron.send('System.Login.login', { username: user.username, password: PASSWORD });
    newest = login.data.token ?? '';
    expect(await heron.send('System.Device.remember', {}, bearer(newest))).toMatchObject({ code: 0 });
  }
  expect(await devicesOf(newest)).toHaveLength(20);
});

test('a device without a second factor does not bypass one set up later', async () => {
  const { token, user, basepass } = await remembered();
  await heron.database.pool.query(
    `insert into accounts.totps (user_id, sealed_secret, confirmed_at) values ($1, 'sealed', now())`,
    [user.id],
  );
  expect(await enter(basepass)).toMatchObject({ status: 401, error: 'second_factor_needed', cookie: null });
  // A device that was remembered in a session with a second factor can sign in.
  await heron.database.pool.query('update accounts.sessions set second_factor = true where token_hash = $1', [
    hashToken(token),
  ]);
  const { data } = await heron.send('System.Device.remember', {}, bearer(token));
  expect(await enter(data.basepass)).toMatchObject({ code: 1 });
});

test('session and device tokens are not logged', async () => {
  const { token, basepass } = await remembered();
  await enter(basepass);
  await enter(basepass);
  expect(heron.log()).not.toContain(basepass);
  expect(heron.log()).not.toContain(token);
});
