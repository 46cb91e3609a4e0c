import { accountAliases } from '@heron/contract/accounts/aliases.ts';
import { type Alias, aliasFailure } from '@heron/contract/http/alias.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { type HttpResponse, PASSWORD, type RequestInit } from './testPlatform.ts';

const heron = platformFixture();
let token: string;
let uid: number;
beforeAll(async () => {
  const joined = await heron.signUp('Aliased');
  ({ token } = joined);
  ({ uid } = joined.user);
});

const JSON_BODY = { 'content-type': 'application/json' };
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' };

async function ask(path: string, sent: RequestInit = {}): Promise<HttpResponse & { body: Record<string, unknown> }> {
  const answer = await heron.request(path, sent);
  return { ...answer, body: JSON.parse(answer.text) };
}
const post = (path: string, fields: object = {}, headers: RequestInit['headers'] = {}) =>
  ask(path, { method: 'POST', headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(fields) });
const act = (action: string, fields: object = {}, headers: RequestInit['headers'] = {}) =>
  post(`/panacea/action/${action}`, fields, headers);
const allowSessionInAddress = (allowed: boolean) =>
  heron.database.pool.query('update accounts.settings set session_in_address = $1', [allowed]);

test('named actions sign in, show the user, register and sign out', async () => {
  const login = await act('LOGIN', { username: 'Aliased', password: PASSWORD, is_applet: 1 });
  expect(login).toMatchObject({ status: 200, body: { code: 1, message: '', user_info: { uid }, sessionuid: uid } });
  expect(login.body.token).toBe(login.body.sessionkey);
  const info = await act('GET_MEMBER_INFO', { token: login.body.token });
  expect(info.body).toMatchObject({ code: 0, user_info: { username: 'Aliased' } });
  expect(await act('LOGOUT', { token: login.body.token })).toMatchObject({ status: 200, body: { code: 0 } });
  const gone = await act('GET_MEMBER_INFO', { token: login.body.token });
  expect(gone).toMatchObject({ status: 401, body: { code: -401, error: 'not_logged_in' } });
  const registered = await act('USERNAME_REGISTER', { username: 'Applet', password: PASSWORD });
  expect(registered.body).toMatchObject({ code: 0, user_info: { username: 'Applet' } });
});

const NEW_PASSWORD = 'heron flies away 42';
const codeFor = async (recipient: string) => (await heron.codeFor(recipient)) ?? '';

test('named actions register by e-mail, change password and profile, and recover', async () => {
  const email = 'actions@mail.example';
  expect((await act('GET_MAIL_CODE', { email, is_applet: '1' })).body).toMatchObject({ code: 0, seconds: 120 });
  const email_code = await codeFor(email);
  const checked = { send_email: email, is_applet: '1' };
  expect((await act('CHECK_MAIL_CODE', { ...checked, send_param: email_code })).body).toEqual({ code: 0, message: '' });
  const wrong = await act('CHECK_MAIL_CODE', { ...checked, send_param: '000000' });
  expect(wrong.body).toMatchObject({ code: -wrong.status, message: expect.stringContaining('code error') });
  const joined = await act('EMAIL_REGISTER', { email, password: PASSWORD, email_code, source_uid: `${uid}` });
  expect(joined.body).toMatchObject({ code: 0, token: expect.any(String), user_info: { user_email: email } });
  const own = joined.body.token;
  const saved = await act('EDIT_USER', { token: own, user_name: 'Actor', sex: 1, birthday: '2000-02-29' });
  expect(saved.body).toMatchObject({ code: 0, user_info: { nick_name: 'Actor', birthday: '2000-02-29' } });
  const changed = await act('MODIFY_PASSWORD', { token: own, old_password: PASSWORD, new_password: NEW_PASSWORD });
  expect(changed.body).toMatchObject({ code: 0 });

  expect((await act('FIND_PASSWORD', { info: email, type: 'email' })).body).toMatchObject({ code: 0, info: email });
  const sent = await act('SEND_FIND_PASSWORD_CODE', { send_param: email, type: 'email' });
  expect(sent.body).toMatchObject({ code: 0 });
  const app_code = await codeFor(email);
  const unchecked = await act('CHECK_FIND_PASSWORD_CODE', { send_type: 'email', send_param: email });
  expect(unchecked).toMatchObject({ status: 422, body: { message: expect.stringContaining('code') } });
  const proof = await act('CHECK_FIND_PASSWORD_CODE', { send_type: 'email', send_param: email, code: app_code });
  expect(proof.body).toMatchObject({ code: 0, ticket: expect.any(String) });
  const reset = await act('PASSWORD_RESET', { account: email, password: PASSWORD, type: 'email', app_code });
  expect(reset.body).toEqual({ code: 1, message: '', disabled: 0 });
  expect((await act('LOGIN', { username: email, password: PASSWORD })).body).toMatchObject({ code: 1 });
});

