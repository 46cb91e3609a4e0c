import { once } from 'node:events';
import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { errorBody } from '@heron/contract/http/errors.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { SECRET, until } from './testPlatform.ts';

let host: FakeBotHost;
let token: string;
let userId: number;
const echo: FakeBotHost['respond'] = (arrived, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(arrived));
};
beforeAll(async () => {
  host = await startFakeBotHost();
});
afterAll(() => host.stop());
const heron = platformFixture(() => ({ bothostUrl: host.url }));
beforeAll(async () => {
  const joined = await heron.signUp('Keeper');
  token = joined.token;
  userId = joined.user.id;
});
beforeEach(async () => {
  host.respond = echo;
  host.requests.length = 0;
});

const bearer = () => ({ authorization: `Bearer ${token}` });
const json = { 'content-type': 'application/json' };
const codeOf = ({ text }: { text: string }) => errorBody.parse(JSON.parse(text)).error.code;

test('a call reaches the bot host with method, path, query, body and user', async () => {
  const answer = await heron.request('/bot/bots/abc123/orders?x=1&y=%20z', {
    method: 'POST',
    headers: { ...json, cookie: `heron_session=${token}`, 'accept-language': 'zh-CN' },
    body: '{"side":"buy"}',
  });
  expect(answer.status).toBe(200);
  const [arrived] = host.requests;
  expect(arrived).toMatchObject({ method: 'POST', url: '/bot/bots/abc123/orders?x=1&y=%20z', body: '{"side":"buy"}' });
  expect(arrived?.headers).toMatchObject({
    authorization: `Heron ${SECRET}`,
    'x-heron-user': String(userId),
    'x-heron-group': '',
    'x-heron-language': 'zh',
    'content-type': 'application/json',
  });
});

test('headers of a client about itself do not reach the bot host', async () => {
  await heron.request('/bot/bots', {
    headers: {
      ...bearer(),
      cookie: 'heron_session=x; other=y',
      'x-heron-user': '1',
      'X-Heron-Group': '1',
      'x-heron-anything': '1',
      'x-forwarded-for': '192.0.2.1',
      connection: 'keep-alive, authorization',
    },
  });
  const [arrived] = host.requests;
  expect(arrived?.headers).toMatchObject({
    'x-heron-user': String(userId),
    'x-heron-group': '',
    authorization: `Heron ${SECRET}`,
  });
  expect(
    arrived?.headers.cookie ?? arrived?.headers['x-heron-anything'] ?? arrived?.headers['x-forwarded-for'],
  ).toBeUndefined();
  expect(JSON.stringify(arrived)).not.toContain(token);
});

test('the role of the user reaches the bot host', async () => {
  await heron.database.pool.query('update accounts.users set group_id = 2 where id = $1', [userId]);
  await heron.request('/bot/bots', { headers: bearer() });
  expect(host.requests[0]?.headers['x-heron-group']).toBe('2');
  await heron.database.pool.query('update accounts.users set group_id = null where id = $1', [userId]);
});

test('a call without a session is rejected', async () => {
  for (const headers of [
    {},
    { authorization: `Heron ${SECRET}` },
    { authorization: 'Bearer x' },
    { 'x-heron-user': '1' },
  ]) {
    const answer = await heron.request('/bot/bots', { headers });
    expect(answer.status).toBe(401);
    expect(codeOf(answer)).toBe('not_logged_in');
  }
  expect(host.requests).toEqual([]);
});

test.each([
  '/bot/../metrics',
  '/bot/..%2fmetrics',
  '/bot/%2e%2e/metrics',
  '/bot/./x',
  '/bot//x',
  '/bot/x/..',
  '/bot/a%5c..%5cb',
  '/bot/a\\..\\b',
])('the path %s cannot leave the prefix', async (path) => {
  const answer = await heron.request(path, { headers: bearer() });
  expect(answer.status).toBe(404);
  expect(host.requests).toEqual([]);
});

test('status and body of a response are forwarded, other headers are not', async () => {
  host.respond = (_arrived, response) => {
    response.writeHead(409, {
      ...json,
      'set-cookie': 'heron_session=planted',
      'x-inner': '1',
      'access-control-allow-origin': '*',
      'retry-after': '7',
    });
    response.end('{"error":{"code":"bot_running","message":"Stop the bot first"}}');
  };
  const answer = await heron.request('/bot/bots/abc123', { method: 'DELETE', headers: bearer() });
  expect(answer.status).toBe(409);
  expect(codeOf(answer)).toBe('bot_running');
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'retry-after': '7',
    'x-content-type-options': 'nosniff',
  });
  expect(
    answer.headers['set-cookie'] ?? answer.headers['x-inner'] ?? answer.headers['access-control-allow-origin'],
  ).toBeUndefined();
});

