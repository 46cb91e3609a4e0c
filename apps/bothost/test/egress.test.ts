import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { proxySeal } from '@heron/contract/process/proxySeal.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { proxy, venuePause } from '@heron/database/schema/bots.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { startHttpProxy } from '@heron/exchanges/testing/proxyServers.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openLog } from '../src/log.ts';
import { HOSTED, type HostedVenue } from '../src/store/hosted.ts';
import { checkVenue } from '../src/venues/venueStates.ts';
import { savePause } from '../src/worker/egressStore.ts';
import { type Egress, type EgressDeps, openEgress } from '../src/worker/openEgress.ts';

const GET = { method: 'GET', headers: {} };
const SECRET = 'secret-between-the-processes';
const log = openLog('test', 'silent');
let temporary: TemporaryDatabase;
let database: Database;

beforeAll(async () => {
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url);
});

afterAll(async () => {
  await database.close();
  await temporary.close();
});

type Config = EgressDeps['config'];

async function open(config: Partial<Config> & Pick<Config, 'venue'>, given: Partial<EgressDeps> = {}): Promise<Egress> {
  const egress = await openEgress({
    ...{ database, config: { addresses: null, secret: SECRET, ...config }, env: {}, log, now: Date.now },
    ...given,
  });
  onTestFinished(() => egress.close());
  return egress;
}

