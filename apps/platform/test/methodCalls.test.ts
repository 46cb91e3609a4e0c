import { METHOD_ALIASES } from '@heron/contract/accounts/methodAliases.ts';
import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { ALL_METHODS } from '@heron/contract/allMethods.ts';
import { ERRORS, errorBody } from '@heron/contract/http/errors.ts';
import type { Method } from '@heron/contract/http/method.ts';
import { methodCall } from '@heron/contract/http/methodCall.ts';
import { toOldFieldNames } from '@heron/contract/http/oldFieldNames.ts';
import oldFields from '@heron/contract/testing/oldFieldNames.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  bearer,
  type HttpResponse,
  PASSWORD,
  type RequestInit,
  startTestPlatform,
  type TestPlatform,
} from './testPlatform.ts';

/** Returns the fields of the data of a method for older clients, without those of nested objects. */
function oldDataFields(name: string): string {
  let { data } = oldFields[name as keyof typeof oldFields];
  while (data.includes('(')) data = data.replaceAll(/\([^()]*\)/g, '');
  return data;
}

const NAMED = ALL_METHODS.map((method) => [method.name, method] as const);

const CALLER = '192.0.2.7';
let heron: TestPlatform;
let people = 0;
beforeAll(async () => {
  heron = await startTestPlatform({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => heron.stop());

type Headers = RequestInit['headers'];

/** Sends any body to the typed call of a method. */
function post(method: Method, body: string | Buffer, headers: Headers = {}): Promise<HttpResponse> {
  const { path } = methodCall(method);
  return heron.request(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

/** Calls a method, which must succeed. */
async function call<Payload extends z.ZodObject, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  payload: z.input<Payload>,
  headers: Headers = {},
): Promise<z.output<Data>> {
  const answer = await post(method, JSON.stringify(payload), headers);
  expect(answer.status, answer.text).toBe(200);
  return method.data.parse(JSON.parse(answer.text));
}

/** Calls a method, which must fail. @returns its error */
async function failure(method: Method, payload: unknown, headers: Headers = {}) {
  return errorOf(await post(method, JSON.stringify(payload), headers));
}

function errorOf({ status, text }: HttpResponse) {
  const { error } = errorBody.strict().parse(JSON.parse(text));
  expect(ERRORS[error.code].status).toBe(status);
  return error;
}

async function signUp(): Promise<string> {
  await heron.resetRateLimits();
  return (await heron.signUp(`Typed-${++people}`)).token;
}

const cookieOf = ({ headers }: HttpResponse) => headers['set-cookie']?.[0] ?? '';

describe('each method', () => {
  let token: string;
  beforeAll(async () => {
    token = await signUp();
  });

  test.each(NAMED)('%s gives the same outcome as by the generic send', async (name, method) => {
    // A sign-out would end the session that the next methods need.
    const callers: Headers[] = method === accountMethods.logout ? [{}] : [{}, bearer(token), bearer('nobody')];
    for (const headers of callers) {
      for (const payload of [{}, Object.fromEntries(Object.keys(method.payload.shape).map((field) => [field, {}]))]) {
        await heron.resetRateLimits();
        const old = await heron.send(name, toOldFieldNames(method.payload, payload) as object, headers);
        await heron.resetRateLimits();
        const typed = await post(method, JSON.stringify(payload), headers);
        expect(typed.status).toBe(old.status);
        expect(typed.headers['cache-control']).toBe('no-store');
        if (typed.status === 200) expect(Object.keys(old.data).sort().join(' ')).toBe(oldDataFields(name));
        else expect(errorOf(typed).code).toBe(old.error);
      }
    }
  });

  test.each(NAMED)('%s rejects a sender without a JSON object', async (_name, method) => {
    await heron.resetRateLimits();
    const { path } = methodCall(method);
    const none = errorOf(await heron.request(path, { method: 'POST' }));
    const list = errorOf(await post(method, '[]'));
    for (const { code } of [none, list]) expect(['invalid_request', 'not_logged_in']).toContain(code);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(errorOf(await post(method, '{}', { 'content-type': type })).code).toBe('wrong_type');
  });

  test.each(NAMED)('%s rejects every HTTP method but POST', async (_name, method) => {
    const { path } = methodCall(method);
    for (const http of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await heron.request(path, { method: http, headers: { accept: 'text/html' } });
      expect(answer.status, http).toBe(405);
      expect(answer.headers.allow).toBe('POST');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(NAMED)('%s rejects pages of other sites, and secrets in the address', async (_name, method) => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      expect((await failure(method, {}, { ...headers, cookie: `heron_session=${token}` })).code).toBe('cross_origin');
    const { path } = methodCall(method);
    for (const name of ['token', 'sessionkey', 'sessionuid', 'password', 'ticket', 'newPassword', 'new_password']) {
      const answer = await heron.request(`${path}?${name}=${token}`, { method: 'POST' });
      expect(errorOf(answer).code, name).toBe('secret_in_address');
    }
  });
});

test.each([
  '/api',
  '/api/',
  '/api/login',
  '/api/login/',
  '/api/login/login/',
  '/api//login/login',
  '/API/login/login',
  '/api/login/Login',
  '/api/System.Login.login',
  '/api/login/constructor',
  '/api/__proto__/login',
  ...[...METHOD_ALIASES.keys()].filter((name) => !name.includes('.')).map((name) => `/api/${name}`),
])('the path %s has no call', async (path) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await heron.request(path, { method: 'POST', headers, body: '{}' });
  expect(errorOf(answer).code).toBe('not_found');
});

test.each([
  ['no JSON', '{"everywhere": ', 'malformed'],
  ['empty', '', 'malformed'],
  ['null', 'null', 'invalid_request'],
  ['poisoning the prototype', '{"__proto__":{"groupId":1}}', 'malformed'],
  ['nested deeply', `{"x":${'['.repeat(33)}${']'.repeat(33)}}`, 'malformed'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'malformed'],
  ['larger than 1 MB', JSON.stringify({ x: 'x'.repeat(1_048_576) }), 'too_large'],
] as const)('a body that is %s is rejected', async (_what, body, code) => {
  expect(errorOf(await post(accountMethods.logout, body)).code).toBe(code);
});

test('messages have the words of the app, in the language of the header', async () => {
  const nobody = { username: '', password: '' };
  expect(await failure(accountMethods.login, nobody)).toEqual({
    code: 'account_empty',
    message: ERRORS.account_empty.en,
  });
  expect((await failure(accountMethods.login, nobody, { 'accept-language': 'zh-CN' })).message).toBe(
    ERRORS.account_empty.zh,
  );
  expect(await failure(accountMethods.login, { username: 'x' })).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('password'),
    details: { reason: expect.stringContaining('password') },
  });
});

test('a field of another version is rejected, because its sender would believe that it was used', async () => {
  const token = await signUp();
  const sent = { sex: 1, nick_name: 'Early' };
  expect(await failure(accountMethods.updateMemberInformation, sent, bearer(token))).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('nick_name'),
  });
  expect((await call(accountMethods.memberInfo, {}, bearer(token))).userInfo).toMatchObject({ sex: 0 });
  expect(await failure(accountMethods.setSettings, { register_by_name: false }, bearer(token))).toMatchObject({
    details: { reason: expect.stringContaining('register_by_name') },
  });
  const login = { username: `Typed-${people}`, password: PASSWORD, lang: 'zh' };
  expect((await failure(accountMethods.login, login)).message).toContain('lang');
});

test('a sign-in sets the cookie of the session, which authenticates until the sign-out', async () => {
  await signUp();
  const username = `Typed-${people}`;
  const entered = await post(accountMethods.login, JSON.stringify({ username, password: PASSWORD, session: 'cookie' }));
  expect(JSON.parse(entered.text)).not.toHaveProperty('token');
  expect(cookieOf(entered)).toMatch(/^heron_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
  const [cookie = ''] = cookieOf(entered).split(';');
  expect((await call(accountMethods.memberInfo, {}, { cookie })).userInfo).toMatchObject({ username });
  const left = await post(accountMethods.logout, '{}', { cookie });
  expect(JSON.parse(left.text)).toEqual({ disabled: [] });
  expect(cookieOf(left)).toMatch(/^heron_session=; .*Max-Age=0/);
  expect((await failure(accountMethods.memberInfo, {}, { cookie })).code).toBe('not_logged_in');
});

test('only the header and the cookie name a session, and the header comes first', async () => {
  const token = await signUp();
  const cookie = `heron_session=${token}`;
  for (const named of [{ token }, { sessionkey: token, sessionuid: 1 }])
    expect((await failure(accountMethods.listSessions, named)).code).toBe('not_logged_in');
  expect((await failure(accountMethods.listSessions, {}, { cookie, ...bearer('x') })).code).toBe('not_logged_in');
});

test('under https the cookie has its host-only name', async () => {
  const proxied = await startTestPlatform({ publicUrl: 'https://heron.example', trustedProxies: ['127.0.0.1'] });
  const outside = { host: 'heron.example', 'x-forwarded-proto': 'https', origin: 'https://heron.example' };
  const headers = { 'content-type': 'application/json', ...outside };
  const body = JSON.stringify({ username: 'Secure', password: PASSWORD });
  const { path } = methodCall(accountMethods.usernameRegister);
  const joined = await proxied.request(path, { method: 'POST', headers, body });
  expect(joined.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-heron_session=[\w-]{43}; .*SameSite=Strict; .*Secure$/),
    expect.stringMatching(/^heron_session=; .*Max-Age=0/),
  ]);
  const foreign = await proxied.request(path, { method: 'POST', headers: { ...headers, host: 'evil.example' }, body });
  expect(errorOf(foreign).code).toBe('wrong_host');
  await proxied.stop();
});

