import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { hashToken } from '../src/gateway/secretToken.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { platformFixture } from './platformFixture.ts';
import { bearer, PASSWORD, SECRET, startTestPlatform, type TestPlatform, until } from './testPlatform.ts';

let host: FakeBotHost;
let token: string;
let userId: number;
beforeAll(async () => {
  host = await startFakeBotHost();
});
afterAll(() => host.stop());
// A pong may be late on a busy machine, so only tests of pings use a short interval.
const heron = platformFixture(() => ({ bothostUrl: host.url, heartbeatMs: 600_000 }));
beforeEach(async () => {
  host.onStream = () => {};
  host.streams.length = 0;
  const joined = await heron.signUp(`viewer-${crypto.randomUUID().slice(0, 8)}`);
  token = joined.token;
  userId = joined.user.id;
});

const address = () => `${heron.platform.url.replace('http', 'ws')}/bot/stream`;
const cookie = () => ({ cookie: `heron_session=${token}`, origin: heron.platform.url });

async function open(
  headers: Record<string, string> = cookie(),
  at = address(),
): Promise<{ client: WebSocket; upstream: WebSocket }> {
  const before = host.streams.length;
  const client = new WebSocket(at, { headers });
  await once(client, 'open');
  await until(() => host.streams.length > before);
  const upstream = host.streams.at(-1)?.socket;
  if (upstream === undefined) throw new Error('no stream arrived');
  return { client, upstream };
}

async function refusedWith(headers: Record<string, string>, at = address()): Promise<number> {
  const client = new WebSocket(at, { headers });
  client.on('error', () => {});
  const [, answer] = await once(client, 'unexpected-response');
  client.terminate();
  return answer.statusCode;
}

async function closing(socket: WebSocket): Promise<[code: number, reason: string]> {
  const [code, reason] = await once(socket, 'close');
  return [code, String(reason)];
}

test('messages are forwarded unchanged in both directions, for a signed-in user', async () => {
  host.onStream = (socket) =>
    socket.on('message', (data, isBinary) => socket.send(isBinary ? data : `received ${data}`, { binary: isBinary }));
  const client = new WebSocket(address(), { headers: { ...cookie(), 'accept-language': 'zh', 'x-heron-user': '1' } });
  await once(client, 'open');
  // The client sends this before the platform can have reached the bot host.
  client.send('苍鹭');
  const [text, isBinary] = await once(client, 'message');
  expect([String(text), isBinary]).toEqual(['received 苍鹭', false]);
  client.send(Buffer.from([0, 255]));
  const [bytes, binary] = await once(client, 'message');
  expect([Buffer.from(bytes), binary]).toEqual([Buffer.from([0, 255]), true]);
  expect(host.streams[0]?.headers).toMatchObject({
    authorization: `Heron ${SECRET}`,
    'x-heron-user': String(userId),
    'x-heron-language': 'zh',
  });
  expect(host.streams[0]?.headers.cookie ?? host.streams[0]?.headers.origin).toBeUndefined();
  client.terminate();
});

test('a stream needs a session, no token in the address, and the right path', async () => {
  expect(await refusedWith({})).toBe(401);
  expect(await refusedWith({ cookie: 'heron_session=x' })).toBe(401);
  expect(await refusedWith({}, `${address()}?token=${token}`)).toBe(400);
  expect(heron.log()).not.toContain(token);
  for (const path of ['/', '/api.php', '/bot/other', '/healthz', '/nowhere']) {
    expect(await refusedWith(cookie(), `${heron.platform.url.replace('http', 'ws')}${path}`), path).toBe(404);
  }
  expect((await heron.request('/bot/stream', { headers: { authorization: `Bearer ${token}` } })).status).toBe(400);
  expect(host.streams).toEqual([]);
});

test('a program may send its token in a header', async () => {
  const { client } = await open({ authorization: `Bearer ${token}` });
  client.terminate();
});

test('when one side closes, the other side closes with the same code', async () => {
  const first = await open();
  first.client.close(4000, 'had enough');
  expect(await closing(first.upstream)).toEqual([4000, 'had enough']);
  const second = await open();
  second.upstream.close(1000, 'done');
  expect(await closing(second.client)).toEqual([1000, 'done']);
  const third = await open();
  third.client.terminate();
  expect((await closing(third.upstream))[0]).toBe(1001);
});

