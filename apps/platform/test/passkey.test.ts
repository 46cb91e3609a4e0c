import { beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { addApp } from './authenticatorApp.ts';
import { platformFixture } from './platformFixture.ts';
import { type Ceremony, type SoftwarePasskey, softwarePasskey } from './softwarePasskey.ts';
import { bearer, type MethodResult, PASSWORD, startTestPlatform, until } from './testPlatform.ts';

const heron = platformFixture();
let origin: string;
let names = 0;
beforeAll(async () => {
  origin = heron.platform.url.replace('127.0.0.1', 'localhost');
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
/** Calls a method as a page under `localhost` does. */
const call = (method: string, payload: object = {}, headers: object = {}) =>
  heron.send(`System.${method}`, payload, { host: new URL(origin).host, origin, ...headers });

async function member() {
  const name = `passkey-${names++}`;
  return { name, ...(await heron.signUp(name)) };
}

async function addKey(token: string, how: Partial<Ceremony> = {}, key = softwarePasskey(), name = 'My phone') {
  const { data } = await call('Passkey.beginRegistration', {}, bearer(token));
  const response = key.create(data.options as Parameters<SoftwarePasskey['create']>[0], { origin, ...how });
  return { key, added: await call('Passkey.finishRegistration', { response, name }, bearer(token)) };
}

async function withKey(how: Partial<Ceremony> = {}) {
  const person = await member();
  const { key, added } = await addKey(person.token, how);
  return { ...person, key, recoveryCodes: added.data.recovery_codes as string[] };
}

const begin = async () => (await call('Passkey.beginLogin')).data.options as { challenge: string; rpId: string };
const finish = (response: object): Promise<MethodResult> => call('Passkey.finishLogin', { response });
const enter = async (key: SoftwarePasskey, how: Partial<Ceremony> = {}) =>
  finish(key.get(await begin(), { origin, ...how }));

test('the options request a discoverable passkey with user verification', async () => {
  const { token, name, user } = await member();
  const { data } = await call('Passkey.beginRegistration', {}, bearer(token));
  expect(data.options).toMatchObject({
    rp: { name: 'Heron', id: 'localhost' },
    user: { name, displayName: name },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  });
  const { user: described } = data.options as { user: { id: string } };
  expect(Buffer.from(described.id, 'base64url').toString()).toBe(`heron ${user.uid}`);
  const { key } = await addKey(token);
  const again = await call('Passkey.beginRegistration', {}, bearer(token));
  expect(again.data.options).toMatchObject({ excludeCredentials: [{ id: key.id, type: 'public-key' }] });
});

test('a passkey signs in alone and counts as two factors', async () => {
  const { key, name } = await withKey();
  const entered = await enter(key);
  expect(entered).toMatchObject({ code: 1, data: { user_info: { username: name } } });
  expect(entered.cookie).toBe(`heron_session=${entered.data.token}`);
  const state = await call('SecondFactor.state', {}, bearer(entered.data.token ?? ''));
  expect(state.data).toMatchObject({ passkeys: 1, totp: false, in_session: true, recovery_codes_left: 10 });
});

test('a passkey or a recovery code is required after the password', async () => {
  const { key, name, recoveryCodes } = await withKey();
  const other = await withKey();
  const login = async () => {
    const answer = await call('Login.login', { username: name, password: PASSWORD });
    expect(answer).toMatchObject({ error: 'second_factor_needed', cookie: null });
    const { ticket, kinds } = JSON.parse(answer.text).error.details;
    expect(kinds).toBe('passkey');
    return ticket;
  };
  const second = async (shown: object) => call('Login.secondFactor', { ticket: await login(), ...shown });
  expect(await second({ passkey: other.key.get(await begin(), { origin }) })).toMatchObject({
    error: 'second_factor_wrong',
  });
  expect(await second({ passkey: key.get(await begin(), { origin }) })).toMatchObject({ code: 1 });
  expect(await second({ recovery_code: recoveryCodes[3] })).toMatchObject({ code: 1 });
});

test('a passkey is a fresh proof', async () => {
  const { key, token } = await withKey();
  const other = await withKey();
  await sql(`update accounts.sessions set proven_at = now() - interval '1 hour' where token_hash = $1`, [
    hashToken(token),
  ]);
  const remove = () => call('Passkey.remove', { id: 'unknown' }, bearer(token));
  expect(await remove()).toMatchObject({ error: 'proof_needed' });
  const prove = async (by: SoftwarePasskey) =>
    call('Session.prove', { passkey: by.get(await begin(), { origin }) }, bearer(token));
  expect(await prove(other.key)).toMatchObject({ error: 'second_factor_wrong' });
  expect(await remove()).toMatchObject({ error: 'proof_needed' });
  expect(await prove(key)).toMatchObject({ code: 0 });
  expect(await remove()).toMatchObject({ error: 'not_found' });
});

describe('a sign-in is rejected when', () => {
  test.each<[string, Partial<Ceremony>]>([
    ['the page is of another site', { origin: 'https://evil.example' }],
    ['the page is of another program on this machine', { origin: 'http://localhost:1' }],
    ['the page has our address and not our name', { origin: 'http://127.0.0.1' }],
    ['it was signed for another site', { rpId: 'evil.example' }],
    ['nobody touched the key', { flags: 0x04 }],
    ['finger, face or PIN were not checked', { flags: 0x01 }],
    ['it answers the options of a registration', { type: 'webauthn.create' }],
    ['our page was inside of a page of another site', { crossOrigin: true }],
    ['the key says that it is of somebody else', { userHandle: Buffer.from('heron 1').toString('base64url') }],
  ])('%s', async (_why, how) => {
    const { key } = await withKey();
    expect(await enter(key, how)).toMatchObject({ status: 422, error: 'passkey_refused', cookie: null });
    expect(await enter(key)).toMatchObject({ code: 1 });
  });

  test('the challenge is unknown, used, expired, or of a registration', async () => {
    const { key, token } = await withKey();
    const options = await begin();
    const answer = key.get(options, { origin });
    expect(await finish(answer)).toMatchObject({ code: 1 });
    expect(await finish(answer)).toMatchObject({ error: 'passkey_refused' });
    // This is a new signature of the old challenge, with a higher counter.
    expect(await finish(key.get(options, { origin }))).toMatchObject({ error: 'passkey_refused' });
    for (const challenge of ['A'.repeat(43), '', 'not one']) {
      expect(await finish(key.get({ ...options, challenge }, { origin }))).toMatchObject({ error: 'passkey_refused' });
    }
    const late = await begin();
    await sql(`update accounts.tickets set expires_at = now() - interval '1 second'`);
    expect(await finish(key.get(late, { origin }))).toMatchObject({ error: 'passkey_refused' });
    const { data } = await call('Passkey.beginRegistration', {}, bearer(token));
    const { challenge } = data.options as { challenge: string };
    expect(await finish(key.get({ ...options, challenge }, { origin }))).toMatchObject({ error: 'passkey_refused' });
  });

  test('the challenge was used before, even for a wrong response', async () => {
    const { key } = await withKey();
    const options = await begin();
    expect(await finish(key.get(options, { origin, flags: 0 }))).toMatchObject({ error: 'passkey_refused' });
    expect(await finish(key.get(options, { origin }))).toMatchObject({ error: 'passkey_refused' });
  });

  test('the counter does not grow', async () => {
    const { key } = await withKey({ counter: 7 });
    expect(await enter(key, { counter: 9 })).toMatchObject({ code: 1 });
    for (const counter of [9, 8, 0]) expect(await enter(key, { counter })).toMatchObject({ error: 'passkey_refused' });
    expect(await enter(key, { counter: 10 })).toMatchObject({ code: 1 });
  });

  test('the signature is of another key or of other data', async () => {
    const { key } = await withKey();
    const stranger = softwarePasskey();
    const forged = { ...stranger.get(await begin(), { origin, userHandle: '' }), id: key.id, rawId: key.id };
    expect(await finish(forged)).toMatchObject({ error: 'passkey_refused' });
    const honest = key.get(await begin(), { origin }) as { response: { authenticatorData: string } };
    const data = Buffer.from(honest.response.authenticatorData, 'base64url');
    data.writeUInt32BE(4_000_000_000, 33);
    const raised = { ...honest, response: { ...honest.response, authenticatorData: data.toString('base64url') } };
    expect(await finish(raised)).toMatchObject({ error: 'passkey_refused' });
  });

  test('the account was deleted', async () => {
    const { key, name } = await withKey();
    await sql('update accounts.users set deleted_at = now() where username = $1', [name]);
    expect(await enter(key)).toMatchObject({ status: 403, error: 'account_deleted', cookie: null });
  });
});

test('one of ten concurrent uses of one response gets a session', async () => {
  const { key } = await withKey();
  const answer = key.get(await begin(), { origin });
  const answers = await Promise.all(Array.from({ length: 10 }, () => finish(answer)));
  expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
});

test('a key without a counter works repeatedly', async () => {
  const { key } = await withKey({ counter: 0 });
  for (let times = 0; times < 3; times++) expect(await enter(key, { counter: 0 })).toMatchObject({ code: 1 });
});

describe('a registration is rejected when', () => {
  test.each<[string, Partial<Ceremony>]>([
    ['the page is of another site', { origin: 'https://evil.example' }],
    ['it is for another site', { rpId: 'evil.example' }],
    ['finger, face or PIN were not checked', { flags: 0x01 }],
    ['it answers the options of a login', { type: 'webauthn.get' }],
    ['our page was inside of a page of another site', { crossOrigin: true }],
  ])('%s', async (_why, how) => {
    const { token } = await member();
    const { added, key } = await addKey(token, how);
    expect(added).toMatchObject({ error: 'passkey_refused' });
    expect(await enter(key)).toMatchObject({ error: 'passkey_refused' });
  });

  test('the key is already registered for any user', async () => {
    const { key, token } = await withKey();
    const other = await member();
    for (const session of [token, other.token]) {
      expect((await addKey(session, {}, key)).added).toMatchObject({ error: 'passkey_refused' });
    }
  });

  test('the options are of another user, or used', async () => {
    const [own, other] = [await member(), await member()];
    const { data } = await call('Passkey.beginRegistration', {}, bearer(other.token));
    const options = data.options as Parameters<SoftwarePasskey['create']>[0];
    const register = () =>
      call(
        'Passkey.finishRegistration',
        { response: softwarePasskey().create(options, { origin }) },
        bearer(own.token),
      );
    expect(await register()).toMatchObject({ error: 'passkey_refused' });
    const fresh = await call('Passkey.beginRegistration', {}, bearer(own.token));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call(
          'Passkey.finishRegistration',
          {
            response: softwarePasskey().create(fresh.data.options as Parameters<SoftwarePasskey['create']>[0], {
              origin,
            }),
          },
          bearer(own.token),
        ),
      ),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  });

  test('the user has twenty passkeys', async () => {
    const { token, name } = await member();
    await sql(
      `insert into accounts.passkeys (id, user_id, public_key, counter, name)
       select 'filler-' || u.id || '-' || n, u.id, '', 0, 'x' from accounts.users u, generate_series(1, 20) n where username = $1`,
      [name],
    );
    await sql('update accounts.sessions set second_factor = true where token_hash = $1', [hashToken(token)]);
    expect(await call('Passkey.beginRegistration', {}, bearer(token))).toMatchObject({ error: 'passkey_limit' });
  });

  test('the proof is older than 30 minutes, or missing', async () => {
    const { token } = await member();
    await sql(`update accounts.sessions set proven_at = now() - interval '31 minutes' where token_hash = $1`, [
      hashToken(token),
    ]);
    expect(await call('Passkey.beginRegistration', {}, bearer(token))).toMatchObject({ error: 'proof_needed' });
    expect(await call('Passkey.beginRegistration')).toMatchObject({ error: 'not_logged_in' });
  });
});

test('users list, rename and remove their own passkeys only', async () => {
  const { key, token, name, user } = await withKey();
  const other = await withKey();
  const list = async () => (await call('Passkey.list', {}, bearer(token))).data.passkeys;
  expect(await list()).toEqual([{ id: key.id, name: 'My phone', made_at: expect.any(Number), used_at: null }]);
  const session = await enter(key);
  const renamed = await call('Passkey.rename', { id: key.id, name: ' Key\u202e\u0000 of 苍鹭 ' }, bearer(token));
  expect(renamed.data).toEqual({ name: 'Key of 苍鹭' });
  expect(await list()).toMatchObject([{ name: 'Key of 苍鹭', used_at: expect.any(Number) }]);
  for (const method of ['Passkey.rename', 'Passkey.remove']) {
    for (const id of [other.key.id, '', '\u0000', 'A'.repeat(1_000)])
      expect(await call(method, { id, name: 'x' }, bearer(token))).toMatchObject({ status: 404, error: 'not_found' });
  }
  expect(await call('Passkey.remove', { id: key.id }, bearer(token))).toMatchObject({ code: 0 });
  expect(await list()).toEqual([]);
  expect(await enter(key)).toMatchObject({ error: 'passkey_refused' });
  expect(await call('Member.memberInfo', {}, bearer(session.data.token ?? ''))).toMatchObject({
    error: 'not_logged_in',
  });
  expect(await call('Login.login', { username: name, password: PASSWORD })).toMatchObject({ code: 1 });
  expect((await call('SecondFactor.state', {}, bearer(token))).data).toMatchObject({
    recovery_codes_left: 0,
    in_session: false,
  });
  const { rows } = await sql('select action from accounts.audit where target_uid = $1 order by id', [user.uid]);
  expect(rows.map(({ action }) => action)).toEqual(['second-factor.add', 'second-factor.remove']);
});

test('the last sign-in method stays, also for two concurrent removals', async () => {
  const { key, token, name } = await withKey();
  const { key: second } = await addKey(token);
  await sql('update accounts.users set password_hash = null where username = $1', [name]);
  const remove = (id: string) => call('Passkey.remove', { id }, bearer(token));
  const answers = await Promise.all([remove(key.id), remove(second.id)]);
  expect(answers.map(({ error }) => error ?? '').sort()).toEqual(['', 'last_way_in']);
});

test('removing the last two factors at once clears codes and sessions', async () => {
  const { key, token, user } = await withKey();
  await addApp(heron, token);
  // The lock stops both between the removal and the end of their transaction.
  const holding = await heron.database.pool.connect();
  await holding.query('begin; lock table accounts.audit in share mode');
  const removals = Promise.all([
    call('SecondFactor.removeTotp', {}, bearer(token)),
    call('Passkey.remove', { id: key.id }, bearer(token)),
  ]);
  await until(async () => {
    const { rows } = await sql(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].count === 2;
  });
  await holding.query('commit');
  holding.release();
  expect((await removals).map(({ error }) => error)).toEqual([null, null]);
  const { rows } = await sql(
    `select (select count(*)::int from accounts.recovery_codes where user_id = $1) as codes,
       (select count(*)::int from accounts.sessions where user_id = $1 and second_factor) as proven`,
    [user.id],
  );
  expect(rows).toEqual([{ codes: 0, proven: 0 }]);
});

test('passkeys fail at an IP address, and the error names the right address', async () => {
  const { token } = await member();
  for (const answer of [
    await heron.send('System.Passkey.beginRegistration', {}, bearer(token)),
    await heron.send('System.Passkey.beginLogin'),
  ]) {
    expect(answer).toMatchObject({ status: 409, error: 'passkey_address' });
    expect(answer.message).toContain(origin);
  }
});

test('passkeys belong to the name of the public address', async () => {
  const public_ = await startTestPlatform({ publicUrl: 'https://heron.example' });
  const headers = { host: 'heron.example', origin: 'https://heron.example' };
  const begun = await public_.send('System.Passkey.beginLogin', {}, headers);
  expect(begun.data.options).toMatchObject({ rpId: 'heron.example' });
  const elsewhere = await public_.send('System.Passkey.beginLogin');
  expect(elsewhere.message).toContain('https://heron.example');
  await public_.stop();
});
