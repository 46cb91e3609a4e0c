import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { botHostOf, type Installation, preparedInstallation, type RunningHeron, startHeron } from '../app/heron.ts';

/** Number of timed calls in each state, one after another. */
const CALLS = 150;
/** Maximum p95 latency of other members during a flood, in ms. */
const P95_MS = 100;
const MEMORY_MB = 200;
const ROUNDS = 3;
const FLOODS = [
  ['5 streams without a pause', 5, 1_000_000],
  ['30 streams just below the limit', 30, 19],
] as const;

let installation: Installation;
let heron: RunningHeron;
let hostPid: number;
let victim: string;
let member: { token: string; bot: string };

beforeAll(async () => {
  installation = await preparedInstallation();
  heron = await startHeron(installation);
  hostPid = await botHostOf(heron);
  victim = await join('Victim');
  await startedBot(victim);
  const token = await join('Flooder');
  member = { token, bot: await startedBot(token) };
});
afterAll(async () => {
  await heron.stop();
  await installation.remove();
});

async function join(username: string): Promise<string> {
  const answer = await fetch(`${heron.url}/api.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'System.Register.usernameRegister', username, password: 'heron stands still 41' }),
  });
  const { data } = (await answer.json()) as { data: string };
  return (JSON.parse(data) as { token: string }).token;
}

async function call(token: string, method: string, address: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${heron.url}${address}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

async function startedBot(token: string): Promise<string> {
  const options = { watch_pairs: 'BTC-USDT', period: '1m' };
  const made = await call(token, 'POST', '/bot/bots', { name: 'a bot', options, params: {} });
  const { id } = botCalls.create.response.parse(made);
  await call(token, 'POST', `/bot/bots/${id}/start`);
  return id;
}

/** Returns the latencies of the other member's calls in ms, sorted ascending. */
async function callLatencies(): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const began = performance.now();
    const { bots } = botCalls.list.response.parse(await call(victim, 'GET', '/bot/bots'));
    expect(bots).toHaveLength(1);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}

const at = (times: readonly number[], part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
const percentiles = (times: readonly number[]) =>
  `p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms`;

async function memoryOfHost(): Promise<number> {
  const status = await readFile(`/proc/${hostPid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

function startFlood(streams: number, perSecond: number): ChildProcess {
  const program = path.join(import.meta.dirname, 'floodStreams.ts');
  return fork(program, [heron.url, member.token, member.bot, String(streams), String(perSecond)]);
}

test.each(FLOODS)(
  'a member who floods %s delays nobody else',
  async (name, streams, perSecond) => {
    await callLatencies();
    let calm = await callLatencies();
    // Other load on the machine delays one round; a flood would delay each of them.
    for (let round = 1; ; round++) {
      const before = await memoryOfHost();
      const flood = startFlood(streams, perSecond);
      let flooded: number[];
      try {
        await once(flood, 'spawn');
        // The first calls run while the flooding program connects.
        await callLatencies();
        flooded = await callLatencies();
        const grown = (await memoryOfHost()) - before;
        console.log(
          `${name}: ${percentiles(flooded)} (calm ${percentiles(calm)}), bot host grown by ${grown.toFixed(0)} MB`,
        );
        expect(await botHostOf(heron)).toBe(hostPid);
        expect(grown).toBeLessThan(MEMORY_MB);
      } finally {
        flood.kill('SIGKILL');
        await once(flood, 'exit');
      }
      // On a busy machine, calls without a flood are slow too.
      const bound = Math.max(P95_MS, 4 * at(calm, 0.95));
      if (at(flooded, 0.95) < bound) return;
      if (round === ROUNDS) expect(at(flooded, 0.95)).toBeLessThan(bound);
      calm = await callLatencies();
    }
  },
  480_000,
);
