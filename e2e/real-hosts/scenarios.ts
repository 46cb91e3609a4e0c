/**
 * Runs in its own network namespace, in which the host names of the exchanges resolve to this machine. Starts Heron as a user
 * does and prints the results. Heron runs with the default configuration, without any test setting.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import type { PastCandles } from '@heron/contract/bots/entities.ts';
import { makeAuthority } from '@heron/exchanges/testing/certificates.ts';
import { startHttpProxy, startSocksProxy } from '@heron/exchanges/testing/proxyServers.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { ban } from './ban.ts';
import { hostNames, openExchangeHosts, REAL_VENUES } from './exchangeHosts.ts';
import {
  authority,
  detail,
  folder,
  liveBot,
  PAIR,
  paperBot,
  type Running,
  scenario,
  startHeron,
  until,
  untilReachable,
  venueState,
} from './runHeron.ts';

const DAY_MS = 86_400_000;

/** Reads past candles, with retries until the exchange has served the whole range. */
async function past(heron: Running, venue: string, from: number, to: number): Promise<PastCandles> {
  const query = `venue=${venue}&pair=${PAIR}&period=1m`;
  return until(async () => {
    const part = await heron.call<PastCandles>('GET', `/bot/candles/past?${query}&from=${from}&to=${to}`);
    return part.until === to ? part : null;
  }, `the past of ${venue}`);
}

/** Trades live on each exchange, from the key check to the kill switch, across a restart. */
async function tradeLive(sandbox: Sandbox, start: () => Promise<Running>): Promise<void> {
  let heron = await start();
  const bots = new Map<string, string>();
  for (const venue of REAL_VENUES) bots.set(venue, await liveBot(heron, sandbox, venue));
  const stop = async (venue: string) => {
    const { pairViews } = await detail(heron, String(bots.get(venue)));
    return pairViews[0]?.position?.stop?.resting;
  };
  for (const venue of ['binance', 'binanceusdm']) await until(() => stop(venue), `a stop order at ${venue}`);
  await heron.stop();
  heron = await start();
  for (const [venue, id] of bots) {
    await until(async () => (await detail(heron, id)).status === 'working', `${venue} after a restart`);
    assert.ok((await detail(heron, id)).pairViews[0]?.position, `the position on ${venue} is still there`);
  }
  const halted = () => heron.call<{ bots: { confirmed: boolean }[] }>('POST', '/bot/halt', { close: true });
  await until(async () => (await halted()).bots.every(({ confirmed }) => confirmed), 'the kill switch to be confirmed');
  for (const [venue, id] of bots) {
    const flat = async () => (await detail(heron, id)).pairViews.every(({ position }) => position === null);
    await until(flat, `${venue} to be flat`);
  }
  await heron.stop();
}

/**
 * Trades through a proxy. Host names of exchanges do not resolve here, so every request that arrives passed through the
 * proxy.
 */
async function tradeThroughProxy(sandbox: Sandbox, scheme: string, open: typeof startHttpProxy): Promise<void> {
  const hosts = await openExchangeHosts(sandbox, authority);
  const secrets = { user: 'trader', password: 'p@ss word' };
  const proxy = await open({ ...secrets, route: (_host, port) => port });
  const address = `${scheme}://trader:${encodeURIComponent(secrets.password)}@127.0.0.1:${proxy.port}`;
  await tradeLive(sandbox, () => startHeron({ ALL_PROXY: address, NO_PROXY: '' }));
  for (const name of ['api.binance.com:443', 'fapi.binance.com:443', 'api.mexc.com:443'])
    assert.ok(proxy.tunnels.includes(name), name);
  await proxy.close();
  await hosts.close();
}