test('when the bot host goes down, the client gets a close code to reconnect', async () => {
  const { client } = await open();
  await host.stop();
  expect((await closing(client))[0]).toBe(1013);
  const next = new WebSocket(address(), { headers: cookie() });
  expect((await closing(next))[0]).toBe(1013);
  await host.start();
});

test('signing out closes the streams of that session only', async () => {
  const own = await open();
  const { client: other } = await open({ authorization: `Bearer ${(await heron.signUp('bystander')).token}` });
  const closed = closing(own.client);
  await heron.send('System.Login.logout', {}, { authorization: `Bearer ${token}` });
  expect(await closed).toEqual([4401, 'logged out']);
  expect(other.readyState).toBe(WebSocket.OPEN);
  other.terminate();
});

test('signing out everywhere closes the streams of all sessions', async () => {
  const { rows } = await heron.database.pool.query('select username from accounts.users where id = $1', [userId]);
  const { data } = await heron.send('System.Login.login', { username: rows[0].username, password: PASSWORD });
  const [one, two] = [await open(), await open({ authorization: `Bearer ${data.token}` })];
  const closed = Promise.all([closing(one.client), closing(two.client)]);
  await heron.send('System.Login.logout', { everywhere: true }, { authorization: `Bearer ${token}` });
  expect((await closed).map(([code]) => code)).toEqual([4401, 4401]);
});

describe('with checks every second', () => {
  let watchful: TestPlatform;
  let watched: string;
  beforeAll(async () => {
    watchful = await startTestPlatform({ bothostUrl: host.url, heartbeatMs: 1_000 });
    ({ token: watched } = await watchful.signUp('watched'));
  });
  afterAll(() => watchful.stop());
  const openThere = () => open(bearer(watched), `${watchful.platform.url.replace('http', 'ws')}/bot/stream`);

  test('a side that does not respond to pings is disconnected, with the other side', async () => {
    const { client, upstream } = await openThere();
    const closed = closing(upstream);
    client.pause();
    expect((await closed)[0]).toBe(1001);
    client.terminate();
  });

  test('pings keep a quiet stream open', async () => {
    const { client, upstream } = await openThere();
    for (let beats = 0; beats < 3; beats++) await Promise.all([once(client, 'ping'), once(upstream, 'ping')]);
    expect(client.readyState).toBe(WebSocket.OPEN);
    client.terminate();
  });

  test('a stream is closed when another process has paired a bot host', async () => {
    const { client } = await openThere();
    await watchful.database.pool.query(
      `insert into accounts.paired_hosts (user_id, id, instance, name, address, port, identity, sealed_key, version, paired_at)
       select id, 'abcd', $1, 'Elsewhere', '127.0.0.1', 1, 'somebody', 'no key', '0.1.0', now() from accounts.users`,
      [crypto.randomUUID()],
    );
    expect(await closing(client)).toEqual([1013, 'other bot hosts']);
    const { client: reopened } = await openThere();
    reopened.close();
  });

  test('an expired session, or one ended elsewhere, closes its streams', async () => {
    const { client } = await openThere();
    const closed = closing(client);
    await watchful.database.pool.query(
      `update accounts.sessions set used_at = now() - interval '15 days' where token_hash = $1`,
      [hashToken(watched)],
    );
    expect((await closed)[0]).toBe(4401);
  });
});

test('a client may send short messages only', async () => {
  const { client } = await open();
  client.send('x'.repeat(4_097));
  expect((await closing(client))[0]).toBe(1009);
});

test('a client that sends too much is closed with 4429', async () => {
  const { client, upstream } = await open();
  let arrived = 0;
  upstream.on('message', () => {
    arrived++;
  });
  const closed = closing(client);
  const upstreamClosed = once(upstream, 'close');
  for (let n = 0; n < 5_000; n++) client.send('{"type":"watch","id":null}');
  expect(await closed).toEqual([4429, 'too many messages']);
  await upstreamClosed;
  expect(arrived).toBe(40);
});