test('an act that can harm the owner needs a fresh proof', async () => {
  const token = await signUp();
  const email = { email: `typed.${people}@example.org` };
  await heron.database.pool.query(`update accounts.sessions set proven_at = now() - interval '31 minutes'`);
  expect((await failure(accountMethods.sendContactCode, email, bearer(token))).code).toBe('proof_needed');
  expect((await failure(accountMethods.prove, { password: 'wrong' }, bearer(token))).code).toBe('password_wrong');
  await call(accountMethods.prove, { password: PASSWORD }, bearer(token));
  await call(accountMethods.sendContactCode, email, bearer(token));
});

test('failed sign-ins count together with those of the generic send', async () => {
  await signUp();
  const wrong = { username: `Typed-${people}`, password: 'wrong password' };
  expect((await heron.send('System.Login.login', wrong)).error).toBe('login_failed');
  expect((await failure(accountMethods.login, wrong)).code).toBe('login_failed');
  for (let n = 0; n < 10; n++) {
    if (n % 2 === 0) await heron.send('System.Login.login', wrong);
    else await failure(accountMethods.login, wrong);
  }
  const answer = await post(accountMethods.login, JSON.stringify(wrong));
  expect(errorOf(answer)).toMatchObject({ code: 'too_many_requests', details: { seconds: expect.any(Number) } });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect((await heron.send('System.Login.login', wrong)).error).toBe('too_many_requests');
});

