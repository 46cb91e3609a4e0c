import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeWechat, startFakeWechat, type WechatUser } from '../src/testing/fakeWechat.ts';
import { addApp, codeOf } from './authenticatorApp.ts';
import { bearer, type MethodResult, PASSWORD, startTestPlatform, type TestPlatform } from './testPlatform.ts';

const WEB = { appId: 'wx-web', secret: 'secret-of-the-web-app' };
const APP = { appId: 'wx-app', secret: 'secret-of-the-phone-app' };

let heron: TestPlatform;
let wechat: FakeWechat;
let people = 0;
beforeAll(async () => {
  wechat = await startFakeWechat({ [WEB.appId]: WEB.secret, [APP.appId]: APP.secret });
  heron = await startTestPlatform({
    publicUrl: 'https://heron.example',
    wechat: { web: WEB, app: APP, apiUrl: wechat.url, openUrl: 'https://open.example' },
  });
});
afterAll(async () => {
  await heron.stop();
  await wechat.stop();
});
beforeEach(async () => {
  wechat.breakDown(null);
  await heron.resetRateLimits();
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const someone = (more: Partial<WechatUser> = {}): WechatUser => ({
  openid: `openid-${people}`,
  unionid: `unionid-${people++}`,
  nickname: '微风',
  ...more,
});
const uidOf = (answer: MethodResult) => answer.data.user_info?.uid;

/** Begins a sign-in at WeChat. */
async function begin(kind: 'web' | 'app' = 'web') {
  const { data, cookie, error } = await heron.send('System.Login.wechatState', { kind });
  if (error !== null) throw new Error(`no state: ${error}`);
  return { state: String(data.state), url: data.url, headers: { cookie: cookie ?? '' } };
}

const finish = (code: string, state: string, headers = {}, more = {}) =>
  heron.send('System.Login.wechatLogin', { code, state, ...more }, headers);

/** Signs in by WeChat from begin to end. */
async function login(user: WechatUser, kind: 'web' | 'app' = 'web', more = {}) {
  const { state, headers } = await begin(kind);
  return finish(wechat.agree(kind === 'web' ? WEB.appId : APP.appId, user), state, headers, more);
}

test('a browser is sent to WeChat with an address of ours and a valid state', async () => {
  const { state, url } = await begin();
  expect(state).toMatch(/^[0-9a-f]{64}$/);
  const to = new URL(String(url));
  expect(to.origin + to.pathname + to.hash).toBe('https://open.example/connect/qrconnect#wechat_redirect');
  expect(Object.fromEntries(to.searchParams)).toEqual({
    appid: WEB.appId,
    redirect_uri: 'https://heron.example/user-login/wechat/',
    response_type: 'code',
    scope: 'snsapi_login',
    state,
  });
  const { data } = await heron.send('System.Login.wechatState', { kind: 'app' });
  expect(data).toMatchObject({ app_id: APP.appId, url: null });
});

test('a new person is registered without name and password, and recognised later', async () => {
  const user = someone();
  const first = await login(user);
  expect(first).toMatchObject({
    code: 1,
    data: { user_info: { nick_name: '微风', username: null, has_password: false, role: 'member' } },
  });
  expect(uidOf(await login(user))).toBe(uidOf(first));
  expect(uidOf(await login(someone()))).not.toBe(uidOf(first));
});

test.each([
  ['', { lang: 'zh' }, '微信用户'],
  ['', { lang: 'en' }, 'WeChat user'],
  ['\u202e\u0000 ', { lang: 'en' }, 'WeChat user'],
  ['一二三四五六七八九十十一十二十三', {}, '一二三四五六七八九十十一'],
])('a nickname %j becomes one that can be shown', async (nickname, more, shown) => {
  expect((await login(someone({ nickname }), 'web', more)).data.user_info?.nick_name).toBe(shown);
});

test('a browser and an app are the same person when WeChat says so', async () => {
  const unionid = `union-${people++}`;
  const web = await login({ openid: 'of-web', unionid, nickname: 'A' });
  const app = await login({ openid: 'of-app', unionid, nickname: 'A' }, 'app');
  expect(uidOf(app)).toBe(uidOf(web));
});

test('a later unionid is linked to the known openid', async () => {
  const openid = `openid-early-${people++}`;
  const unionid = `union-late-${people++}`;
  const early = await login({ openid, nickname: 'B' });
  expect(uidOf(await login({ openid, unionid, nickname: 'B' }))).toBe(uidOf(early));
  expect(uidOf(await login({ openid: 'another-app', unionid, nickname: 'B' }, 'app'))).toBe(uidOf(early));
});

test('two accounts of one person both stay, and each app keeps its account', async () => {
  const unionid = `union-two-${people++}`;
  const web = await login({ openid: 'two-web', nickname: 'C' });
  const app = await login({ openid: 'two-app', unionid, nickname: 'C' }, 'app');
  expect(uidOf(app)).not.toBe(uidOf(web));
  expect(uidOf(await login({ openid: 'two-web', unionid, nickname: 'C' }))).toBe(uidOf(web));
  expect(uidOf(await login({ openid: 'two-app', unionid, nickname: 'C' }, 'app'))).toBe(uidOf(app));
});

test('the same openid in two apps is two people', async () => {
  const openid = `openid-shared-${people++}`;
  const web = await login({ openid, nickname: 'D' });
  expect(uidOf(await login({ openid, nickname: 'D' }, 'app'))).not.toBe(uidOf(web));
});

test('with registration disabled only known people sign in', async () => {
  const [known, stranger] = [someone(), someone()];
  const uid = uidOf(await login(known));
  await sql('update accounts.settings set register_by_provider = false');
  expect(await login(stranger, 'web', { lang: 'zh' })).toMatchObject({
    status: 404,
    error: 'identity_unknown',
    message: expect.stringContaining('未开放'),
    cookie: null,
  });
  expect(uidOf(await login(known))).toBe(uid);
  await sql('update accounts.settings set register_by_provider = true');
  expect(await login(stranger)).toMatchObject({ code: 1 });
});

test('new accounts count for their address', async () => {
  const known = someone();
  await login(known);
  const { rows } = await sql(`select key from accounts.rate_limits where key like 'register:%'`);
  expect(rows).toHaveLength(1);
  await sql('update accounts.rate_limits set points = 100 where key = $1', [rows[0].key]);
  expect(await login(someone())).toMatchObject({ status: 429, error: 'too_many_requests' });
  expect(await login(known)).toMatchObject({ code: 1 });
});

test('one of ten concurrent first sign-ins registers', async () => {
  const user = someone();
  const trips = await Promise.all(Array.from({ length: 10 }, () => begin()));
  wechat.holdUntil(10);
  const answers = await Promise.all(
    trips.map(({ state, headers }) => finish(wechat.agree(WEB.appId, user), state, headers)),
  );
  expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(1));
  expect(new Set(answers.map(uidOf)).size).toBe(1);
});

describe('a sign-in is rejected when', () => {
  test('it was started in another browser', async () => {
    const attacker = await begin();
    const victim = await begin();
    const code = wechat.agree(WEB.appId, someone());
    expect(await finish(code, attacker.state, victim.headers)).toMatchObject({
      status: 403,
      error: 'provider_state',
      cookie: null,
    });
    // The state is used up for the right browser too.
    expect(await finish(code, attacker.state, attacker.headers)).toMatchObject({ error: 'provider_state' });
  });

  test('the state is invalid, used, expired, or the browser has no single mark', async () => {
    const agree = () => wechat.agree(WEB.appId, someone());
    const { headers } = await begin();
    for (const state of ['', 'wxmobile', 'f'.repeat(64), "' or true --", '\u0000'])
      expect(await finish(agree(), state, headers)).toMatchObject({ error: 'provider_state' });
    for (const wrong of [{}, { cookie: 'heron_mark=' }]) {
      const { state } = await begin();
      expect(await finish(agree(), state, wrong)).toMatchObject({ error: 'provider_state' });
    }
    const twice = await begin();
    expect(
      await finish(agree(), twice.state, { cookie: `${twice.headers.cookie}; heron_mark=${'A'.repeat(43)}` }),
    ).toMatchObject({ error: 'provider_state' });
    const used = await begin();
    expect(await finish(agree(), used.state, used.headers)).toMatchObject({ code: 1 });
    expect(await finish(agree(), used.state, used.headers)).toMatchObject({ error: 'provider_state' });
    const late = await begin();
    await sql(`update accounts.tickets set expires_at = now() - interval '1 second'`);
    expect(await finish(agree(), late.state, late.headers)).toMatchObject({ error: 'provider_state' });
    const other = await begin();
    await sql(`update accounts.tickets set purpose = 'apple-nonce'`);
    expect(await finish(agree(), other.state, other.headers)).toMatchObject({ error: 'provider_state' });
  });

  test('the code is invalid, used, expired, or of another app', async () => {
    const used = wechat.agree(WEB.appId, someone());
    const old = wechat.agree(WEB.appId, someone());
    const ofApp = wechat.agree(APP.appId, someone());
    const trip = await begin();
    expect(await finish(used, trip.state, trip.headers)).toMatchObject({ code: 1 });
    for (const code of ['', 'made-up', used, ofApp]) {
      const { state, headers } = await begin();
      expect(await finish(code, state, headers)).toMatchObject({
        status: 422,
        error: 'provider_refused',
        cookie: null,
      });
    }
    wechat.wait(601);
    const { state, headers } = await begin();
    expect(await finish(old, state, headers)).toMatchObject({ error: 'provider_refused' });
  });

  test('only an openid is sent', async () => {
    const user = someone();
    await login(user);
    const { headers } = await begin();
    const payload = { openid: user.openid, unionid: user.unionid, wx_info: JSON.stringify(user) };
    expect(await heron.send('System.Login.wechatLogin', payload, headers)).toMatchObject({
      status: 422,
      cookie: null,
    });
    const trip = await begin();
    expect(await finish('', trip.state, trip.headers, payload)).toMatchObject({ error: 'provider_refused' });
  });

  test('the account was deleted', async () => {
    const user = someone();
    const { data } = await login(user);
    await sql('update accounts.users set deleted_at = now() where uid = $1', [data.user_info?.uid]);
    expect(await login(user)).toMatchObject({ status: 403, error: 'account_deleted', cookie: null });
  });

  test.each([
    ['an error of its own', { status: 500, body: 'x' }],
    ['a page', { status: 200, body: '<html>' }],
    ['nothing', { status: 200, body: '' }],
    ['no openid', { status: 200, body: '{}' }],
    ['a refusal of our credentials', { status: 200, body: '{"errcode":40125,"errmsg":"invalid appsecret"}' }],
    ['another way', { status: 302, body: '' }],
  ])('WeChat responds with %s, which is reported as its error', async (_what, how) => {
    const { state, headers } = await begin();
    const code = wechat.agree(WEB.appId, someone());
    wechat.breakDown(how);
    expect(await finish(code, state, headers)).toMatchObject({ status: 503, error: 'provider_unreachable' });
  });
});

test('a second factor is required here too', async () => {
  const user = someone();
  const { data } = await login(user);
  const { uri } = await addApp(heron, data.token ?? '');
  const half = await login(user);
  expect(half).toMatchObject({ error: 'second_factor_needed', cookie: null });
  const { ticket } = JSON.parse(half.text).error.details;
  const done = await heron.send('System.Login.secondFactor', { ticket, code: codeOf(uri) });
  expect(done).toMatchObject({ code: 1, data: { user_info: { uid: data.user_info?.uid } } });
});

test('secrets and codes are in no log and no response', async () => {
  const { state, headers } = await begin();
  const code = wechat.agree(WEB.appId, someone());
  const answer = await finish(code, state, headers);
  wechat.breakDown({ status: 500, body: WEB.secret });
  const trip = await begin();
  const failed = await finish(code, trip.state, trip.headers);
  for (const text of [answer.text, failed.text, heron.log()]) {
    expect(text).not.toContain(WEB.secret);
    expect(text).not.toContain(code);
    expect(text).not.toContain(trip.state);
  }
});

test('the registration rules show the enabled providers', async () => {
  expect((await heron.send('System.Register.rules')).data).toMatchObject({
    wechat_web: true,
    wechat_app: true,
    apple_web: false,
    apple_app: false,
  });
  const bare = await startTestPlatform({ wechat: { web: WEB, apiUrl: wechat.url } });
  expect((await bare.send('System.Register.rules')).data).toMatchObject({ wechat_web: false, wechat_app: false });
  for (const kind of ['web', 'app'])
    expect(await bare.send('System.Login.wechatState', { kind })).toMatchObject({ error: 'provider_off' });
  expect(await bare.send('System.Login.appleNonce')).toMatchObject({ status: 404, error: 'provider_off' });
  await bare.stop();
});

describe('an account', () => {
  const member = async () => {
    const name = `wechat-${people++}`;
    return { name, ...(await heron.signUp(name)) };
  };
  async function link(token: string, user: WechatUser, kind: 'web' | 'app' = 'web') {
    const { state, headers } = await begin(kind);
    const code = wechat.agree(kind === 'web' ? WEB.appId : APP.appId, user);
    return heron.send('System.Identity.link', { provider: 'wechat', code, state }, { ...headers, ...bearer(token) });
  }
  const unlink = (token: string) => heron.send('System.Identity.unlink', { provider: 'wechat' }, bearer(token));
  const list = async (token: string) => (await heron.send('System.Identity.list', {}, bearer(token))).data.identities;

  test('is linked to WeChat, opened by it, and unlinked, all of it audited', async () => {
    const { token, user, name } = await member();
    const person = someone();
    expect(await list(token)).toEqual([]);
    expect(await link(token, person)).toMatchObject({ code: 0 });
    expect(await list(token)).toEqual([{ provider: 'wechat', linked_at: expect.any(Number) }]);
    const entered = await login(person);
    expect(uidOf(entered)).toBe(user.uid);
    expect(await unlink(token)).toMatchObject({ code: 0 });
    expect(await list(token)).toEqual([]);
    expect(await unlink(token)).toMatchObject({ error: 'not_found' });
    expect(await heron.send('System.Member.memberInfo', {}, bearer(entered.data.token))).toMatchObject({
      error: 'not_logged_in',
    });
    expect(uidOf(await login(person))).not.toBe(user.uid);
    expect(await heron.send('System.Login.login', { username: name, password: PASSWORD })).toMatchObject({ code: 1 });
    const { rows } = await sql('select action, details from accounts.audit where target_uid = $1 order by id', [
      user.uid,
    ]);
    expect(rows).toEqual([
      { action: 'identity.link', details: { provider: 'wechat' } },
      { action: 'identity.unlink', details: { provider: 'wechat' } },
    ]);
  });

  test('takes no identity of another account, and has one per provider', async () => {
    const [own, other] = [await member(), await member()];
    const person = someone();
    await link(other.token, person);
    expect(await link(own.token, person)).toMatchObject({ status: 409, error: 'identity_taken' });
    // The unionid alone identifies the person.
    expect(await link(own.token, { ...person, openid: 'elsewhere' }, 'app')).toMatchObject({ error: 'identity_taken' });
    expect(uidOf(await login(person))).toBe(other.user.uid);
    expect(await link(other.token, someone())).toMatchObject({ status: 409, error: 'identity_other' });
    expect(await link(other.token, { ...person, openid: 'own-app' }, 'app')).toMatchObject({ code: 0 });
    expect(uidOf(await login({ ...person, openid: 'own-app' }, 'app'))).toBe(other.user.uid);
  });

  test('gets an identity once, of ten concurrent links', async () => {
    const person = someone();
    const members = await Promise.all(Array.from({ length: 10 }, member));
    const answers = await Promise.all(members.map(({ token }) => link(token, person)));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(answers.filter(({ error }) => error === 'identity_taken')).toHaveLength(9);
  });

  test('keeps its last sign-in method', async () => {
    const { data } = await login(someone());
    const { token = '', user_info } = data;
    expect(await unlink(token)).toMatchObject({ status: 409, error: 'last_way_in' });
    expect(await list(token)).toHaveLength(1);
    await sql(`update accounts.users set phone = '13900000001' where uid = $1`, [user_info?.uid]);
    expect(await unlink(token)).toMatchObject({ code: 0 });
  });

  test('is linked and unlinked with a fresh proof only', async () => {
    const { token } = await member();
    await sql(`update accounts.sessions set proven_at = now() - interval '31 minutes'`);
    expect(await link(token, someone())).toMatchObject({ status: 403, error: 'proof_needed' });
    expect(await unlink(token)).toMatchObject({ error: 'proof_needed' });
    expect(await link('', someone())).toMatchObject({ error: 'not_logged_in' });
  });

  test('cannot be linked by a link of somebody else', async () => {
    const { token } = await member();
    const attacker = await begin();
    const code = wechat.agree(WEB.appId, someone());
    const victim = await begin();
    const payload = { provider: 'wechat', code, state: attacker.state };
    expect(await heron.send('System.Identity.link', payload, { ...victim.headers, ...bearer(token) })).toMatchObject({
      error: 'provider_state',
    });
    expect(await list(token)).toEqual([]);
  });
});
