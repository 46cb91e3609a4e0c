import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeAllFactors } from '../src/accounts/secondFactors/removeAllFactors.ts';
import { hashToken } from '../src/gateway/secretToken.ts';
import { createSessions } from '../src/gateway/sessions.ts';
import { addApp, codeOf, stopClock } from './authenticatorApp.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, type MethodResult, PASSWORD } from './testPlatform.ts';

const heron = platformFixture();
let names = 0;
afterAll(() => {
  vi.useRealTimers();
});
beforeEach(() => stopClock());

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const login = (username: string) => heron.send('System.Login.login', { username, password: PASSWORD });
const second = (ticket: string, shown: object) => heron.send('System.Login.secondFactor', { ticket, ...shown });
const ticketOf = (answer: MethodResult) => String(JSON.parse(answer.text).error.details.ticket);
/** Makes the newest code unused again. */
const forgetCodes = () => sql('update accounts.totps set last_step = 0');

async function member() {
  const name = `factor-${names++}`;
  return { name, ...(await heron.signUp(name)) };
}

async function withApp() {
  const person = await member();
  return { ...person, ...(await addApp(heron, person.token)), ticket: async () => ticketOf(await login(person.name)) };
}

test('an app gets a secret as text and URL, and counts after its first code', async () => {
  const { token, name } = await member();
  const { data } = await heron.send('System.SecondFactor.beginTotp', {}, bearer(token));
  expect(data).toEqual({
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    uri: `otpauth://totp/Heron:${name}?issuer=Heron&secret=${data.secret}&algorithm=SHA1&digits=6&period=30`,
  });
  const state = () => heron.send('System.SecondFactor.state', {}, bearer(token));
  expect((await state()).data).toMatchObject({ totp: false, recovery_codes_left: 0, in_session: false });
  const wrong = codeOf(String(data.uri)) === '000000' ? '000001' : '000000';
  for (const code of [wrong, '', 'abcdef', '1'.repeat(40)]) {
    expect(await heron.send('System.SecondFactor.confirmTotp', { code }, bearer(token))).toMatchObject({
      error: 'totp_wrong',
    });
  }
  expect(await login(name)).toMatchObject({ code: 1 });
  const code = ` ${codeOf(String(data.uri)).replace(/^.../, '$& ')}`;
  const { data: confirmed } = await heron.send('System.SecondFactor.confirmTotp', { code }, bearer(token));
  const codes = confirmed.recovery_codes as string[];
  expect(new Set(codes).size).toBe(10);
  for (const one of codes) expect(one).toMatch(/^[a-km-np-z2-9]{5}-[a-km-np-z2-9]{5}$/);
  expect((await state()).data).toEqual({
    totp: true,
    passkeys: 0,
    recovery_codes_left: 10,
    required: false,
    in_session: true,
  });
  expect(await heron.send('System.SecondFactor.beginTotp', {}, bearer(token))).toMatchObject({ error: 'totp_exists' });
});

test('after all factors are removed the password alone signs in', async () => {
  const { name, token, user, ticket } = await withApp();
  const begun = await ticket();
  const { database } = heron;
  await removeAllFactors({ database, sessions: createSessions(database) }, user.id);
  expect(await heron.send('System.Member.memberInfo', {}, bearer(token))).toMatchObject({ error: 'not_logged_in' });
  expect(await second(begun, { code: '000000' })).toMatchObject({ error: 'login_expired' });
  const entered = await login(name);
  expect(entered).toMatchObject({ code: 1 });
  const state = await heron.send('System.SecondFactor.state', {}, bearer(entered.data.token));
  expect(state.data).toMatchObject({ totp: false, passkeys: 0, recovery_codes_left: 0, in_session: false });
  const { rows } = await sql(`select actor_uid, details from accounts.audit where target_uid = $1 order by id`, [
    user.uid,
  ]);
  expect(rows.at(-1)).toEqual({ actor_uid: null, details: { kind: 'all' } });
});

test('an unconfirmed app is replaced by the next one', async () => {
  const { token } = await member();
  const first = await heron.send('System.SecondFactor.beginTotp', {}, bearer(token));
  const next = await heron.send('System.SecondFactor.beginTotp', {}, bearer(token));
  const confirm = (uri: unknown) =>
    heron.send('System.SecondFactor.confirmTotp', { code: codeOf(String(uri)) }, bearer(token));
  expect(await confirm(first.data.uri)).toMatchObject({ error: 'totp_wrong' });
  expect(await confirm(next.data.uri)).toMatchObject({ code: 0 });
  expect(await confirm(next.data.uri)).toMatchObject({ error: 'totp_exists' });
});

