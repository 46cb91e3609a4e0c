import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { startHttpProxy } from '../testing/proxyServers.ts';
import type { VenueHosts } from './hosts.ts';
import { NO_PROXIES } from './openNet.ts';
import type { Pause } from './pause.ts';
import { openVenueNet, type VenueNet, type VenueNetConfig } from './venueNet.ts';

const GET = { method: 'GET', headers: {} };
const POST = { method: 'POST', headers: {}, body: 'symbol=BTCUSDT' };
const NOW = Date.UTC(2026, 0, 1);

type Handler = (request: IncomingMessage, response: ServerResponse, socket: Socket) => void;

/** A host of a venue, whose behaviour a test may change while it runs. */
async function host(handler: Handler = (_request, response) => response.end('{}')) {
  const asked: string[] = [];
  const behaviour = { handler };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    behaviour.handler(request, response, request.socket);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    asked.push(`WS ${request.url}`);
    sockets.handleUpgrade(request, socket, head, (client) => client.send('hello'));
  });
  const start = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await start(0);
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  return {
    asked,
    behaviour,
    stop,
    start: () => start(port),
    rest: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}/ws`,
  };
}

function open(hosts: Partial<VenueHosts>, given: Partial<Pick<VenueNetConfig, 'now' | 'onPause'>> = {}): VenueNet {
  const none = { rest: [], publicRest: [], permissions: [], streams: [], account: [] };
  const net = openVenueNet({
    name: 'test',
    hosts: { ...none, ...hosts },
    proxies: NO_PROXIES,
    now: () => NOW,
    ...given,
  });
  onTestFinished(() => net.close());
  return net;
}

const text = async (net: VenueNet, url: string, init: typeof GET | typeof POST = GET) =>
  (await net.send('signed', url, init)).text();

const answering =
  (body: string): Handler =>
  (_request, response) =>
    response.end(body);

test('an unavailable host is replaced by the next, and used again when it is back', async () => {
  const [first, second] = [await host(answering('first')), await host(answering('second'))];
  let now = NOW;
  const net = open({ rest: [first.rest, second.rest] }, { now: () => now });
  const ask = () => text(net, `${first.rest}/api?x=1`);
  expect(await ask()).toBe('first');
  await first.stop();
  expect(await ask()).toBe('second');
  expect(await ask()).toBe('second');
  expect(second.asked).toEqual(['GET /api?x=1', 'GET /api?x=1']);
  await first.start();
  now += 61_000;
  // The request that finds the check due is not held up by it.
  expect(await ask()).toBe('second');
  await vi.waitFor(async () => expect(await ask()).toBe('first'), { timeout: 30_000 });
});

test('of several unavailable hosts, one that is back is found within a few requests', async () => {
  const hosts = [await host(), await host(), await host()];
  for (const each of hosts) await each.stop();
  const rest = hosts.map((each) => each.rest);
  const net = open({ rest });
  const attempt = () => net.send('signed', `${rest[0]}/api`, GET);
  await expect(attempt()).rejects.toMatchObject({
    kind: 'unreachable',
    fault: { kind: 'tcp_refused', host: '127.0.0.1' },
  });
  // The third is back, and found when it is its turn.
  await hosts[2]?.start();
  const outcomes: string[] = [];
  for (let i = 0; i < 3; i++)
    outcomes.push(
      await attempt().then(
        () => 'answered',
        () => 'failed',
      ),
    );
  expect(outcomes).toContain('answered');
  expect(outcomes).toContain('failed');
});

test('a write goes to the next host once when the first refuses the connection', async () => {
  const [first, second] = [await host(), await host(answering('done'))];
  await first.stop();
  const net = open({ rest: [first.rest, second.rest] });
  expect(await text(net, `${first.rest}/api/order`, POST)).toBe('done');
  expect(second.asked).toEqual(['POST /api/order']);
});

test('a write that the first host may have received is sent to no other host', async () => {
  const [first, second] = [await host((_request, _response, socket) => socket.destroy()), await host()];
  const net = open({ rest: [first.rest, second.rest] });
  const failure = await net.send('signed', `${first.rest}/api/order`, POST).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  // The caller must treat the outcome as unknown.
  expect(failure).not.toHaveProperty('kind');
  expect(net.fault()).toEqual({ kind: 'connection_lost', host: '127.0.0.1' });
  expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
});

test('a read whose connection breaks is sent to the next host', async () => {
  const [first, second] = [
    await host((_request, _response, socket) => socket.destroy()),
    await host(answering('second')),
  ];
  const net = open({ rest: [first.rest, second.rest] });
  expect(await text(net, `${first.rest}/api`)).toBe('second');
});

test('hosts for public data get public requests, and never a signed one', async () => {
  const [main, data] = [await host(), await host(answering('public data'))];
  await main.stop();
  const net = open({ rest: [main.rest], publicRest: [data.rest] });
  expect(await (await net.send('public', `${main.rest}/api`, GET)).text()).toBe('public data');
  await expect(net.send('signed', `${main.rest}/api/account`, GET)).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(net.send('signed', `${data.rest}/api/account`, GET)).rejects.toMatchObject({ kind: 'misused' });
  expect(data.asked).toEqual(['GET /api']);
});

test.each([
  [
    451,
    'application/json',
    `{"code":0,"msg":"Service unavailable from a restricted location according to 'b. Eligibility'"}`,
  ],
  [
    403,
    'text/html',
    '<H1>403 ERROR</H1>The Amazon CloudFront distribution is configured to block access from your country.',
  ],
  [
    403,
    'text/html',
    '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>You do not have permission</BODY></HTML>',
  ],
])('a refusal of this location (%i, %s) is recognised for reads and writes', async (status, type, body) => {
  const venue = await host((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
  const net = open({ rest: [venue.rest] });
  for (const init of [GET, POST]) {
    await expect(net.send('signed', `${venue.rest}/api`, init)).rejects.toMatchObject({
      kind: 'unreachable',
      fault: { kind: 'restricted_location', host: '127.0.0.1', status },
    });
  }
});

test('a 403 response of the exchange itself is passed on', async () => {
  const venue = await host((_request, response) =>
    response.writeHead(403).end('{"code":700006,"msg":"IP is not on the list"}'),
  );
  const answer = await open({ rest: [venue.rest] }).send('signed', `${venue.rest}/api`, GET);
  expect([answer.status, JSON.parse(await answer.text())]).toEqual([
    403,
    { code: 700006, msg: 'IP is not on the list' },
  ]);
});

test('after a ban nothing is sent by REST or WebSocket until it ends', async () => {
  let now = NOW;
  const received: Pause[] = [];
  const [first, second] = [await host(), await host()];
  first.behaviour.handler = (_request, response) =>
    response.writeHead(418, { 'retry-after': '120' }).end('{"code":-1003}');
  const net = open(
    { rest: [first.rest, second.rest], streams: [first.ws] },
    { now: () => now, onPause: (pause) => received.push(pause) },
  );
  expect((await net.send('signed', `${first.rest}/api`, GET)).status).toBe(418);
  const until = NOW + 120_000;
  expect(received).toEqual([{ until, banned: true }]);
  const paused = { kind: 'rate_limited', retryAt: until, fault: { kind: 'paused', until, banned: true } };
  await expect(net.send('signed', `${first.rest}/api`, GET)).rejects.toMatchObject(paused);
  await expect(net.send('signed', `${first.rest}/api`, POST)).rejects.toMatchObject(paused);
  const socket = net.openSocket(first.ws);
  expect(await new Promise((resolve) => socket.once('error', resolve))).toMatchObject(paused);
  expect([first.asked, second.asked]).toEqual([['GET /api'], []]);
  now = until;
  expect(net.fault()).toBeNull();
  expect((await net.send('signed', `${first.rest}/api`, GET)).status).toBe(418);
  expect(net.fault()).toMatchObject({ kind: 'paused', banned: true });
});

test("a ban's end is also read from the error message, and shared bans are respected", async () => {
  const until = NOW + 3_600_000;
  const venue = await host((_request, response) =>
    response.writeHead(418).end(`{"code":-1003,"msg":"Way too many requests; IP banned until ${until}."}`),
  );
  const net = open({ rest: [venue.rest] });
  await net.send('signed', `${venue.rest}/api`, GET);
  expect(net.pause()).toEqual({ until, banned: true });
  const other = open({ rest: [venue.rest] });
  other.applyPause({ until, banned: true });
  other.applyPause({ until: NOW + 1, banned: false });
  await expect(other.send('signed', `${venue.rest}/api`, GET)).rejects.toMatchObject({ retryAt: until });
  expect(venue.asked).toHaveLength(1);
});

test('a ban of permission hosts, which belong to another venue, stops nothing else', async () => {
  const banned: [Pause, string][] = [];
  const [futures, spot] = [await host(), await host()];
  spot.behaviour.handler = (_request, response) => response.writeHead(418, { 'retry-after': '60.0005' }).end('{}');
  const net = open(
    { rest: [futures.rest], permissions: [spot.rest], permissionsVenue: 'binance' },
    { onPause: (pause, hosts) => banned.push([pause, hosts]) },
  );
  expect((await net.send('signed', `${spot.rest}/sapi/rights`, GET)).status).toBe(418);
  // Rounded up to whole milliseconds.
  expect(banned).toEqual([[{ until: NOW + 60_001, banned: true }, 'permissions']]);
  await expect(net.send('signed', `${spot.rest}/sapi/rights`, GET)).rejects.toMatchObject({ kind: 'rate_limited' });
  expect([net.pause(), net.fault(), spot.asked.length]).toEqual([null, null, 1]);
  expect(await text(net, `${futures.rest}/order`, POST)).toBe('{}');
});

test.each([418, 451, 503])('a WebSocket that is refused with %s fails at once', async (status) => {
  const server = createServer();
  server.on('upgrade', (_request, socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\nno`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const address = `ws://127.0.0.1:${port}`;
  const socket = open({ streams: [address] }).openSocket(`${address}/ws`);
  const events: string[] = [];
  socket.on('error', () => events.push('error'));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(events).toEqual(['error']);
});