test('a short response is not compressed', async () => {
  const { headers, text } = await heron.request('/bot/bots', {
    headers: { ...bearer(), 'accept-encoding': 'br, gzip' },
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['content-length']).toBe(String(text.length));
});

test('a long response is compressed for clients that accept it', async () => {
  const long = JSON.stringify({ candles: Array.from({ length: 5_000 }, (_, n) => n % 7) });
  host.respond = (_arrived, response) => void response.setHeader('content-type', 'application/json').end(long);
  const size = await new Promise<number>((resolve, reject) => {
    request(`${heron.platform.url}/bot/x`, { headers: { ...bearer(), 'accept-encoding': 'br' } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const packed = Buffer.concat(chunks);
      expect(answer.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(packed).toString()).toBe(long);
      resolve(packed.length);
    })
      .on('error', reject)
      .end();
  });
  expect(size).toBeLessThan(long.length / 10);
});

test('a bot host that is down, hangs or rejects the platform is a 503', async () => {
  host.respond = (_arrived, response) => void response.writeHead(401, json).end('{}');
  expect(codeOf(await heron.request('/bot/bots', { headers: bearer() }))).toBe('unavailable');
  host.respond = (_arrived, _response, raw) => void raw.socket.destroy();
  expect(codeOf(await heron.request('/bot/bots', { headers: bearer() }))).toBe('unavailable');
  await host.stop();
  const away = await heron.request('/bot/bots', { method: 'POST', headers: { ...bearer(), ...json }, body: '{}' });
  expect(away.status).toBe(503);
  expect(codeOf(away)).toBe('unavailable');
  await host.start();
  host.respond = echo;
  expect((await heron.request('/bot/bots', { headers: bearer() })).status).toBe(200);
});

test('a truncated response never looks complete', async () => {
  host.respond = (_arrived, response) => {
    response.writeHead(200, { ...json, 'content-length': '9000' });
    response.write('{"half":');
    setImmediate(() => response.destroy());
  };
  await expect(heron.request('/bot/bots', { headers: bearer() })).rejects.toThrow();
  // No compressed byte has been sent yet, so the platform can still respond with an error.
  const packed = await heron.request('/bot/bots', { headers: { ...bearer(), 'accept-encoding': 'br' } });
  expect(packed.headers['content-encoding']).toBeUndefined();
  expect(codeOf(packed)).toBe('unavailable');
});

test.each([33, 5_000, 60_000])('JSON that nests %i levels deep is rejected by the platform', async (depth) => {
  const body = `{"name":"x","more":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const answer = await heron.request('/bot/bots', { method: 'POST', headers: { ...bearer(), ...json }, body });
  expect(answer.status).toBe(400);
  expect(codeOf(answer)).toBe('malformed');
  expect(host.requests).toEqual([]);
});

test('other types, methods and foreign pages are rejected by the platform', async () => {
  const text = { ...bearer(), 'content-type': 'text/plain' };
  expect((await heron.request('/bot/bots', { method: 'POST', headers: text, body: '{}' })).status).toBe(415);
  expect(
    (await heron.request('/bot/bots', { method: 'PATCH', headers: { ...bearer(), ...json }, body: '{}' })).status,
  ).toBe(405);
  const foreign = { cookie: `heron_session=${token}`, origin: 'https://evil.example' };
  expect((await heron.request('/bot/bots/abc123/start', { method: 'POST', headers: foreign })).status).toBe(403);
  expect(host.requests).toEqual([]);
});

test('a caller that disconnects aborts the call', async () => {
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  host.respond = (_arrived, response) => {
    response.on('close', gone.resolve);
    asked.resolve();
  };
  const caller = request(`${heron.platform.url}/bot/bots`, { headers: bearer() });
  caller.on('error', () => {});
  caller.end();
  await asked.promise;
  caller.destroy();
  await gone.promise;
});

test('bytes are streamed in both directions', async () => {
  const half = Promise.withResolvers<void>();
  host.respond = (_arrived, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.write('first');
    void half.promise.then(() => response.end('second'));
  };
  const caller = request(`${heron.platform.url}/bot/flow`, { headers: bearer() });
  caller.end();
  const [answer] = await once(caller, 'response');
  const [first] = await once(answer, 'data');
  expect(String(first)).toBe('first');
  half.resolve();
  const [second] = await once(answer, 'data');
  expect(String(second)).toBe('second');
});

test('the platform is ready when the bot host responds', async () => {
  await until(async () => (await heron.request('/readyz')).status === 200);
});