test('one of ten concurrent confirmations succeeds, with one set of codes', async () => {
  const { token } = await member();
  const { data } = await heron.send('System.SecondFactor.beginTotp', {}, bearer(token));
  const code = codeOf(String(data.uri));
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => heron.send('System.SecondFactor.confirmTotp', { code }, bearer(token))),
  );
  expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
  const state = await heron.send('System.SecondFactor.state', {}, bearer(token));
  expect(state.data).toMatchObject({ recovery_codes_left: 10 });
});

describe('a user with an app', () => {
  test('gets a ticket for the second factor instead of a session', async () => {
    const { name, uri } = await withApp();
    const first = await login(name);
    expect(first).toMatchObject({ status: 401, error: 'second_factor_needed', cookie: null, data: null });
    expect(JSON.parse(first.text).error.details).toEqual({
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      kinds: 'totp',
    });
    const done = await second(ticketOf(first), { code: codeOf(uri) });
    expect(done).toMatchObject({ code: 1, data: { user_info: { username: name } } });
    expect(done.cookie).toBe(`heron_session=${done.data.token}`);
    const state = await heron.send('System.SecondFactor.state', {}, bearer(done.data.token ?? ''));
    expect(state.data).toMatchObject({ in_session: true });
  });

  test('uses each code once, and none older than the last one', async () => {
    const { uri, ticket } = await withApp();
    expect(await second(await ticket(), { code: codeOf(uri) })).toMatchObject({ code: 1 });
    for (const steps of [0, -1])
      expect(await second(await ticket(), { code: codeOf(uri, steps) })).toMatchObject({
        error: 'second_factor_wrong',
      });
    expect(await second(await ticket(), { code: codeOf(uri, 1) })).toMatchObject({ code: 1 });
  });

  test('may have a clock that is one step off, not two', async () => {
    const { uri, ticket } = await withApp();
    for (const [steps, expected] of [
      [-2, { error: 'second_factor_wrong' }],
      [2, { error: 'second_factor_wrong' }],
      [-1, { code: 1 }],
      [1, { code: 1 }],
    ] as const) {
      expect(await second(await ticket(), { code: codeOf(uri, steps) })).toMatchObject(expected);
    }
  });

  test('gets one session of ten concurrent uses of a code', async () => {
    const { uri, ticket } = await withApp();
    const one = await ticket();
    const by = (tickets: string[]) => Promise.all(tickets.map((each) => second(each, { code: codeOf(uri) })));
    expect((await by(Array(10).fill(one))).filter(({ code }) => code === 1)).toHaveLength(1);
    await forgetCodes();
    await heron.resetRateLimits();
    const tickets: string[] = [];
    for (let n = 0; n < 10; n++) tickets.push(await ticket());
    expect((await by(tickets)).filter(({ code }) => code === 1)).toHaveLength(1);
  });

  test('has five tries per ticket', async () => {
    const { uri, ticket } = await withApp();
    const tried = await ticket();
    for (let tries = 0; tries < 5; tries++)
      expect(await second(tried, { recovery_code: 'aaaaa-aaaaa' })).toMatchObject({ error: 'second_factor_wrong' });
    expect(await second(tried, { code: codeOf(uri) })).toMatchObject({ status: 401, error: 'login_expired' });
    expect(await second(await ticket(), { code: codeOf(uri) })).toMatchObject({ code: 1 });
  });

  test('is protected against guesses with new tickets from any address', async () => {
    const { uri, ticket } = await withApp();
    const wrong = codeOf(uri) === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 10; tries++)
      expect(await second(await ticket(), { code: wrong })).toMatchObject({ error: 'second_factor_wrong' });
    expect(await second(await ticket(), { code: codeOf(uri) })).toMatchObject({
      status: 429,
      error: 'too_many_requests',
    });
    await sql('update accounts.rate_limits set expire = expire - $1', [901_000]);
    expect(await second(await ticket(), { code: codeOf(uri) })).toMatchObject({ code: 1 });
  });

  test('is protected against guesses all day long', async () => {
    const { uri, ticket } = await withApp();
    const wrong = codeOf(uri) === '000000' ? '000001' : '000000';
    for (let round = 0; round < 6; round++) {
      const [one, other] = [await ticket(), await ticket()];
      for (let tries = 0; tries < 10; tries++)
        expect(await second(tries < 5 ? one : other, { code: wrong })).toMatchObject({ error: 'second_factor_wrong' });
      await sql(`update accounts.rate_limits set expire = expire - 901000 where key like 'second-factor:%'`);
    }
    const refused = await second(await ticket(), { code: codeOf(uri) });
    expect(refused).toMatchObject({ error: 'too_many_requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
  });

  test('needs a valid ticket of this purpose and account', async () => {
    const { uri, ticket, token } = await withApp();
    const other = await withApp();
    const late = await ticket();
    await sql(`update accounts.tickets set expires_at = now() - interval '1 second'`);
    for (const none of [late, 'A'.repeat(43), '', "' or true --", token, hashToken(late)])
      expect(await second(none, { code: codeOf(uri) })).toMatchObject({ error: 'login_expired' });
    expect(await second(await other.ticket(), { code: codeOf(uri) })).toMatchObject({ error: 'second_factor_wrong' });
    const wrongPurpose = await ticket();
    await sql(`update accounts.tickets set purpose = 'reset-password' where ticket_hash = $1`, [
      hashToken(wrongPurpose),
    ]);
    expect(await second(wrongPurpose, { code: codeOf(uri) })).toMatchObject({ error: 'login_expired' });
  });

  test('cannot sign in without any factor', async () => {
    const { ticket } = await withApp();
    for (const shown of [{}, { code: '' }, { recovery_code: '' }])
      expect(await second(await ticket(), shown)).toMatchObject({ error: 'second_factor_wrong' });
  });

  test('who was deleted between the steps gets no session', async () => {
    const { name, uri, ticket } = await withApp();
    const begun = await ticket();
    await sql('update accounts.users set deleted_at = now() where username = $1', [name]);
    expect(await second(begun, { code: codeOf(uri) })).toMatchObject({ status: 401, cookie: null });
  });

  test('has a sealed secret and hashed recovery codes, none of them logged', async () => {
    const { uri, ticket, recoveryCodes } = await withApp();
    const begun = await ticket();
    await second(begun, { recovery_code: recoveryCodes[0] });
    const secret = new URL(uri).searchParams.get('secret') ?? 'none';
    const { rows: totps } = await sql('select * from accounts.totps');
    const { rows: codes } = await sql('select * from accounts.recovery_codes');
    const { rows: tickets } = await sql('select * from accounts.tickets');
    const kept = JSON.stringify([totps, codes, tickets]);
    for (const text of [secret, begun, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))]) {
      expect(kept).not.toContain(text);
      expect(heron.log()).not.toContain(text);
    }
  });
});

