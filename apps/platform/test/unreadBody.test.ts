import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { BOT_BODY_BYTES } from '@heron/contract/bots/calls.ts';
import { errorBody } from '@heron/contract/http/errors.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort, startNginx, type WebProxy } from '../src/testing/webProxies.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, type HttpResponse, requestAt } from './testPlatform.ts';

let host: FakeBotHost;
let token: string;
beforeAll(async () => {
  host = await startFakeBotHost();
  host.limit = BOT_BODY_BYTES;
});
afterAll(() => host.stop());
const heron = platformFixture(() => ({ bothostUrl: host.url }));
beforeAll(async () => {
  ({ token } = await heron.signUp('Sender'));
});
beforeEach(() => {
  host.requests.length = 0;
});

const headers = () => ({ ...bearer(token), 'content-type': 'application/json' });
const codeOf = ({ text }: HttpResponse) => errorBody.parse(JSON.parse(text)).error.code;

test.each([{}, { 'transfer-encoding': 'chunked' }])(
  'a body above the limit is rejected by the platform, announced or not: %j',
  async (more) => {
    const body = Buffer.alloc(BOT_BODY_BYTES + 1, ' ');
    const answer = await heron.request('/bot/bots', { method: 'POST', headers: { ...headers(), ...more }, body });
    expect(answer.status).toBe(413);
    expect(codeOf(answer)).toBe('too_large');
    expect(host.requests).toEqual([]);
    const fits = await heron.request('/bot/bots', {
      method: 'POST',
      headers: { ...headers(), ...more },
      body: body.subarray(1),
    });
    expect(fits.status).toBe(200);
    expect(host.requests[0]?.headers['content-length']).toBe(String(BOT_BODY_BYTES));
  },
);

test('a body with a GET is discarded without a wait', async () => {
  const length = 400_000;
  const given = { ...headers(), 'content-length': length };
  const answer = await heron.request('/bot/bots', { headers: given, body: Buffer.alloc(length, ' ') });
  expect(answer.status).toBe(200);
  expect(host.requests[0]).toMatchObject({ method: 'GET', body: '' });
});

/** Posts a body and sends a second request over the same connection. */
async function twice(path: string, size: number, given = headers()): Promise<[HttpResponse, HttpResponse]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = (method: string, way: string, body?: Buffer) =>
    new Promise<HttpResponse>((resolve, reject) => {
      const sending = request(`${heron.platform.url}${way}`, { agent, method, headers: given }, async (answer) => {
        let text = '';
        for await (const chunk of answer) text += String(chunk);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
      sending.on('error', reject);
      sending.end(body);
    });
  const first = await once('POST', path, Buffer.alloc(size, ' '));
  const second = await once('GET', '/healthz');
  agent.destroy();
  return [first, second];
}

test.each([
  ['/bot/bots', 300_000, 413],
  ['/bot/bots', 1_000_000, 413],
  ['/bot/bots', 4_000_000, 413],
  ['/api.php', 4_000_000, 413],
  ['/bot/nowhere//', 1_000_000, 404],
  ['/bot/stream', 1_000_000, 405],
])('after a post to %s of %i bytes with status %i the connection works or closes', async (path, size, status) => {
  const [first, second] = await twice(path, size);
  expect(first.status).toBe(status);
  expect(second.status).toBe(200);
});

test('a large body without a session gets a response', async () => {
  const [first, second] = await twice('/bot/bots', 1_000_000, { ...headers(), authorization: 'Bearer x' });
  expect(first.status).toBe(401);
  expect(second.status).toBe(200);
});

test('the connection of an endless body is closed, with a connection header', async () => {
  const { hostname, port, host: name } = new URL(heron.platform.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const lines = [`Host: ${name}`, `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  socket.write(`POST /bot/bots HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 900000\r\n\r\n{`);
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
});

describe.each(['on', 'off'])('behind nginx with kept connections and proxy_request_buffering %s', (buffering) => {
  let proxy: WebProxy;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    proxy = await startNginx(
      `upstream heron { server ${new URL(heron.platform.url).host}; keepalive 16; }
       server {
         listen 127.0.0.1:${port};
         client_max_body_size 20m;
         location / {
           proxy_pass http://heron;
           proxy_http_version 1.1;
           proxy_set_header Connection "";
           proxy_set_header Host $http_host;
           proxy_read_timeout 10s;
           proxy_request_buffering ${buffering};
         }
       }`,
      port,
    );
  });
  afterAll(() => proxy.stop());

  test.each([300_000, 400_000, 1_000_000, 5_000_000])(
    'posts of %i bytes get a response, and other visitors are served',
    async (size) => {
      const body = Buffer.alloc(size, ' ');
      const posts = Array.from({ length: 16 }, () =>
        requestAt(url, '/bot/bots', { method: 'POST', headers: headers(), body }),
      );
      for (const answer of await Promise.all(posts)) {
        expect(answer.status).toBe(413);
        expect(codeOf(answer)).toBe('too_large');
      }
      const visitors = Array.from({ length: 20 }, () => requestAt(url, '/healthz'));
      expect((await Promise.all(visitors)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    },
  );
});
