import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { savePause } from '@heron/bothost/worker/egressStore.ts';
import { proxySeal } from '@heron/contract/process/proxySeal.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { proxy, rateWindow, venuePause } from '@heron/database/schema/bots.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { addressesOf, VENUE_HOSTS } from '@heron/exchanges/net/hosts.ts';
import { makeAuthority } from '@heron/exchanges/testing/certificates.ts';
import { startHttpProxy } from '@heron/exchanges/testing/proxyServers.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { serveNames } from './serveNames.ts';

// Each command starts a separate program, which takes time.
vi.setConfig({ testTimeout: 120_000 });

const HERON = path.join(import.meta.dirname, '..', 'bin', 'heron.js');
const SECRET = 'secret-between-the-processes';
const NAMES = Object.values(VENUE_HOSTS).flatMap((hosts) => addressesOf(hosts).map(({ hostname }) => hostname));
const authority = makeAuthority();
let temporary: TemporaryDatabase;
let database: Database;
let data: string;
let sandbox: Sandbox;
let exchange: Awaited<ReturnType<typeof serveNames>>;
/** `ofApp` is the proxy set in the app; `ofProcess` is the one in the environment variables. */
let ofApp: Awaited<ReturnType<typeof startHttpProxy>>;
let ofProcess: Awaited<ReturnType<typeof startHttpProxy>>;

beforeAll(async () => {
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url, { connections: 1 });
  data = mkdtempSync(path.join(os.tmpdir(), 'heron-app-proxies-'));
  writeFileSync(path.join(data, 'secret'), SECRET);
  writeFileSync(path.join(data, 'authority.pem'), authority.cert);
  sandbox = await startSandbox({ port: 0, seed: 5 });
  exchange = await serveNames(authority.issue(NAMES), sandbox);
  ofApp = await startHttpProxy({ user: 'u', password: 'geheim', route: () => exchange.port });
  ofProcess = await startHttpProxy({ route: () => null });
});

afterEach(async () => {
  for (const table of [proxy, venuePause, rateWindow]) await database.orm.delete(table);
  ofApp.tunnels.length = 0;
  ofProcess.tunnels.length = 0;
});

afterAll(async () => {
  await Promise.all([ofApp.close(), ofProcess.close(), exchange.close(), sandbox.close()]);
  await database.close();
  await temporary.close();
  await rm(data, { recursive: true });
});

const labelOfApp = () => `http://127.0.0.1:${ofApp.port}`;

async function setInApp(scope = 'all'): Promise<void> {
  const address = proxySeal(SECRET).seal(scope, `http://u:geheim@127.0.0.1:${ofApp.port}`);
  await database.orm.insert(proxy).values({ scope, address, changedAt: 1 });
}

/** Starts a command whose environment variables name a proxy too. */
function start(args: readonly string[], { known = true, input = '' } = {}) {
  const child = spawn(process.execPath, [HERON, ...args, '--data', data], {
    env: {
      ...{ PATH: process.env.PATH, HOME: data, NODE_EXTRA_CA_CERTS: path.join(data, 'authority.pem') },
      HTTPS_PROXY: `http://127.0.0.1:${ofProcess.port}`,
      ...(known && { HERON_DATABASE_URL: temporary.url }),
    },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), out, err }));
  return { child, ended, err: () => err };
}

async function heron(args: readonly string[], options?: Parameters<typeof start>[1]) {
  return start(args, options).ended;
}

const FETCH = ['candles', 'fetch', 'BTC-USDT', '--exchange', 'binance', '--from'];
const today = () => new Date(Date.now() - 7_200_000).toISOString();
const banned = { until: Date.UTC(2100, 0), banned: true };

test('the doctor and the venue list use the proxies of the app, and say so', async () => {
  await setInApp();
  const route = `through ${labelOfApp()} (set in the app for all venues)`;
  for (const command of ['doctor', 'venues']) {
    const isUsable = ({ usable, reachable }: Record<string, boolean>) => usable ?? reachable;
    // On a busy machine a venue may answer too late to count as reachable; then the command runs again.
    await vi.waitFor(
      async () => {
        ofApp.tunnels.length = 0;
        const printed = await heron([command, '--json']);
        const report = JSON.parse(printed.out);
        expect(report.appProxies).toBeNull();
        const outside = report.venues.filter((venue: { environment?: string }) => venue.environment !== 'demo');
        expect(outside.map(({ route: used }: { route: string }) => used)).toEqual(
          Object.keys(VENUE_HOSTS).map(() => route),
        );
        expect(outside.map(isUsable)).not.toContain(false);
        const reached = new Set(ofApp.tunnels.map((tunnel) => new URL(`tunnel://${tunnel}`).hostname));
        for (const hosts of Object.values(VENUE_HOSTS))
          expect(addressesOf(hosts).some(({ hostname }) => reached.has(hostname))).toBe(true);
        expect(JSON.stringify(printed)).not.toContain('geheim');
      },
      { timeout: 60_000, interval: 1 },
    );
  }
  expect(ofProcess.tunnels).toEqual([]);
});