describe('a recovery code', () => {
  test('replaces the app once, in any spelling, and is audited', async () => {
    const { ticket, recoveryCodes, user } = await withApp();
    const [one = '', other = ''] = recoveryCodes;
    expect(await second(await ticket(), { recovery_code: ` ${one.toUpperCase().replace('-', ' ')}` })).toMatchObject({
      code: 1,
    });
    expect(await second(await ticket(), { recovery_code: one })).toMatchObject({ error: 'second_factor_wrong' });
    expect(await second(await ticket(), { recovery_code: other })).toMatchObject({ code: 1 });
    const { rows } = await sql(`select * from accounts.audit where action = 'second-factor.recovery'`);
    expect(rows.filter((row) => row.target_uid === user.uid)).toHaveLength(2);
  });

  test('gives one session of ten concurrent uses', async () => {
    const { ticket, recoveryCodes } = await withApp();
    const tickets = [await ticket(), await ticket()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => second(tickets[n % 2] ?? '', { recovery_code: recoveryCodes[0] })),
    );
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
  });

  test('of another user is invalid', async () => {
    const [own, other] = [await withApp(), await withApp()];
    expect(await second(await own.ticket(), { recovery_code: other.recoveryCodes[0] })).toMatchObject({
      error: 'second_factor_wrong',
    });
  });

  test('is invalid once new ones are created', async () => {
    const { token, ticket, recoveryCodes } = await withApp();
    const { data } = await heron.send('System.SecondFactor.newRecoveryCodes', {}, bearer(token));
    const [fresh] = data.recovery_codes as string[];
    expect(await second(await ticket(), { recovery_code: recoveryCodes[0] })).toMatchObject({
      error: 'second_factor_wrong',
    });
    expect(await second(await ticket(), { recovery_code: fresh })).toMatchObject({ code: 1 });
  });

  test('needs a second factor', async () => {
    const { token } = await member();
    expect(await heron.send('System.SecondFactor.newRecoveryCodes', {}, bearer(token))).toMatchObject({
      error: 'second_factor_none',
    });
  });
});

