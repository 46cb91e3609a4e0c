import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { addApp, codeOf, stopClock } from './authenticatorApp.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

const heron = platformFixture();
const NEW_PASSWORD = 'the reeds stand still 7';

let names = 0;
afterAll(() => {
  vi.useRealTimers();
});
beforeEach(() => stopClock());

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const prove = (token: string, shown: object) => heron.send('System.Session.prove', shown, bearer(token));

/** Makes the last proof of a session 31 minutes old. */
const age = (token: string) =>
  sql(`update accounts.sessions set proven_at = now() - interval '31 minutes' where token_hash = $1`, [
    hashToken(token),
  ]);

async function withApp() {
  const name = `fresh-${names++}`;
  const { token, user } = await heron.signUp(name);
  return { name, token, user, ...(await addApp(heron, token)) };
}

/** Methods that weaken an account or could give it to another user. */
const WEAKENING: readonly (readonly [string, (uid: number) => object])[] = [
  ['SecondFactor.removeTotp', () => ({})],
  ['SecondFactor.newRecoveryCodes', () => ({})],
  ['SecondFactor.beginTotp', () => ({})],
  ['Passkey.beginRegistration', () => ({})],
  ['Passkey.remove', () => ({ id: 'x' })],
  ['Member.sendContactCode', () => ({ email: 'new@mail.example' })],
  ['Member.changeContact', () => ({ email: 'new@mail.example', code: '123456' })],
  ['Member.modifyPassword', () => ({ old_password: PASSWORD, new_password: NEW_PASSWORD })],
  ['Member.deleteAccount', (uid) => ({ uid, password: PASSWORD })],
  ['Identity.unlink', () => ({ provider: 'wechat' })],
  ['Device.remember', () => ({})],
];

describe('with a second factor', () => {
  test.each(WEAKENING)('the password alone is no proof for %s', async (what, payload) => {
    const { token, user } = await withApp();
    await age(token);
    const act = () => heron.send(`System.${what}`, payload(user.uid), bearer(token));
    expect(await act()).toMatchObject({ status: 403, error: 'proof_needed' });
    expect(await prove(token, { password: PASSWORD })).toMatchObject({ status: 403, error: 'second_factor_proof' });
    expect(await act()).toMatchObject({ status: 403, error: 'proof_needed' });
  });

  test('the code alone is no proof; password and code together are', async () => {
    const { token, uri } = await withApp();
    await age(token);
    expect(await prove(token, { code: codeOf(uri) })).toMatchObject({ error: 'password_empty' });
    const wrong = codeOf(uri) === '000000' ? '000001' : '000000';
    expect(await prove(token, { password: PASSWORD, code: wrong })).toMatchObject({ error: 'second_factor_wrong' });
    expect(await prove(token, { password: 'not the one 12', code: codeOf(uri) })).toMatchObject({
      error: 'password_wrong',
    });
    const change = (old_password: string) =>
      heron.send('System.Member.modifyPassword', { old_password, new_password: NEW_PASSWORD }, bearer(token));
    expect(await change(PASSWORD)).toMatchObject({ error: 'proof_needed' });
    expect(await prove(token, { password: PASSWORD, code: codeOf(uri) })).toMatchObject({ code: 0 });
    expect(await change('not the one 12')).toMatchObject({ error: 'password_wrong' });
    expect(await change(PASSWORD)).toMatchObject({ code: 0 });
  });

  test('a recovery code replaces the app once, and survives a wrong password', async () => {
    const { token, recoveryCodes } = await withApp();
    const [recovery_code] = recoveryCodes;
    await age(token);
    expect(await prove(token, { password: 'not the one 12', recovery_code })).toMatchObject({
      error: 'password_wrong',
    });
    expect(await prove(token, { password: PASSWORD, recovery_code })).toMatchObject({ code: 0 });
    expect(await heron.send('System.SecondFactor.removeTotp', {}, bearer(token))).toMatchObject({ code: 0 });
    expect(await prove(token, { password: PASSWORD, recovery_code })).toMatchObject({ code: 0 });
    const other = await withApp();
    await age(other.token);
    const used = { password: PASSWORD, recovery_code: other.recoveryCodes[0] };
    expect(await prove(other.token, used)).toMatchObject({ code: 0 });
    expect(await prove(other.token, used)).toMatchObject({ error: 'second_factor_wrong' });
  });

  test('a user without a password proves by the code alone', async () => {
    const { token, uri, user } = await withApp();
    await sql('update accounts.users set password_hash = null where uid = $1', [user.uid]);
    await age(token);
    expect(await prove(token, { password: PASSWORD })).toMatchObject({ error: 'second_factor_proof' });
    expect(await prove(token, { code: codeOf(uri) })).toMatchObject({ code: 0 });
  });

  test('a session from before the second factor has no sufficient proof', async () => {
    const name = `fresh-${names++}`;
    const { token } = await heron.signUp(name);
    const { data } = await heron.send('System.Login.login', { username: name, password: PASSWORD });
    const { uri } = await addApp(heron, token);
    const remove = () => heron.send('System.SecondFactor.removeTotp', {}, bearer(data.token));
    expect(await remove()).toMatchObject({ error: 'proof_needed' });
    expect(await prove(data.token ?? '', { password: PASSWORD, code: codeOf(uri) })).toMatchObject({ code: 0 });
    expect(await remove()).toMatchObject({ code: 0 });
  });
});

test('without a second factor the password is the proof, and other fields are ignored', async () => {
  const { token } = await heron.signUp(`fresh-${names++}`);
  await age(token);
  expect(await prove(token, {})).toMatchObject({ error: 'proof_needed' });
  expect(await prove(token, { code: '123456' })).toMatchObject({ error: 'second_factor_wrong' });
  expect(await prove(token, { password: PASSWORD, code: '123456' })).toMatchObject({ code: 0 });
  const state = await heron.send('System.SecondFactor.state', {}, bearer(token));
  expect(state.data).toMatchObject({ in_session: false });
});