const SCENARIOS: Readonly<Record<string, (sandbox: Sandbox) => Promise<void>>> = {
  async paper(sandbox) {
    const hosts = await openExchangeHosts(sandbox, authority);
    const heron = await startHeron();
    for (const venue of REAL_VENUES) {
      await untilReachable(heron, venue);
      await paperBot(heron, venue);
    }
    const names = new Set(hosts.serverNames);
    for (const name of names) assert.ok(hostNames().includes(name), name);
    for (const name of ['api.binance.com', 'fapi.binance.com', 'api.mexc.com']) assert.ok(names.has(name), name);
    assert.deepEqual(
      hosts.requests.filter((request) => /\b(POST|DELETE|PUT)\b/.test(request)),
      [],
    );
    await heron.stop();
    await hosts.close();
  },

  async live(sandbox) {
    const hosts = await openExchangeHosts(sandbox, authority);
    await tradeLive(sandbox, () => startHeron());
    assert.ok(hosts.requests.some((request) => request.startsWith('api.binance.com GET /sapi/')));
    await hosts.close();
  },

  async history(sandbox) {
    const hosts = await openExchangeHosts(sandbox, authority);
    let heron = await startHeron();
    for (const venue of REAL_VENUES) {
      const began = performance.now();
      const where = `/bot/candles?venue=${venue}&pair=${PAIR}&period=1m&limit=300`;
      const { time } = await until(() => heron.call<{ time: number[] }>('GET', where), `candles of ${venue}`);
      assert.ok(time.length > 0);
      console.log(`first candles of ${venue} after ${Math.round(performance.now() - began)} ms`);
    }
    const to = Date.now() - (Date.now() % DAY_MS);
    const days = new Map<string, PastCandles>();
    const asked = () => hosts.requests.filter((request) => request.endsWith('/klines')).length;
    for (const venue of REAL_VENUES) days.set(venue, await past(heron, venue, to - DAY_MS, to));
    for (const { time } of days.values()) assert.equal(time.length, DAY_MS / 60_000);
    const before = asked();
    await heron.stop();
    heron = await startHeron();
    for (const [venue, candles] of days) assert.deepEqual(await past(heron, venue, to - DAY_MS, to), candles);
    assert.equal(asked(), before, 'fetched candles are not requested again, not even after a restart');
    await heron.stop();
    await hosts.close();
  },

  async certificate(sandbox) {
    const hosts = await openExchangeHosts(sandbox, makeAuthority());
    const heron = await startHeron();
    for (const venue of REAL_VENUES) {
      const { reachable, problem } = await venueState(heron, venue);
      assert.equal(reachable, false);
      assert.match(String(problem?.en), /unknown issuer; nothing was sent/);
    }
    assert.deepEqual(hosts.requests, []);
    await untilReachable(heron, 'binance-demo');
    await heron.stop();
    await hosts.close();
    const other = await openExchangeHosts(sandbox, authority, ['example.org']);
    const again = await startHeron();
    assert.match(String((await venueState(again, 'mexc')).problem?.en), /does not belong to api\.mexc\.com/);
    assert.deepEqual(other.requests, []);
    await again.stop();
    await other.close();
  },

  httpProxy: (sandbox) => tradeThroughProxy(sandbox, 'http', startHttpProxy),

  socksProxy: (sandbox) => tradeThroughProxy(sandbox, 'socks5', startSocksProxy),

  ban,

  async faults(sandbox) {
    const hosts = await openExchangeHosts(sandbox, authority);
    hosts.response = { status: 451, body: '{"code":0,"msg":"Service unavailable from a restricted location"}' };
    const heron = await startHeron();
    assert.match(String((await venueState(heron, 'binance')).problem?.en), /does not serve this location/);
    await heron.stop();
    // A content delivery network in front of an exchange rejects requests like this.
    hosts.response = { status: 403, body: '<html><head><title>Access Denied</title></head></html>' };
    const denied = await startHeron();
    assert.match(String((await venueState(denied, 'mexc')).problem?.en), /does not serve this location/);
    await denied.stop();
    hosts.response = { status: 451, body: '{}' };
    // Binance serves market data to every location, from a separate host.
    hosts.response = { ...hosts.response, except: 'data-api.binance.vision' };
    const dataOnly = await startHeron();
    const { trading, ...data } = await venueState(dataOnly, 'binance');
    assert.deepEqual([data.reachable, trading], [true, false]);
    assert.match(String(data.problem?.en), /does not serve this location/);
    await dataOnly.stop();
    await hosts.close();
    const alone = await startHeron();
    const { reachable, problem } = await venueState(alone, 'binance');
    assert.deepEqual([reachable, /refused the connection/.test(String(problem?.en))], [false, true]);
    await paperBot(alone, 'binance-demo');
    await alone.stop();
  },
};

const run = SCENARIOS[scenario];
if (run === undefined) throw new Error(`there is no scenario ${scenario}`);
const sandbox = await startSandbox({ dataDir: path.join(folder, 'exchanges'), seed: 7, port: 0 });
try {
  await run(sandbox);
  console.log(`${scenario} passed`);
  await sandbox.close();
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