test('removing the app ends other sessions, drops recovery codes, and is audited', async () => {
  const { name, token, uri, user, ticket } = await withApp();
  const other = await second(await ticket(), { code: codeOf(uri) });
  expect(await heron.send('System.SecondFactor.removeTotp', {}, bearer(token))).toMatchObject({ code: 0 });
  expect(await heron.whoAmI(other.data.token ?? '')).toMatchObject({ error: 'not_logged_in' });
  expect(await heron.whoAmI(token)).toMatchObject({ code: 0 });
  expect((await heron.send('System.SecondFactor.state', {}, bearer(token))).data).toEqual({
    totp: false,
    passkeys: 0,
    recovery_codes_left: 0,
    required: false,
    in_session: false,
  });
  expect(await login(name)).toMatchObject({ code: 1 });
  const { rows } = await sql(
    'select action, actor_uid, details from accounts.audit where target_uid = $1 order by id',
    [user.uid],
  );
  expect(rows).toEqual([
    { action: 'second-factor.add', actor_uid: user.uid, details: { kind: 'totp' } },
    { action: 'second-factor.remove', actor_uid: user.uid, details: { kind: 'totp' } },
  ]);
  expect(await heron.send('System.SecondFactor.removeTotp', {}, bearer(token))).toMatchObject({ error: 'not_found' });
});

test.each(['beginTotp', 'confirmTotp', 'removeTotp', 'newRecoveryCodes'])(
  '%s needs a proof of the last 30 minutes',
  async (what) => {
    const { token, uri } = await withApp();
    await sql(`update accounts.sessions set proven_at = now() - interval '35 minutes' where token_hash = $1`, [
      hashToken(token),
    ]);
    const ask = (headers = {}) => heron.send(`System.SecondFactor.${what}`, { code: codeOf(uri) }, headers);
    expect(await ask(bearer(token))).toMatchObject({ status: 403, error: 'proof_needed' });
    expect(await ask()).toMatchObject({ error: 'not_logged_in' });
  },
);

test('editors without a required second factor cannot act as editors', async () => {
  const { name, token, user } = await member();
  await sql('update accounts.users set group_id = 3 where uid = $1', [user.uid]);
  const { data: earlier } = await login(name);
  const list = (of = '') => heron.send('System.Member.memberList', {}, bearer(of));
  expect(await list(token)).toMatchObject({ code: 0 });
  await sql('update accounts.settings set editors_need_second_factor = true');
  expect(await list(token)).toMatchObject({ status: 403, error: 'second_factor_missing' });
  const state = await heron.send('System.SecondFactor.state', {}, bearer(token));
  expect(state.data).toMatchObject({ required: true, in_session: false });
  const { uri } = await addApp(heron, token);
  expect(await list(token)).toMatchObject({ code: 0 });
  expect(await list(earlier.token)).toMatchObject({ error: 'second_factor_missing' });
  const code = () => codeOf(uri);
  const prove = (shown: object) => heron.send('System.Session.prove', shown, bearer(earlier.token));
  expect(await prove({ password: PASSWORD })).toMatchObject({ error: 'second_factor_proof' });
  expect(await list(earlier.token)).toMatchObject({ error: 'second_factor_missing' });
  expect(await prove({ password: PASSWORD, code: code() })).toMatchObject({ code: 0 });
  expect(await list(earlier.token)).toMatchObject({ code: 0 });
  await forgetCodes();
  const { data: later } = await second(ticketOf(await login(name)), { code: code() });
  expect(await list(later.token)).toMatchObject({ code: 0 });
  await heron.send('System.SecondFactor.removeTotp', {}, bearer(later.token));
  expect(await list(later.token)).toMatchObject({ error: 'second_factor_missing' });
  await sql('update accounts.settings set editors_need_second_factor = false');
});