test('named actions register by phone; older paths send and check the same codes', async () => {
  const mobile = '13711112222';
  const jsms = (file: string, query: string) => ask(`/panacea/jsms/examples/${file}.php?mobile=${mobile}${query}`);
  expect((await jsms('send_code', '')).body).toMatchObject({ code: 0, seconds: 120 });
  const again = await act('GET_TEL_CODE', { mobile });
  expect(again).toMatchObject({ status: 429, body: { error: 'code_too_soon' } });
  const mobile_code = await codeFor(mobile);
  expect((await jsms('check_code', `&code=${mobile_code}`)).body).toMatchObject({ code: 0 });
  const checked = await act('CHECK_TEL_CODE', { send_mobile: mobile, send_param: mobile_code });
  expect(checked.body).toMatchObject({ code: 0 });
  const joined = await act('TEL_REGISTER', { mobile, password: PASSWORD, mobile_code, source_uid: '' });
  expect(joined.body).toMatchObject({ code: 0, user_info: { user_tel: mobile } });
  expect(heron.log()).not.toContain(mobile);
});

test('the fast login of older clients accepts the one code that they can request', async () => {
  const mobile = '13711113333';
  const fastLogin = async () => {
    expect((await act('GET_TEL_CODE', { mobile, is_applet: 1 })).body).toMatchObject({ code: 0, seconds: 120 });
    const sms_captcha = await codeFor(mobile);
    const checked = await act('CHECK_TEL_CODE', { send_mobile: mobile, send_param: sms_captcha, is_applet: 1 });
    expect(checked.body).toMatchObject({ code: 0 });
    return act('FAST_LOGIN', { mobile, sms_captcha, source_uid: 0, is_applet: 1 });
  };
  const registered = await fastLogin();
  expect(registered.body).toMatchObject({ code: 1, user_info: { user_tel: mobile }, sessionkey: expect.any(String) });
  await heron.expireResendDelay();
  const uidOf = (answer: HttpResponse & { body: { user_info?: { uid?: number } } }) => answer.body.user_info?.uid;
  const entered = await fastLogin();
  expect(entered.body).toMatchObject({ code: 1, sessionkey: expect.any(String) });
  expect(uidOf(entered)).toBe(uidOf(registered));
});

test('an error has its text for dialogs and for lists, in the caller’s language', async () => {
  const wrong = { username: 'Aliased', password: 'wrong one' };
  const english = await act('LOGIN', wrong);
  expect(english.status).toBe(401);
  expect(aliasFailure.parse(english.body)).toEqual({
    code: -401,
    message: 'Incorrect account or password',
    error: 'login_failed',
    error_message: 'Incorrect account or password',
  });
  const chinese = { message: '账号或密码错误', error_message: '账号或密码错误' };
  expect((await act('LOGIN', wrong, { 'accept-language': 'zh-CN' })).body).toMatchObject(chinese);
  expect((await act('LOGIN', { ...wrong, lang: 'zh' })).body).toMatchObject(chinese);
});

test.each(['EDIT_USER_FACE', 'NOTHING', '__proto__', 'constructor', 'login'])(
  'the action %s does not exist',
  async (name) => {
    expect(await act(name)).toMatchObject({ status: 404 });
  },
);

test.each(['avatar', 'term', '__proto__', 'toString', 'user/1', ''])('the resource %j does not exist', async (name) => {
  expect((await heron.request(`/panacea/${name}`)).status).not.toBe(200);
});

