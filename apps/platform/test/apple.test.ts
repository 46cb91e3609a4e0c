import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeApple, startFakeApple } from '../src/testing/fakeApple.ts';
import { startFakeBotHost } from './fakeBotHost.ts';
import { bearer, type MethodResult, startTestPlatform, type TestPlatform, until } from './testPlatform.ts';

const SERVICES = 'example.heron.web';
const BUNDLE = 'example.heron.app';
const BACK = 'https://heron.example/user-login/apple/';

let heron: TestPlatform;
let apple: FakeApple;
let people = 0;
beforeAll(async () => {
  apple = await startFakeApple([SERVICES, BUNDLE]);
  const { url, teamId, keyId, privateKey } = apple;
  heron = await startTestPlatform({
    publicUrl: 'https://heron.example',
    apple: { teamId, keyId, privateKey, servicesId: SERVICES, bundleIds: [BUNDLE], url },
  });
});
afterAll(async () => {
  await heron.stop();
  await apple.stop();
});
beforeEach(async () => {
  apple.breakDown(false);
  await heron.resetRateLimits();
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const someone = () => `sub-${people++}`;
const uidOf = (answer: MethodResult) => answer.data.user_info?.uid;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function begin() {
  const { data, cookie, error } = await heron.send('System.Login.appleNonce');
  if (error !== null) throw new Error(`no nonce: ${error}`);
  return { nonce: String(data.nonce), url: data.url, headers: { cookie: cookie ?? '' } };
}

const finish = (payload: object, headers = {}) =>
  heron.send('System.Login.snsLogin', { sns_type: 'apple', ...payload }, headers);

/** Signs in as an app, with an identity token from Apple. */
async function loginByToken(sub: string, more = {}) {
  const { nonce, headers } = await begin();
  const identity_token = await apple.token({ sub, nonce: sha256(nonce), clientId: BUNDLE });
  return finish({ identity_token, nonce, ...more }, headers);
}

/** Signs in as a browser, with a code from Apple. */
async function loginByCode(sub: string) {
  const { nonce, headers } = await begin();
  return finish({ code: apple.agree({ sub, nonce, clientId: SERVICES, redirectUri: BACK }), nonce }, headers);
}

test('a browser is sent to Apple with an address of ours and a nonce', async () => {
  const { nonce, url } = await begin();
  const to = new URL(String(url));
  expect(to.origin + to.pathname).toBe(`${apple.url}/auth/authorize`);
  expect(Object.fromEntries(to.searchParams)).toEqual({
    client_id: SERVICES,
    redirect_uri: BACK,
    response_type: 'code',
    response_mode: 'form_post',
    scope: 'name',
    state: nonce,
    nonce,
  });
});

test('a new person is registered, and is the same by token, by code and by both', async () => {
  const sub = someone();
  const first = await loginByToken(sub, { nick_name: '李雷' });
  expect(first).toMatchObject({ code: 1, data: { user_info: { nick_name: '李雷', has_password: false } } });
  expect(uidOf(await loginByCode(sub))).toBe(uidOf(first));
  const { nonce, headers } = await begin();
  const identity_token = await apple.token({ sub, nonce, clientId: BUNDLE });
  const code = apple.agree({ sub, clientId: BUNDLE });
  expect(uidOf(await finish({ identity_token, code, nonce }, headers))).toBe(uidOf(first));
  expect((await loginByToken(someone())).data.user_info?.nick_name).toBe('Apple user');
});

test('the registration rules show that Apple is enabled', async () => {
  expect((await heron.send('System.Register.rules')).data).toMatchObject({ apple_web: true, apple_app: true });
  const { url, teamId, keyId, privateKey } = apple;
  const apps = await startTestPlatform({ apple: { teamId, keyId, privateKey, bundleIds: [BUNDLE], url } });
  expect((await apps.send('System.Register.rules')).data).toMatchObject({ apple_web: false, apple_app: true });
  expect((await apps.send('System.Login.appleNonce')).data).toMatchObject({ url: null });
  await apps.stop();
});

describe('a token is rejected when', () => {
  test.each<[string, Record<string, unknown>]>([
    ['it is for another app', { aud: 'somebody.else' }],
    ['it is for several apps', { aud: [BUNDLE, 'somebody.else'] }],
    ['another issuer says so', { iss: 'https://appleid.apple.com.evil.example' }],
    ['it is over', { exp: Math.floor(Date.now() / 1_000) - 60 }],
    ['it never ends', { exp: undefined }],
    ['it is not valid yet', { nbf: Math.floor(Date.now() / 1_000) + 600 }],
    ['it is of nobody', { sub: '' }],
    ['its nonce is another', { nonce: 'another' }],
    ['it has no nonce', { nonce: undefined }],
    ['its nonce is no text', { nonce: ['x'] }],
  ])('%s', async (_why, claims) => {
    const { nonce, headers } = await begin();
    const identity_token = await apple.token({ sub: someone(), nonce, clientId: BUNDLE }, claims);
    expect(await finish({ identity_token, nonce }, headers)).toMatchObject({
      status: 422,
      error: 'provider_refused',
      cookie: null,
    });
  });

  test('it is unsigned, signed by somebody else, or signed with our secret', async () => {
    for (const make of [
      (nonce: string) => apple.forge({ sub: 'x', nonce, clientId: BUNDLE }),
      (nonce: string) => apple.cheat({ sub: 'x', nonce, clientId: BUNDLE }, 'none'),
      (nonce: string) => apple.cheat({ sub: 'x', nonce, clientId: BUNDLE }, 'HS256'),
      async () => 'a.b.c',
      async () => '',
      async () => '\u0000',
    ]) {
      const { nonce, headers } = await begin();
      const identity_token = await make(nonce);
      expect(await finish({ identity_token, nonce }, headers)).toMatchObject({
        error: 'provider_refused',
        cookie: null,
      });
    }
  });

  test('it is used twice, or its nonce is expired, invented or of another browser', async () => {
    const sub = someone();
    const { nonce, headers } = await begin();
    const identity_token = await apple.token({ sub, nonce, clientId: BUNDLE });
    expect(await finish({ identity_token, nonce }, headers)).toMatchObject({ code: 1 });
    expect(await finish({ identity_token, nonce }, headers)).toMatchObject({ error: 'provider_state' });
    // The thief sends a stolen token with their own nonce.
    const thief = await begin();
    expect(await finish({ identity_token, nonce: thief.nonce }, thief.headers)).toMatchObject({
      error: 'provider_refused',
    });
    const [attacker, victim] = [await begin(), await begin()];
    const planted = await apple.token({ sub, nonce: attacker.nonce, clientId: BUNDLE });
    expect(await finish({ identity_token: planted, nonce: attacker.nonce }, victim.headers)).toMatchObject({
      status: 403,
      error: 'provider_state',
      cookie: null,
    });
    const late = await begin();
    const old = await apple.token({ sub, nonce: late.nonce, clientId: BUNDLE });
    await sql(`update accounts.tickets set expires_at = now() - interval '1 second'`);
    expect(await finish({ identity_token: old, nonce: late.nonce }, late.headers)).toMatchObject({
      error: 'provider_state',
    });
  });
});

describe('a code is rejected when', () => {
  test('it is invalid, used, expired, or of another client, address or nonce', async () => {
    const used = apple.agree({ sub: someone(), clientId: SERVICES, redirectUri: BACK });
    const trip = await begin();
    // The token of this code has no nonce, so another browser may have requested it.
    expect(await finish({ code: used, nonce: trip.nonce }, trip.headers)).toMatchObject({ error: 'provider_refused' });
    const old = apple.agree({ sub: someone(), clientId: SERVICES, redirectUri: BACK });
    apple.wait(301);
    for (const code of [
      '',
      'made-up',
      used,
      old,
      apple.agree({ sub: someone(), clientId: BUNDLE }),
      apple.agree({ sub: someone(), clientId: SERVICES, redirectUri: 'https://evil.example/' }),
      apple.agree({ sub: someone(), nonce: 'another', clientId: SERVICES, redirectUri: BACK }),
    ]) {
      const { nonce, headers } = await begin();
      expect(await finish({ code, nonce }, headers)).toMatchObject({ error: 'provider_refused', cookie: null });
    }
  });

  test('it belongs to another person than the token beside it', async () => {
    const { nonce, headers } = await begin();
    const identity_token = await apple.token({ sub: someone(), nonce, clientId: BUNDLE });
    const code = apple.agree({ sub: someone(), clientId: BUNDLE });
    expect(await finish({ identity_token, code, nonce }, headers)).toMatchObject({ error: 'provider_refused' });
  });
});

test('an openid alone gives no access', async () => {
  const sub = someone();
  await loginByToken(sub);
  const { nonce, headers } = await begin();
  expect(await finish({ sns_openid: sub, sns_info: JSON.stringify({ sub }), nonce }, headers)).toMatchObject({
    error: 'provider_refused',
    cookie: null,
  });
});

test('an error of Apple is reported as its own, and no secret is logged', async () => {
  const fresh = await startTestPlatform({
    publicUrl: 'https://heron.example',
    apple: {
      teamId: apple.teamId,
      keyId: apple.keyId,
      privateKey: apple.privateKey,
      servicesId: SERVICES,
      bundleIds: [BUNDLE],
      url: apple.url,
    },
  });
  apple.breakDown(true);
  const trip = async () => {
    const { data, cookie } = await fresh.send('System.Login.appleNonce');
    return { nonce: String(data.nonce), headers: { cookie: cookie ?? '' } };
  };
  const byToken = await trip();
  const identity_token = await apple.token({ sub: 'x', nonce: byToken.nonce, clientId: BUNDLE });
  const byCode = await trip();
  for (const [payload, headers] of [
    [{ identity_token, nonce: byToken.nonce }, byToken.headers],
    [{ code: 'the-code', nonce: byCode.nonce }, byCode.headers],
  ] as const) {
    const answer = await fresh.send('System.Login.snsLogin', { sns_type: 'apple', ...payload }, headers);
    expect(answer).toMatchObject({ status: 503, error: 'provider_unreachable' });
  }
  for (const secret of [identity_token, 'the-code', byToken.nonce, 'PRIVATE KEY'])
    expect(fresh.log()).not.toContain(secret);
  await fresh.stop();
});

test.each([
  ['no key', 'x'],
  ['a key of another kind', 'rsa'],
])('an installation with %s does not start', async (_what, kind) => {
  const { generateKeyPairSync } = await import('node:crypto');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const privateKey = kind === 'rsa' ? String(rsa) : kind;
  await expect(startTestPlatform({ apple: { teamId: 't', keyId: 'k', privateKey } })).rejects.toThrow('P-256');
});

describe('the page of Apple', () => {
  const post = (body: string, headers = {}) =>
    heron.request('/user-login/apple/', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com', ...headers },
      body,
    });

  test('posts to us, and is redirected to a page of ours with the fields behind the #', async () => {
    const user = JSON.stringify({ name: { firstName: 'Lei', lastName: 'Li' } });
    const form = new URLSearchParams({ code: 'c.0.a&b', state: 'the-state', user, id_token: 'not.needed.here' });
    const { status, headers, text } = await post(String(form));
    expect({ status, text }).toEqual({ status: 303, text: '' });
    const to = new URL(headers.location ?? '', 'https://heron.example');
    expect(to.origin + to.pathname + to.search).toBe(BACK);
    expect(Object.fromEntries(new URLSearchParams(to.hash.slice(1)))).toEqual({
      code: 'c.0.a&b',
      state: 'the-state',
      user,
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(heron.log()).not.toContain('the-state');
  });

  test('can neither redirect elsewhere nor add headers', async () => {
    const evil = 'x\r\nSet-Cookie: heron_session=planted';
    for (const state of ['//evil.example', 'https://evil.example', evil, '\u0000', '#'])
      expect((await post(String(new URLSearchParams({ state })))).headers.location).toMatch(
        /^\/user-login\/apple\/#state=[\w%.+*-]*$/,
      );
  });

  test.each([
    ['too much', `state=${'x'.repeat(20_000)}`, {}, 413],
    ['a field twice', 'state=a&state=b', {}, 400],
    ['JSON', '{}', { 'content-type': 'application/json' }, 415],
  ])('that sends %s gets an error', async (_what, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
  });

  test('may post to this path only', async () => {
    const { status } = await heron.request('/api.php', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://appleid.apple.com' },
      body: '{"method":"System.Login.logout"}',
    });
    expect(status).toBe(403);
  });
});

describe('a token at Apple is revoked', () => {
  /** Signs in a user by code, so that there is a token to revoke. */
  async function member() {
    const sub = someone();
    const { data } = await loginByCode(sub);
    const before = apple.revoked.length;
    return {
      sub,
      token: data.token ?? '',
      uid: data.user_info?.uid,
      countRevoked: () => apple.revoked.length - before,
    };
  }

  test('when an account is unlinked', async () => {
    const { token, uid, countRevoked, sub } = await member();
    await sql(`update accounts.users set phone = '13900000002' where uid = $1`, [uid]);
    const unlink = () => heron.send('System.Identity.unlink', { provider: 'apple' }, bearer(token));
    expect(await unlink()).toMatchObject({ code: 0 });
    expect(countRevoked()).toBe(1);
    expect(uidOf(await loginByToken(sub))).not.toBe(uid);
  });

  test('which the database does not reveal', async () => {
    await member();
    const { rows } = await sql('select refresh_token from accounts.identities where refresh_token is not null');
    expect(rows.length).toBeGreaterThan(0);
    for (const { refresh_token } of rows) {
      expect(refresh_token).not.toContain('refresh-');
      expect(Buffer.from(refresh_token, 'base64url').toString('latin1')).not.toContain('refresh-');
    }
  });

  test('and the account is unlinked even when that fails or the token is unreadable', async () => {
    for (const [digit, trouble] of [
      [3, () => apple.breakDown(true)],
      [4, () => sql(`update accounts.identities set refresh_token = 'AAAA' || refresh_token`)],
    ] as const) {
      const { token, uid } = await member();
      await sql('update accounts.users set phone = $1 where uid = $2', [`1390000000${digit}`, uid]);
      await trouble();
      const unlinked = await heron.send('System.Identity.unlink', { provider: 'apple' }, bearer(token));
      expect(unlinked).toMatchObject({ code: 0 });
      apple.breakDown(false);
      expect(heron.log().includes('Apple cannot be notified of a deleted account')).toBe(digit === 4);
    }
  });
});

test('before an erasure, which waits a week for Apple at most', async () => {
  const host = await startFakeBotHost();
  host.respond = (_request, response) => response.end('{"bots":[],"keys":[]}');
  const { url, teamId, keyId, privateKey } = apple;
  const erasing = await startTestPlatform({
    bothostUrl: host.url,
    eraseEveryMs: 20,
    publicUrl: 'https://heron.example',
    apple: { teamId, keyId, privateKey, servicesId: SERVICES, url },
  });
  const deleted = async (days: number) => {
    const { data, cookie } = await erasing.send('System.Login.appleNonce');
    const nonce = String(data.nonce);
    const code = apple.agree({ sub: someone(), nonce, clientId: SERVICES, redirectUri: BACK });
    const payload = { sns_type: 'apple', code, nonce };
    const uid = uidOf(await erasing.send('System.Login.snsLogin', payload, { cookie: cookie ?? '' }));
    apple.breakDown(true);
    const age = (to: number) =>
      erasing.database.pool.query(
        'update accounts.users set deleted_at = now() - make_interval(secs => $1) where uid = $2',
        [to * 86_400, uid],
      );
    await age(days);
    const left = async () =>
      (await erasing.database.pool.query('select 1 from accounts.users where uid = $1', [uid])).rows.length;
    return { isGone: async () => (await left()) === 0, uid, age };
  };
  const before = apple.revoked.length;
  const young = await deleted(15);
  await until(() => erasing.log().includes(`"uid":${young.uid}`));
  expect(await young.isGone()).toBe(false);
  apple.breakDown(false);
  await until(young.isGone);
  expect(apple.revoked).toHaveLength(before + 1);
  const old = await deleted(22);
  await until(old.isGone);
  apple.breakDown(false);
  // The token becomes unreadable, as after a change of the installation's secret.
  const resealed = await deleted(13);
  await erasing.database.pool.query(`update accounts.identities set refresh_token = 'AAAA' || refresh_token`);
  await resealed.age(15);
  await until(resealed.isGone);
  expect(erasing.log()).toContain('Apple cannot be notified of a deleted account');
  await erasing.stop();
  await host.stop();
});

test('an account is linked to Apple by a token, and keeps it as the last method', async () => {
  const { token, user } = await heron.signUp(`apple-${people++}`);
  const sub = someone();
  const { nonce, headers } = await begin();
  const identity_token = await apple.token({ sub, nonce, clientId: BUNDLE });
  const payload = { provider: 'apple', identity_token, nonce };
  expect(await heron.send('System.Identity.link', payload, { ...headers, ...bearer(token) })).toMatchObject({
    code: 0,
  });
  const { data } = await heron.send('System.Identity.list', {}, bearer(token));
  expect(data.identities).toEqual([{ provider: 'apple', linked_at: expect.any(Number) }]);
  expect(uidOf(await loginByToken(sub))).toBe(user.uid);
  await sql('update accounts.users set password_hash = null where uid = $1', [user.uid]);
  expect(await heron.send('System.Identity.unlink', { provider: 'apple' }, bearer(token))).toMatchObject({
    error: 'last_way_in',
  });
});