test('a WebSocket that cannot be opened is opened at the next host, with its own path', async () => {
  const [first, second] = [await host(), await host()];
  await first.stop();
  const net = open({ streams: [first.ws, second.ws] });
  const url = `${first.ws.replace(/ws$/, 'public/ws')}/0?x=1`;
  const failed = net.openSocket(url);
  await new Promise((resolve) => failed.once('error', resolve));
  const socket = net.openSocket(url);
  const [message] = await new Promise<unknown[]>((resolve) => socket.once('message', (...events) => resolve(events)));
  expect([String(message), second.asked]).toEqual(['hello', ['WS /public/ws/0?x=1']]);
});

test('other proxies apply without a restart, and connections are opened again', async () => {
  const venue = await host();
  const { port } = new URL(venue.rest);
  const proxy = await startHttpProxy({ route: () => Number(port) });
  onTestFinished(() => proxy.close());
  // The name is known to the proxy only.
  const [rest, ws] = [`http://venue.test:${port}`, `ws://venue.test:${port}/ws`];
  const net = open({ rest: [rest], streams: [ws] });
  const way = { venue: `http://127.0.0.1:${proxy.port}`, installation: null, env: {} };
  await expect(net.send('signed', `${rest}/api`, GET)).rejects.toMatchObject({ fault: { kind: 'dns' } });
  net.changeProxies(way);
  expect((await net.send('signed', `${rest}/api`, GET)).status).toBe(200);
  const socket = net.openSocket(ws);
  await new Promise((resolve) => socket.once('open', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  net.changeProxies(NO_PROXIES);
  await closed;
  await expect(net.send('signed', `${rest}/api`, GET)).rejects.toMatchObject({ fault: { kind: 'dns' } });
  expect(proxy.tunnels).toEqual([`venue.test:${port}`, `venue.test:${port}`]);
});

test('a compressed response is read', async () => {
  const { gzipSync } = await import('node:zlib');
  const venue = await host((request, response) => {
    expect(request.headers['accept-encoding']).toContain('gzip');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
  });
  expect(await text(open({ rest: [venue.rest] }), `${venue.rest}/api`)).toBe('{"a":1}');
});
