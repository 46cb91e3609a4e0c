import { connect } from 'node:net';
import { gatewayFailure } from '@heron/contract/http/envelope.ts';
import { errorBody } from '@heron/contract/http/errors.ts';
import { describe, expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { startTestPlatform } from './testPlatform.ts';

const heron = platformFixture();

const json = { 'content-type': 'application/json' };
const post = (body: string | Buffer, headers = {}) =>
  heron.request('/api.php', { method: 'POST', headers: { ...json, ...headers }, body });

/** Sends bytes unchanged, without an HTTP client. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(heron.platform.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a body that is', () => {
  test.each([
    ['no JSON', '{"method": ', 400, 'malformed'],
    ['empty', '', 400, 'malformed'],
    ['a list', '[]', 422, 'invalid_request'],
    ['null', 'null', 422, 'invalid_request'],
    ['a number', '1e999', 422, 'invalid_request'],
    ['without a method', '{}', 422, 'invalid_request'],
    ['with a method that is no text', '{"method":{"$ne":null}}', 422, 'invalid_request'],
    ['for an unknown method', '{"method":"System.Nothing.here"}', 404, 'not_found'],
    ['for a method named like a property of objects', '{"method":"constructor"}', 404, 'not_found'],
    ['for the prototype', '{"method":"__proto__"}', 404, 'not_found'],
    ['with the wrong types', '{"method":"System.Login.login","username":1,"password":[]}', 422, 'invalid_request'],
    ['lacking fields', '{"method":"System.Login.login"}', 422, 'invalid_request'],
    ['poisoning the prototype', '{"method":"System.Login.logout","__proto__":{"group_id":1}}', 400, 'malformed'],
    ['poisoning through the constructor', '{"method":"x","a":{"constructor":{"prototype":{"y":1}}}}', 400, 'malformed'],
    [
      'nested deeply',
      `{"method":"System.Login.logout","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      400,
      'malformed',
    ],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, 'malformed'],
    ['larger than 1 MB', JSON.stringify({ method: 'System.Login.logout', x: 'x'.repeat(1_048_576) }), 413, 'too_large'],
  ])('%s is rejected', async (_what, body, status, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    const failure = gatewayFailure.parse(JSON.parse(answer.text));
    expect(failure).toMatchObject({ code: -status, error: { code } });
    expect(failure.message).toBe(failure.error.message);
    expect(Object.hasOwn(Object.prototype, 'group_id')).toBe(false);
  });

  test('larger than 1 MB and sent in chunks is rejected', async () => {
    const answer = await post(Buffer.alloc(1_200_000, 'x'), { 'transfer-encoding': 'chunked' });
    expect(answer.status).toBe(413);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'json',
  ])('of the type %s is rejected', async (type) => {
    const answer = await post('{"method":"System.Login.logout"}', { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(gatewayFailure.parse(JSON.parse(answer.text)).error.code).toBe('wrong_type');
  });
});

test('long text without nesting is not rejected as deep', async () => {
  const answer = await post(JSON.stringify({ method: 'System.Login.logout', x: '[{"'.repeat(1_000) }));
  expect(answer.status).toBe(200);
});

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
  '%s on a known path is 405 with the allowed methods',
  async (method) => {
    for (const path of ['/api.php', '/bot/stream']) {
      const answer = await heron.request(path, {
        method,
        headers: { 'content-type': 'text/strange', 'content-length': 1 },
        body: 'x',
      });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toContain('GET');
      expect(errorBody.parse(JSON.parse(answer.text)).error.code).toBe('wrong_method');
    }
  },
);

test('methods that change something or receive a secret reject GET', async () => {
  for (const method of [
    'System.Login.logout',
    'System.Login.login',
    'System.Register.usernameRegister',
    'System.Setup.checkToken',
  ]) {
    const answer = await heron.request(`/api.php?method=${method}&username=x`);
    expect(answer.status).toBe(405);
  }
  expect((await heron.request('/api.php?method=System.Register.rules')).status).toBe(200);
});

test.each([
  '/nowhere',
  '/api.php/',
  '/api.phpx',
  '/API.PHP',
  '//api.php',
  '/metrics',
  '/.git/config',
  '/bot',
  '/%2e%2e/etc/passwd',
])('the unknown path %s is 404', async (path) => {
  const answer = await heron.request(path);
  expect(answer.status).toBe(404);
  expect(errorBody.parse(JSON.parse(answer.text)).error.code).toBe('not_found');
});

test.each([
  '/%',
  '/%zz',
  '/api.php?%',
  '/%00',
  '/%c0%af',
  `/${'a'.repeat(9_000)}`,
  '/..%2f..%2fetc%2fpasswd',
  '/assets/..%5c..%5cx',
])('the broken path %s is a 4xx', async (path) => {
  const answer = await heron.request(path);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  errorBody.parse(JSON.parse(answer.text));
});

test('unreadable requests get 400, oversized headers get 413', async () => {
  const host = new URL(heron.platform.url).host;
  for (const request of [
    'NONSENSE\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: ${host}\r\nBad Header: x\r\n\r\n`,
    'GET / HTTP/1.1\r\n\r\n',
    `POST /api.php HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /api.php HTTP/1.1\r\nHost: ${host}\r\nContent-Length: -1\r\n\r\n`,
  ]) {
    expect(await raw(request)).toMatch(/^HTTP\/1\.1 400 /);
  }
  const huge = await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Huge: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(huge).toMatch(/^HTTP\/1\.1 413 /);
  expect(errorBody.parse(JSON.parse(huge.split('\r\n\r\n')[1] ?? '')).error.code).toBe('too_large');
});

test('the response to an unreadable HEAD has no body', async () => {
  const host = new URL(heron.platform.url).host;
  const answer = await raw(`HEAD / HTTP/1.1\r\nHost: ${host}\r\nX-Huge: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toMatch(/\r\n\r\n$/);
});

test('a client that sends garbage and never closes is disconnected', async () => {
  const { hostname, port } = new URL(heron.platform.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).pause();
  const refused = new Promise((resolve) => socket.on('error', resolve));
  socket.write('NONSENSE\r\n\r\n');
  // Writes cause no error while the platform keeps the connection open.
  const writing = setInterval(() => socket.write('x'), 20);
  await refused;
  clearInterval(writing);
});

test.each([
  ['two of them', (own: string) => `Host: ${own}\r\nhost: evil.example`],
  ['with a fragment', (own: string) => `Host: ${own.replace(':', '#.evil.example:')}`],
  ['with a name before it', (own: string) => `Host: somebody@${own}`],
  ['with a path', (own: string) => `Host: ${own}/path`],
  ['with a query', (own: string) => `Host: ${own}?x`],
  ['with a backslash', (own: string) => `Host: ${own}\\x`],
  ['with a space', () => 'Host: a b'],
  ['empty', () => 'Host: '],
])('an invalid Host header is rejected: %s', async (_what, header) => {
  const answer = await raw(
    `GET /healthz HTTP/1.1\r\n${header(new URL(heron.platform.url).host)}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"malformed"');
});

test('no input appears in a header', async () => {
  const evil = 'x\r\nSet-Cookie: heron_session=planted';
  const answers = [
    await heron.send('System.Login.login', { username: evil, password: evil, lang: evil }),
    await heron.send('System.Register.usernameRegister', { username: evil, password: evil }),
    await heron.request(`/${encodeURIComponent(evil)}`),
    await heron.request(`/setup/${encodeURIComponent(evil)}`, { headers: { accept: 'text/html' } }),
    await heron.request(`/bot/${encodeURIComponent(evil)}`),
  ];
  for (const { headers, status } of answers) {
    expect(status).toBeLessThan(500);
    expect(headers['set-cookie']).toBeUndefined();
  }
});

test('responses have security headers, and no promise of https on plain http', async () => {
  const { headers } = await heron.request('/healthz');
  const policy = headers['content-security-policy'];
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self' 'unsafe-inline'");
  for (const none of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy).toContain(`${none} 'none'`);
  expect(policy).not.toContain('unsafe-eval');
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers.server ?? headers['x-powered-by']).toBeUndefined();
});

test('an internal error reveals no details', async () => {
  const lonely = await startTestPlatform();
  const before = await lonely.signUp('Early');
  await lonely.database.pool.query('alter schema accounts rename to elsewhere');
  const broken = await lonely.send('System.Member.memberInfo', {}, { authorization: `Bearer ${before.token}` });
  expect(broken).toMatchObject({ status: 500, error: 'internal' });
  expect(broken.text).not.toMatch(/accounts|relation|select/);
  await lonely.stop();
});
