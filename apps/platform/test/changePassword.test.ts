import { expect, test } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

const heron = platformFixture();
const NEW_PASSWORD = 'heron flies away 42';
let people = 0;

const member = () => heron.signUp(`changer${people++}`);
const login = (username: string | null | undefined, password: string) =>
  heron.send('System.Login.login', { username, password });
const change = (token: string, new_password: string, old_password?: string) =>
  heron.send('System.Member.modifyPassword', { new_password, old_password }, bearer(token));

/** Creates a user who signs in by phone and has no password. */
async function withoutPassword(): Promise<{ token: string; mobile: string }> {
  const mobile = `139${String(people++).padStart(8, '0')}`;
  await heron.send('System.Login.sendMobileCode', { mobile });
  const { data } = await heron.send('System.Login.mobileLogin', { mobile, sms_captcha: await heron.codeFor(mobile) });
  return { token: data.token ?? '', mobile };
}

test('the old password sets a new one, which replaces it', async () => {
  const { token, user } = await member();
  expect(await change(token, NEW_PASSWORD, PASSWORD)).toMatchObject({ status: 200, code: 0, data: {} });
  expect(await login(user.username, PASSWORD)).toMatchObject({ error: 'login_failed' });
  expect(await login(user.username, NEW_PASSWORD)).toMatchObject({ code: 1 });
});

test('a change ends the other sessions and devices of this account only', async () => {
  const [{ token, user }, stranger] = [await member(), await member()];
  const other = await login(user.username, PASSWORD);
  const device = await heron.send('System.Device.remember', {}, bearer(other.data.token));
  await change(token, NEW_PASSWORD, PASSWORD);
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect(await heron.whoAmI(other.data.token)).toMatchObject({ error: 'not_logged_in' });
  expect(await heron.send('System.Device.login', { basepass: device.data.basepass })).not.toMatchObject({
    status: 200,
  });
  expect(await heron.whoAmI(stranger.token)).toMatchObject({ code: 0 });
});

test.each([
  ['no old password', undefined, NEW_PASSWORD, 'password_empty'],
  ['an empty old password', '', NEW_PASSWORD, 'password_empty'],
  ['a wrong old password', 'not the password', NEW_PASSWORD, 'password_wrong'],
  ['a new password that is empty', PASSWORD, '', 'password_empty'],
  ['a new password that is short', PASSWORD, 'short', 'password_too_short'],
  ['a new password that is common', PASSWORD, 'password123', 'password_common'],
])('%s changes nothing and ends nothing', async (_what, old, fresh, error) => {
  const { token, user } = await member();
  const other = await login(user.username, PASSWORD);
  expect(await change(token, fresh, old)).toMatchObject({ error });
  expect(await heron.whoAmI(other.data.token)).toMatchObject({ code: 0 });
  expect(await login(user.username, PASSWORD)).toMatchObject({ code: 1 });
});

test('a new password must not be the user’s own name', async () => {
  const { token, user } = await member();
  expect(await change(token, `${user.username}!!`, PASSWORD)).toMatchObject({ error: 'password_personal' });
});

test('one of five concurrent changes by one old password succeeds', async () => {
  const { token, user } = await member();
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => change(token, `heron password ${n}x`, PASSWORD)),
  );
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'password_wrong')).toHaveLength(4);
  const winner = answers.findIndex(({ code }) => code === 0);
  expect(await login(user.username, `heron password ${winner}x`)).toMatchObject({ code: 1 });
});

test('a stolen session cannot guess the old password faster than a sign-in', async () => {
  const { token } = await member();
  for (let n = 0; n < 5; n++) {
    expect(await change(token, NEW_PASSWORD, `guess ${n}`)).toMatchObject({ error: 'password_wrong' });
  }
  expect(await change(token, NEW_PASSWORD, PASSWORD)).toMatchObject({ status: 429, error: 'too_many_requests' });
});

test('a stolen session cannot name another account', async () => {
  const [own, other] = [await member(), await member()];
  await heron.send(
    'System.Member.modifyPassword',
    {
      new_password: NEW_PASSWORD,
      old_password: PASSWORD,
      uid: other.user.uid,
      id: other.user.id,
      userId: other.user.id,
    },
    bearer(own.token),
  );
  expect(await login(other.user.username, PASSWORD)).toMatchObject({ code: 1 });
});

test('a user without a password sets one with a fresh proof', async () => {
  const { token, mobile } = await withoutPassword();
  await heron.database.pool.query(
    `update accounts.sessions set proven_at = now() - interval '31 minutes' where token_hash = $1`,
    [hashToken(token)],
  );
  expect(await change(token, NEW_PASSWORD)).toMatchObject({ status: 403, error: 'proof_needed' });
  await heron.database.pool.query('update accounts.sessions set proven_at = now() where token_hash = $1', [
    hashToken(token),
  ]);
  expect(await change(token, NEW_PASSWORD)).toMatchObject({ code: 0 });
  expect(await login(mobile, NEW_PASSWORD)).toMatchObject({ code: 1 });
});

test('a change is audited without the password', async () => {
  const { token, user } = await member();
  await change(token, NEW_PASSWORD, PASSWORD);
  const { rows } = await heron.database.pool.query('select * from accounts.audit where target_uid = $1', [user.uid]);
  expect(rows).toEqual([
    expect.objectContaining({
      action: 'password.change',
      actor_uid: user.uid,
      address: '127.0.0.1',
      details: { disabled: 0 },
    }),
  ]);
});

test('a change needs a session', async () => {
  expect(await change('', NEW_PASSWORD, PASSWORD)).toMatchObject({ status: 401, error: 'not_logged_in' });
});
