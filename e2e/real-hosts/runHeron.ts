/** Runs Heron as a user does, in the network namespace of `scenarios.ts`, and contains the actions of its scenarios. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { secretHeader } from '@heron/bothost/http/secret.ts';
import type { BotDetail, ExchangeKey } from '@heron/contract/bots/entities.ts';
import { makeAuthority } from '@heron/exchanges/testing/certificates.ts';
import type { Sandbox } from '@heron/sandbox/sandbox.ts';
import type { RealVenue } from './exchangeHosts.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
export const PAIR = 'BTC-USDT';
const CONTROL = 'http://127.0.0.1:17997';
const [scenario = '', folder = ''] = process.argv.slice(2);

export { folder, scenario };
export const authority = makeAuthority();
const certificate = path.join(folder, 'authority.pem');
writeFileSync(certificate, authority.cert);

/** A Heron that `heron start` runs on its standard ports. */
export interface Running {
  readonly process: ChildProcess;
  call<Answer>(method: string, where: string, body?: object): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startHeron(env: Record<string, string> = {}): Promise<Running> {
  const data = path.join(folder, 'data');
  const child = spawn(process.execPath, ['apps/cli/src/main.ts', 'start', '--data', data, '--sandbox-port', '0'], {
    cwd: ROOT,
    env: { ...process.env, HERON_DATABASE_URL: '', NODE_EXTRA_CA_CERTS: certificate, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Heron's child processes exit with it.
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`heron ended:\n${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ctrl-C')) resolve();
    });
  });
  const secret = readFileSync(path.join(data, 'secret'), 'utf8').trim();
  return {
    process: child,
    async call(method, where, body) {
      const response = await fetch(`${CONTROL}${where}`, {
        method,
        headers: {
          ...secretHeader(secret),
          ...{ 'x-heron-user': '1', 'x-heron-language': 'en' },
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const answer = await response.json();
      assert.ok(response.ok, `${method} ${where}: ${JSON.stringify(answer)}`);
      return answer;
    },
    async stop() {
      child.kill('SIGINT');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Polls until `question` returns a value. @throws after 90 s */
export async function until<T>(question: () => Promise<T | null | false | undefined>, what: string): Promise<T> {
  for (const end = Date.now() + 90_000; Date.now() < end; await delay(200)) {
    const answer = await question().catch((error: unknown) => {
      if (!(error instanceof TypeError || error instanceof assert.AssertionError)) throw error;
      return null;
    });
    if (answer) return answer;
  }
  throw new Error(`timed out waiting for ${what}`);
}

type VenueState = {
  venue: string;
  reachable: boolean | null;
  trading: boolean | null;
  problem: { en: string } | null;
  pause: { until: number; banned: boolean } | null;
};

export function venueState(heron: Running, venue: string): Promise<VenueState> {
  const find = async () => {
    const { exchanges } = await heron.call<{ exchanges: VenueState[] }>('GET', '/bot/exchanges');
    const found = exchanges.find((each) => each.venue === venue);
    return found?.reachable === null ? null : found;
  };
  return until(find, `the state of ${venue}`);
}

/**
 * Waits until a venue is reachable. Its first check may run while the demo market still starts, and that result is cached for
 * a while.
 */
export async function untilReachable(heron: Running, venue: string): Promise<void> {
  await until(async () => (await venueState(heron, venue)).reachable, `${venue} to be reachable`);
}

export const detail = (heron: Running, id: string) => heron.call<BotDetail>('GET', `/bot/bots/${id}`);

async function makeBot(heron: Running, venue: string, options: object = {}, account: object = {}): Promise<string> {
  const common = { exchange: venue, watch_pairs: PAIR, strategy: 'manual', period: '1m' };
  const { id } = await heron.call<BotDetail>('POST', '/bot/bots', {
    ...{ name: `On ${venue}`, params: {}, options: { ...common, ...options }, ...account },
  });
  return id;
}

async function startBot(heron: Running, id: string, confirm?: string): Promise<void> {
  await heron.call('POST', `/bot/bots/${id}/start`, confirm === undefined ? {} : { confirm });
  await until(async () => (await detail(heron, id)).status === 'working', `${id} to work`);
}

/** Places manual buy orders until the position is open. */
async function buy(heron: Running, id: string): Promise<void> {
  const order = { pair: PAIR, side: 'buy', type: 'taker', value: '500' };
  await until(async () => {
    const { pairViews } = await detail(heron, id);
    if (pairViews.some(({ position }) => position !== null)) return true;
    await heron.call('POST', `/bot/bots/${id}/orders`, { ...order, requestId: randomUUID() });
    return false;
  }, `a position of ${id}`);
}

export async function paperBot(heron: Running, venue: string): Promise<string> {
  const id = await makeBot(heron, venue);
  await startBot(heron, id);
  const candles = () => heron.call<{ time: number[] }>('GET', `/bot/bots/${id}/candles?pair=${PAIR}`);
  const { time } = await candles();
  assert.ok(time.length >= 50, `${time.length} candles of ${venue}`);
  await buy(heron, id);
  return id;
}

/**
 * Adds a key. The exchange has eight seconds; where a busy machine needs more, Heron asks to try again, as a user then does. Any
 * other refusal fails at once.
 */
function addKey(heron: Running, body: object): Promise<ExchangeKey> {
  const late = /"exchange_unreachable"/;
  const add = () =>
    heron.call<ExchangeKey>('POST', '/bot/keys', body).catch((error: unknown) => {
      if (error instanceof assert.AssertionError && late.test(error.message)) return null;
      throw new Error('the key was not accepted', { cause: error });
    });
  return until(add, 'the exchange to check a key');
}

/** Creates a live bot with a key of the sandbox, and buys with it. */
export async function liveBot(heron: Running, sandbox: Sandbox, venue: RealVenue): Promise<string> {
  const { key, secret } = sandbox[venue];
  const body = { venue, label: venue, key, secret, withdrawOff: venue === 'mexc' };
  const kept = await addKey(heron, body);
  assert.equal(kept.permissions.trade, true);
  const account = { key: kept.id, allotment: '2000' };
  const id = await makeBot(heron, venue, { mode: 'live', sync_trade_time: 5_000 }, account);
  await startBot(heron, id, `On ${venue}`);
  await buy(heron, id);
  return id;
}