test('named actions accept forms with fields of all types', async () => {
  const form = (action: string, fields: Record<string, string>) =>
    ask(`/panacea/action/${action}`, { method: 'POST', headers: FORM_BODY, body: `${new URLSearchParams(fields)}` });
  const joined = await form('USERNAME_REGISTER', { username: 'Former', password: PASSWORD, source_uid: `${uid}` });
  const own = { token: String(joined.body.token) };
  const profile = { user_name: 'Formed', sex: '2', birthday: '2000-02-29', location: '浙江 杭州', user_qq: '' };
  expect((await form('EDIT_USER', { ...own, ...profile })).body).toMatchObject({
    code: 0,
    user_info: { nick_name: 'Formed', sex: 2, birthday: '2000-02-29', city: '杭州' },
  });
  expect((await form('EDIT_USER', { ...own, sex: '3' })).body).toMatchObject({ error: 'invalid_request' });
  expect((await form('GET_MEMBER_INFO', { ...own, uid: `${uid}`, get_member_info: '1' })).body).toMatchObject({
    code: 0,
  });
  const second = await form('LOGIN', { username: 'Former', password: PASSWORD, is_applet: '1' });
  expect((await form('LOGOUT', { ...own, everywhere: 'true', lang: 'zh' })).body).toMatchObject({ code: 0 });
  expect((await form('GET_MEMBER_INFO', { token: String(second.body.token) })).body).toMatchObject({
    error: 'not_logged_in',
  });
  const email = 'forms@mail.example';
  const mobile = '13711114444';
  const sms = { mobile, is_applet: '1' };
  const check = { code: 0, message: '' };
  await form('GET_MAIL_CODE', { email });
  const email_code = await codeFor(email);
  expect((await form('CHECK_MAIL_CODE', { send_email: email, send_param: email_code })).body).toEqual(check);
  const byMail = await form('EMAIL_REGISTER', { email, password: PASSWORD, email_code, source_uid: '0' });
  expect(byMail.body).toMatchObject({ code: 0, user_info: { user_email: email } });
  await form('GET_TEL_CODE', sms);
  const code = await codeFor(mobile);
  expect((await form('CHECK_TEL_CODE', { send_mobile: mobile, send_param: code })).body).toEqual(check);
  expect((await form('TEL_REGISTER', { mobile, password: PASSWORD, mobile_code: code })).body).toMatchObject({
    code: 0,
  });
  await heron.expireResendDelay();
  await form('GET_TEL_CODE', { ...sms, fast_login: '1' });
  expect((await form('FAST_LOGIN', { ...sms, sms_captcha: await codeFor(mobile) })).body).toMatchObject({ code: 1 });
  const changing = { token: String(byMail.body.token), old_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await form('MODIFY_PASSWORD', changing)).body).toMatchObject({ code: 0 });
  expect((await form('FIND_PASSWORD', { info: email, type: 'email' })).body).toMatchObject({ code: 0 });
  await form('SEND_FIND_PASSWORD_CODE', { send_param: email, type: 'email' });
  const app_code = await codeFor(email);
  const found = await form('CHECK_FIND_PASSWORD_CODE', { send_type: 'email', send_param: email, code: app_code });
  expect(found.body).toMatchObject({ code: 0 });
  const reset = await form('PASSWORD_RESET', { account: email, password: PASSWORD, type: 'email', app_code });
  expect(reset.body).toEqual({ code: 1, message: '', disabled: 0 });
});

test('the login of older clients accepts a form', async () => {
  const form = (body: string, headers = {}) =>
    ask('/panacea/user', { method: 'POST', headers: { ...FORM_BODY, ...headers }, body });
  const fields = new URLSearchParams({ username: 'Aliased', password: PASSWORD });
  expect((await form(`${fields}`)).body).toMatchObject({ code: 1, sessionuid: uid, sessionkey: expect.any(String) });
  const twice = await form(`${fields}&username=Somebody`);
  expect(twice).toMatchObject({ status: 400, body: { error: 'malformed' } });
  expect(await form('__proto__[password]=x&__proto__=y')).toMatchObject({ status: 422 });
  expect(await form('%')).toMatchObject({ status: 422 });
  expect(await form('a=1&'.repeat(1_000_000))).toMatchObject({ status: 413, body: { error: 'too_large' } });
  // Other sites can send a form without a CORS preflight.
  const foreign = await form(`${fields}`, { origin: 'https://evil.example' });
  expect(foreign).toMatchObject({ status: 403, body: { error: 'cross_origin' } });
  expect(foreign.headers['set-cookie']).toBeUndefined();
});

test('other paths reject forms', async () => {
  const body = `method=System.Login.login&username=Aliased&password=${PASSWORD}`;
  const { status } = await heron.request('/api.php', { method: 'POST', headers: FORM_BODY, body });
  expect(status).toBe(415);
});