/** Starts an exchange that responds to every request with an IP ban. */
async function banning() {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(418, { 'retry-after': '3600' }).end('{"code":-1003,"msg":"Way too many requests"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { requests: () => requests, addresses: { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` } };
}

test('other processes, and those of the next start, respect a ban', async () => {
  const { requests, addresses } = await banning();
  const paper = await open({ venue: 'binance-demo', addresses });
  const live = await open({ venue: 'binance-demo', addresses });
  const elsewhere = await open({ venue: 'mexc-demo', addresses });
  const url = `${addresses.rest}/api/v3/time`;
  const before = Date.now();
  expect((await paper.net.send('public', url, GET)).status).toBe(418);
  // The pause is read from the database without a refresh.
  await vi.waitFor(() => expect(live.net.pause()).toMatchObject({ banned: true }), { timeout: 30_000 });
  const until = live.net.pause()?.until ?? 0;
  expect(until).toBeGreaterThanOrEqual(before + 3_600_000);
  const restarted = await open({ venue: 'binance-demo', addresses });
  const order = { method: 'POST', headers: {}, body: 'symbol=X' };
  for (const { net } of [paper, live, restarted]) {
    await expect(net.send('signed', url, order)).rejects.toMatchObject({
      kind: 'rate_limited',
      fault: { kind: 'paused', banned: true },
    });
    const socket = net.openSocket(addresses.ws);
    expect(await new Promise((resolve) => socket.once('error', resolve))).toMatchObject({ kind: 'rate_limited' });
  }
  expect(requests()).toBe(1);
  expect(elsewhere.net.pause()).toBeNull();
  // After the end of the pause, a new start sends requests again.
  const later = await open({ venue: 'binance-demo', addresses }, { now: () => until + 1 });
  expect((await later.net.send('public', url, GET)).status).toBe(418);
  expect(requests()).toBe(2);
});

test('a ban of Binance spot also stops permission requests for USD-M keys, no others', async () => {
  const until = Date.now() + 60_000;
  await savePause(database, { venue: 'binance', via: 'direct' }, { until, banned: true });
  onTestFinished(async () => {
    await database.orm.delete(venuePause);
  });
  const futures = await open({ venue: 'binanceusdm' });
  expect(futures.net.pause()).toBeNull();
  const response = futures.net.send('signed', 'https://api.binance.com/sapi/v1/account/apiRestrictions', GET);
  await expect(response).rejects.toMatchObject({ kind: 'rate_limited', retryAt: until });
});

test('new proxies apply without a restart, that of the venue before that of all', async () => {
  const all = await startHttpProxy({ user: 'u', password: 'p', route: () => null });
  const own = await startHttpProxy({ route: () => null });
  const ofProcess = await startHttpProxy({ route: () => null });
  onTestFinished(async () => {
    await Promise.all([all, own, ofProcess].map((server) => server.close()));
    await database.orm.delete(proxy);
  });
  const env = { HTTPS_PROXY: `http://127.0.0.1:${ofProcess.port}` };
  const { net, refresh } = await open({ venue: 'mexc' }, { env });
  const ask = () => net.send('public', 'https://api.mexc.com/api/v3/time', GET).catch((error) => error.fault);
  const set = async (scope: string, address: string) => {
    await database.orm.insert(proxy).values({ scope, address: proxySeal(SECRET).seal(scope, address), changedAt: 1 });
    await refresh();
  };
  expect(await ask()).toMatchObject({ kind: 'proxy_refused', proxy: `http://127.0.0.1:${ofProcess.port}` });
  await set('all', `http://u:p@127.0.0.1:${all.port}`);
  expect(await ask()).toEqual({ kind: 'proxy_refused', proxy: `http://127.0.0.1:${all.port}`, host: 'api.mexc.com' });
  await set('mexc', `http://127.0.0.1:${own.port}`);
  expect(await ask()).toMatchObject({ proxy: `http://127.0.0.1:${own.port}` });
  // A venue with its own proxy ignores a change of the common one. It keeps its connections and its ban.
  net.applyPause({ until: Date.now() + 60_000, banned: true });
  const change = vi.spyOn(net, 'changeProxies');
  await database.orm.update(proxy).set({ address: 'direct' }).where(eq(proxy.scope, 'all'));
  await refresh();
  expect([change.mock.calls.length, net.pause()?.banned]).toEqual([0, true]);
  const address = proxySeal(SECRET).seal('all', `http://u:p@127.0.0.1:${all.port}`);
  await database.orm.update(proxy).set({ address }).where(eq(proxy.scope, 'all'));
  await database.orm.delete(proxy).where(eq(proxy.scope, 'mexc'));
  // The change is found without a refresh.
  await vi.waitFor(async () => expect(await ask()).toMatchObject({ proxy: `http://127.0.0.1:${all.port}` }), {
    timeout: 30_000,
  });
  expect(new Set(own.tunnels)).toEqual(new Set(['api.mexc.com:443']));
});

test('a ban of one outgoing address does not apply to another', async () => {
  const until = Date.now() + 3_600_000;
  const proxies = [await startHttpProxy({ route: () => null }), await startHttpProxy({ route: () => null })];
  onTestFinished(async () => {
    await Promise.all(proxies.map((server) => server.close()));
    await database.orm.delete(proxy);
  });
  const [first, second] = proxies.map(({ port }) => `http://127.0.0.1:${port}`) as [string, string];
  await savePause(database, { venue: 'binanceusdm', via: first }, { until, banned: true });
  await database.orm.insert(proxy).values({ scope: 'binanceusdm', address: first, changedAt: 1 });
  const { net, refresh } = await open({ venue: 'binanceusdm' });
  expect(net.pause()).toEqual({ until, banned: true });
  await database.orm.update(proxy).set({ address: second });
  await refresh();
  expect(net.pause()).toBeNull();
});

test('a venue check uses the configured proxy, and sends nothing during a ban', async () => {
  const server = await startHttpProxy({ route: () => null });
  onTestFinished(async () => {
    await server.close();
    await database.orm.delete(proxy);
  });
  const label = `http://127.0.0.1:${server.port}`;
  await database.orm.insert(proxy).values({ scope: 'all', address: label, changedAt: 1 });
  const venue = HOSTED.find(({ id }) => id === 'binanceusdm-testnet') as HostedVenue;
  const check = checkVenue({ demo: {}, secret: SECRET }, database);
  expect((await check(venue)).problem?.en).toContain(`The proxy ${label} did not connect`);
  const tunnelsBefore = server.tunnels.length;
  expect(tunnelsBefore).toBeGreaterThan(0);
  await savePause(database, { venue: venue.id, via: label }, { until: Date.UTC(2100, 0), banned: true });
  expect(await check(venue)).toMatchObject({
    reachable: false,
    problem: { en: expect.stringContaining('until 2100-01-01 00:00:00 UTC') },
  });
  expect(server.tunnels.length).toBe(tunnelsBefore);
});

test('a proxy that an older version has stored unsealed is used as well', async () => {
  const server = await startHttpProxy({ user: 'u', password: 'geheim', route: () => null });
  onTestFinished(async () => {
    await server.close();
    await database.orm.delete(proxy);
  });
  const address = `http://u:geheim@127.0.0.1:${server.port}`;
  await database.orm.insert(proxy).values({ scope: 'mexc', address, changedAt: 1 });
  const { net } = await open({ venue: 'mexc' });
  await expect(net.send('public', 'https://api.mexc.com/api/v3/time', GET)).rejects.toMatchObject({
    fault: { kind: 'proxy_refused', proxy: `http://127.0.0.1:${server.port}` },
  });
});

test('a proxy sealed with another secret stops all requests instead of being bypassed', async () => {
  onTestFinished(async () => {
    await database.orm.delete(proxy);
  });
  const address = proxySeal('a secret that is lost').seal('all', 'http://proxy.example:3128');
  await database.orm.insert(proxy).values({ scope: 'all', address, changedAt: 1 });
  const { net, via } = await open({ venue: 'mexc' });
  await expect(net.send('public', 'https://api.mexc.com/api/v3/time', GET)).rejects.toMatchObject({
    fault: { kind: 'proxy_invalid', source: 'settings' },
  });
  expect(via()).toBe('unreadable');
});