test('a proxy of one venue comes before the variables for this venue only', async () => {
  await setInApp('mexc');
  const { out } = await heron(['venues']);
  expect(out).toMatch(new RegExp(`✓ mexc .*reachable · through ${labelOfApp()} \\(set in the app for this venue\\)`));
  expect(out).toMatch(new RegExp(`✗ binance .*through http://127.0.0.1:${ofProcess.port} \\(HTTPS_PROXY\\)`));
});

test('without a running Heron, commands warn of unknown proxies and use the variables', async () => {
  const unknown = `unknown here: no Heron runs on ${data}`;
  const fetching = start([...FETCH, today()], { known: false });
  const [doctor, venues, check] = await Promise.all([
    heron(['doctor'], { known: false }),
    heron(['venues'], { known: false }),
    heron(['live-check', '--venue', 'binance'], { known: false, input: 'key\nsecret\n15\n' }),
  ]);
  await vi.waitFor(() => expect(fetching.err()).toMatch(/retry in \d+ s/), { timeout: 60_000 });
  fetching.child.kill('SIGINT');
  const { err } = await fetching.ended;
  for (const text of [doctor.out, venues.out, check.err, err]) {
    expect(text).toContain(unknown);
    expect(text).toContain(`through http://127.0.0.1:${ofProcess.port} (HTTPS_PROXY)`);
  }
  expect(ofApp.tunnels).toEqual([]);
});

test('candles are fetched through the proxy of the app, under the rate limit of bots', async () => {
  await setInApp();
  const { code, out, err } = await heron([...FETCH, today()]);
  expect({ code, err }).toEqual({ code: 0, err: `binance: through ${labelOfApp()} (set in the app for all venues)\n` });
  expect(out).toContain('BTC-USDT 1m:');
  expect(ofProcess.tunnels).toEqual([]);
  const [row] = await database.orm.select().from(rateWindow);
  expect(row).toMatchObject({ venue: 'binance', via: labelOfApp() });
  expect(row?.used).toBeGreaterThan(0);
});

test('a fetch that waits because bots have used the limit ends at once with Ctrl-C', async () => {
  await setInApp();
  let own: number[] = [];
  // A window that starts in the next minute of the database's clock also counts for the current minute.
  const startsAt = Math.floor(Date.now() / 60_000) * 60_000 + 60_000;
  const full = { startsAt, used: 60_000, leased: 0 };
  await database.orm
    .insert(rateWindow)
    .values({ venue: 'binance', via: labelOfApp(), ...full })
    .onConflictDoUpdate({ target: [rateWindow.venue, rateWindow.via], set: full });
  own = await pidsOf();
  const fetching = start(['candles', 'fetch', 'ETH-USDT', '--from', today()]);
  await vi.waitFor(async () => expect(await pidsOf('%rate_windows%')).not.toEqual([]), {
    timeout: 60_000,
    interval: 10,
  });
  const stoppedAt = performance.now();
  fetching.child.kill('SIGINT');
  expect(await fetching.ended).toMatchObject({ code: 130 });
  expect(performance.now() - stoppedAt).toBeLessThan(20_000);

  /** Returns the process IDs of connections whose latest statement matches, without those that existed before. */
  async function pidsOf(statement = '%'): Promise<number[]> {
    const sql = 'select pid from pg_stat_activity where datname = current_database() and query like $1';
    const { rows } = await database.pool.query<{ pid: number }>(sql, [statement]);
    return rows.map(({ pid }) => pid).filter((pid) => !own.includes(pid));
  }
});

test('during a ban known to the installation, no command sends to the exchange', async () => {
  await setInApp();
  for (const venue of Object.keys(VENUE_HOSTS)) await savePause(database, { venue, via: labelOfApp() }, banned);
  const fetching = start([...FETCH, today()]);
  const [doctor, venues, check] = await Promise.all([
    heron(['doctor']),
    heron(['venues']),
    heron(['live-check', '--venue', 'mexc'], { input: 'key\nsecret\n15\n' }),
  ]);
  for (const { out } of [doctor, venues])
    expect(out).toContain('until 2100-01-01 00:00:00 UTC. Nothing is sent before');
  expect(check).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('no order was sent. The exchange has banned'),
  });
  // The fetch waits for the end of the ban, and can be stopped.
  await vi.waitFor(() => expect(fetching.err()).toMatch(/retry in \d+ s/), { timeout: 60_000 });
  fetching.child.kill('SIGINT');
  const { code, err } = await fetching.ended;
  expect([code, err.match(/retry in \d+ s/g)?.length]).toEqual([130, 1]);
  expect([...ofApp.tunnels, ...ofProcess.tunnels]).toEqual([]);
});