test.each([
  ['ping', 100],
  ['pong', 50_000],
] as const)('a flood of %ss closes a stream too', async (kind, frames) => {
  const { client } = await open();
  const closed = closing(client);
  for (let n = 0; n < frames; n++) client[kind]();
  expect((await closed)[0]).toBe(4429);
});

test('a client that sends after the close frame is disconnected', async () => {
  const { hostname, port } = new URL(heron.platform.url);
  const connection = connect(Number(port), hostname);
  connection.on('error', () => {});
  const headers = Object.entries({
    ...cookie(),
    host: `${hostname}:${port}`,
    upgrade: 'websocket',
    connection: 'upgrade',
  });
  const key = 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13';
  connection.write(
    `GET /bot/stream HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n${key}\r\n\r\n`,
  );
  const [answer] = await once(connection, 'data');
  expect(String(answer)).toContain('101 Switching Protocols');
  await until(() => host.streams.length > 0);
  // Each frame is an empty text message, masked with zeros.
  const frames = Buffer.concat(Array(1_000).fill(Buffer.from([0x81, 0x80, 0, 0, 0, 0])));
  const sending = setInterval(() => connection.write(frames), 5);
  await new Promise((resolve) => connection.on('close', resolve));
  clearInterval(sending);
});

test('one user opens at most 120 streams a minute', async () => {
  for (let n = 0; n < 120; n++) (await open()).client.terminate();
  expect(await refusedWith(cookie())).toBe(429);
});

test('a slow reader pauses the bot host instead of filling the memory', async () => {
  // Pings would disconnect the paused client.
  const patient = await startTestPlatform({ bothostUrl: host.url, heartbeatMs: 600_000 });
  const { token: reader } = await patient.signUp('slow-reader');
  const client = new WebSocket(`${patient.platform.url.replace('http', 'ws')}/bot/stream`, {
    headers: { authorization: `Bearer ${reader}` },
  });
  await once(client, 'open');
  await until(() => host.streams.length > 0);
  const upstream = host.streams.at(-1)?.socket;
  if (upstream === undefined) throw new Error('no stream arrived');
  client.pause();
  const before = process.memoryUsage().arrayBuffers;
  const chunk = Buffer.alloc(65_536, 'x');
  const total = 1_600;
  for (let n = 0; n < total; n++) upstream.send(chunk);
  // The bot host sent 100 MB. The platform has not read the bytes that stay in the send buffer.
  let last = -1;
  let still = 0;
  await until(() => {
    still = upstream.bufferedAmount === last ? still + 1 : 0;
    last = upstream.bufferedAmount;
    return still > 2_000;
  }, 120_000);
  expect(upstream.bufferedAmount).toBeGreaterThan(total * chunk.length * 0.8);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000);
  let received = 0;
  client.on('message', () => {
    received++;
  });
  client.resume();
  await until(() => received === total, 60_000);
  client.terminate();
  await patient.stop();
}, 240_000);

test('one user has at most thirty streams', async () => {
  const clients: WebSocket[] = [];
  for (let n = 0; n < 30; n++) clients.push((await open()).client);
  const surplus = new WebSocket(address(), { headers: cookie() });
  expect((await closing(surplus))[0]).toBe(4429);
  for (const client of clients) client.terminate();
});

test('when the platform stops, clients get a close frame and nothing stays open', async () => {
  const short = await startTestPlatform({ bothostUrl: host.url });
  const { token: guest } = await short.signUp('guest');
  const client = new WebSocket(`${short.platform.url.replace('http', 'ws')}/bot/stream`, {
    headers: { authorization: `Bearer ${guest}` },
  });
  await once(client, 'open');
  const paused = new WebSocket(`${short.platform.url.replace('http', 'ws')}/bot/stream`, {
    headers: { authorization: `Bearer ${guest}` },
  });
  await once(paused, 'open');
  paused.pause();
  const closed = closing(client);
  const began = performance.now();
  await short.stop();
  expect((await closed)[0]).toBe(1001);
  // A platform that waits for the paused client stops after 30 s.
  expect(performance.now() - began).toBeLessThan(15_000);
  paused.terminate();
});