test.each([
  ['an array', '[]'],
  ['a text', '"x"'],
  ['a number', '7'],
  ['a prototype', '{"__proto__":{"username":"Aliased"}}'],
  ['a constructor', '{"constructor":{"prototype":{"username":"Aliased"}}}'],
  ['a deep one', `${'['.repeat(100)}${']'.repeat(100)}`],
])('a body that is %s is rejected', async (_what, body) => {
  const { status } = await ask('/panacea/action/LOGIN', { method: 'POST', headers: JSON_BODY, body });
  expect([400, 422]).toContain(status);
});

describe('the session of a request', () => {
  const own = { code: 0, message: '', data: [{ group_id: null, role: 'member' }], total: 1 };
  const authentication = (query = '', headers = {}) => ask(`/panacea/authentication${query}`, { headers });

  test('is found by header, cookie, token, or key and uid', async () => {
    for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `heron_session=${token}` }]) {
      const { body } = await authentication('', headers);
      expect(body).toMatchObject({ ...own, data: [{ uid }] });
    }
    for (const sent of [{ token }, { sessionkey: token, sessionuid: uid }, { sessionkey: token, sessionuid: `${uid}` }])
      expect((await act('GET_MEMBER_INFO', sent)).body).toMatchObject({ code: 0 });
  });

  test('is not found by a key with a wrong uid, nor replaced by a cookie', async () => {
    const stranger = await heron.signUp('Stranger');
    for (const sessionuid of [stranger.user.uid, undefined, '', 'NaN', 0]) {
      const refused = await act(
        'GET_MEMBER_INFO',
        { sessionkey: token, sessionuid },
        { cookie: `heron_session=${token}` },
      );
      expect(refused).toMatchObject({ status: 401, body: { error: 'not_logged_in' } });
    }
  });

  test('is read from the address only when the setting allows it, and never logged', async () => {
    const query = `?sessionkey=${token}&sessionuid=${uid}`;
    expect(await authentication(query)).toMatchObject({ status: 400, body: { error: 'secret_in_address' } });
    await allowSessionInAddress(true);
    try {
      expect((await authentication(query)).body).toMatchObject(own);
      expect(await authentication(`?sessionkey=${token}&sessionuid=${uid + 1}`)).toMatchObject({ status: 401 });
      expect(await authentication(`?sessionkey=${'A'.repeat(43)}&sessionuid=${uid}`)).toMatchObject({ status: 401 });
      expect(await authentication(`?sessionuid=${uid}`)).toMatchObject({ status: 401 });
      expect(await authentication(`?sessionkey=${token}&sessionkey=${token}`)).toMatchObject({ status: 422 });
      expect(await authentication(`?token=${token}`)).toMatchObject({ status: 400 });
      expect(await post(`/panacea/action/GET_MEMBER_INFO${query}`)).toMatchObject({ status: 200 });
      expect(await post(`/panacea/action/LOGIN?password=x`)).toMatchObject({ status: 400 });
      // `/api.php` and the bot API have no older clients.
      expect((await heron.request(`/api.php${query}&method=System.Member.memberInfo`)).status).toBe(400);
      expect((await heron.request(`/bot/bots${query}`)).status).toBe(400);
    } finally {
      await allowSessionInAddress(false);
    }
    expect(heron.log()).toContain('/panacea/authentication');
    expect(heron.log()).not.toContain(token);
  });
});

test('a path accepts its own HTTP methods only', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const { status, headers } = await heron.request('/panacea/action/LOGIN', { method });
    expect(status).toBe(405);
    expect(headers.allow).toBe('POST');
  }
  expect((await heron.request('/panacea/authentication', { method: 'POST' })).status).toBe(405);
});

/** Aliases that accept GET although their methods require POST. */
const changing = accountAliases.filter(({ http, method }) => http === 'GET' && method.postOnly);
const pathOf = ({ path, onlyWith }: Alias) => (onlyWith === undefined ? path : `${path}?${onlyWith}=x`);

test.runIf(changing.length > 0).each(changing.map(pathOf))(
  'another site cannot make a browser GET %s',
  async (path) => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { referer: 'https://evil.example/page' },
      { referer: 'nonsense' },
    ]) {
      expect(await ask(path, { headers })).toMatchObject({ status: 403, body: { error: 'cross_origin' } });
    }
    expect((await heron.request(path, { method: 'HEAD' })).status).toBe(405);
    const { url } = heron.platform;
    for (const headers of [{}, { 'sec-fetch-site': 'same-origin', referer: `${url}/user-login/` }, { origin: url }])
      expect((await ask(path, { headers })).body.error).not.toBe('cross_origin');
  },
);