test('calls count against the limit of an address together with the generic send', async () => {
  const headers = { 'x-forwarded-for': CALLER };
  const { path } = methodCall(accountMethods.rules);
  for (let n = 0; n < 3_000; n += 100) {
    const some = Array.from({ length: 100 }, (_, at) =>
      heron.request(at % 2 === 0 ? path : '/api.php', { method: 'PUT', headers }),
    );
    // Both addresses count a request before they look at its HTTP method or body.
    await Promise.all(some);
  }
  expect(errorOf(await post(accountMethods.rules, '{}', headers)).code).toBe('too_many_requests');
  await call(accountMethods.rules, {});
});

test('a request is logged with its method and user, and without secrets', async () => {
  const token = await signUp();
  const { userInfo } = await call(accountMethods.memberInfo, {}, bearer(token));
  const wrong = 'a-wrong-password-in-no-log';
  await failure(accountMethods.modifyPassword, { oldPassword: wrong, newPassword: wrong }, bearer(token));
  const lines = heron
    .log()
    .split('\n')
    .filter((line) => line.includes('/api/'));
  const find = (text: string) => lines.find((line) => line.includes(text) && line.includes(`"uid":${userInfo.uid}`));
  expect(find('"call":"System.Member.memberInfo"')).toContain('"path":"/api/member/memberInfo"');
  expect(find('"call":"System.Member.modifyPassword"')).toContain('"failure":"password_wrong"');
  expect(heron.log()).not.toContain(wrong);
  expect(heron.log()).not.toContain(token);
});

test('an internal error reveals no details', async () => {
  const lonely = await startTestPlatform();
  const { token } = await lonely.signUp('Early');
  await lonely.database.pool.query('alter schema accounts rename to elsewhere');
  const { path } = methodCall(accountMethods.memberInfo);
  const headers = { 'content-type': 'application/json', ...bearer(token) };
  const answer = await lonely.request(path, { method: 'POST', headers, body: '{}' });
  expect(errorOf(answer)).toEqual({ code: 'internal', message: ERRORS.internal.en });
  expect(lonely.log()).toContain('request failed');
  await lonely.stop();
});
