import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { platformFixture } from './platformFixture.ts';
import { PASSWORD, startTestPlatform, type TestPlatform } from './testPlatform.ts';

const heron = platformFixture();
let token: string;
beforeAll(async () => {
  ({ token } = await heron.signUp('Origin'));
});

const whoAmI = (headers = {}) =>
  heron.send('System.Member.memberInfo', {}, { cookie: `heron_session=${token}`, ...headers });

describe('a page of another site', () => {
  test.each([
    ['another host', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['nonsense', { origin: 'x y z' }],
    ['a file', { origin: 'file://' }],
    ['a name with the same beginning', { origin: 'http://127.0.0.1.evil.example' }],
    ['the fetch metadata of the browser', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('known by %s cannot post', async (_what, headers) => {
    expect(await whoAmI(headers)).toMatchObject({ status: 403, error: 'cross_origin' });
    const login = await heron.send('System.Login.login', { username: 'Origin', password: PASSWORD }, headers);
    expect(login).toMatchObject({ status: 403, error: 'cross_origin', cookie: null });
  });

  test('cannot open a stream', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      expect(await openStream({ origin, cookie: `heron_session=${token}` })).toBe(403);
    }
  });
});

test('our own page and programs can post', async () => {
  const own = heron.platform.url;
  expect(await whoAmI({ origin: own })).toMatchObject({ code: 0 });
  expect(await whoAmI({ origin: own, 'sec-fetch-site': 'same-origin' })).toMatchObject({ code: 0 });
  expect(await whoAmI({ 'sec-fetch-site': 'same-origin' })).toMatchObject({ code: 0 });
  expect(await whoAmI()).toMatchObject({ code: 0 });
});

test('a foreign name that points to this server is rejected', async () => {
  const { port } = new URL(heron.platform.url);
  for (const host of [
    `evil.example:${port}`,
    'evil.example',
    `127.0.0.1.evil.example:${port}`,
    `192.168.1.5:${port}`,
  ]) {
    expect(await whoAmI({ host, origin: `http://${host}` })).toMatchObject({ status: 421, error: 'wrong_host' });
    expect((await heron.request('/healthz', { headers: { host } })).status).toBe(421);
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
    expect((await heron.request('/healthz', { headers: { host } })).status).toBe(200);
  }
});

describe('behind a proxy with https', () => {
  let proxied: TestPlatform;
  beforeAll(async () => {
    proxied = await startTestPlatform({ publicUrl: 'https://heron.example', trustedProxies: ['127.0.0.1'] });
  });
  afterAll(() => proxied.stop());
  const outside = { host: 'heron.example', 'x-forwarded-proto': 'https', origin: 'https://heron.example' };

  test('only the public name is accepted', async () => {
    expect((await proxied.request('/healthz', { headers: { host: 'heron.example' } })).status).toBe(200);
    expect((await proxied.request('/healthz', { headers: { host: 'evil.example' } })).status).toBe(421);
  });

  test('cookies are secure and browsers must stay on https', async () => {
    const payload = { username: 'Secure', password: PASSWORD };
    const joined = await proxied.send('System.Register.usernameRegister', payload, outside);
    expect(joined.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-heron_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/,
      ),
      'heron_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    ]);
    expect(joined.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  test('the cookie counts only under its host-only name', async () => {
    const login = { username: 'Secure', password: PASSWORD };
    const { data } = await proxied.send('System.Login.login', login, outside);
    const whoIs = async (cookie: string) =>
      (await proxied.send('System.Member.memberInfo', {}, { ...outside, cookie })).data?.user_info?.username ?? null;
    expect(await whoIs(`__Host-heron_session=${data.token}`)).toBe('Secure');
    expect(await whoIs(`heron_session=${data.token}`)).toBeNull();
    const planted = await proxied.signUp('Planted');
    expect(await whoIs(`__Host-heron_session=${data.token}; heron_session=${planted.token}`)).toBe('Secure');
    const out = await proxied.send('System.Login.logout', {}, { ...outside, authorization: `Bearer ${data.token}` });
    expect(out.headers['set-cookie']).toEqual([
      '__Host-heron_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
      'heron_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    ]);
  });

  test('a session with the older cookie name stays valid until it ends', async () => {
    const { token } = await proxied.signUp('Earlier');
    await proxied.database.pool.query('update accounts.sessions set by_https = false');
    const cookie = `heron_session=${token}`;
    expect(await proxied.send('System.Member.memberInfo', {}, { ...outside, cookie })).toMatchObject({ code: 0 });
  });

  test('a page of the same name without https is another site', async () => {
    const answer = await proxied.send('System.Register.rules', {}, { ...outside, origin: 'http://heron.example:8080' });
    expect(answer).toMatchObject({ error: 'cross_origin' });
  });
});

/** Returns the status with which the platform rejects the upgrade. */
function openStream(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${heron.platform.url.replace('http', 'ws')}/bot/stream`, { headers });
    socket.on('open', () => reject(new Error('it opened')));
    socket.on('unexpected-response', (_request, answer) => {
      resolve(answer.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('error', () => {});
  });
}
