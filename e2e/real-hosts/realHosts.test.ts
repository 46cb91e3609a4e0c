import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { copyStartedOnce } from '../app/heron.ts';
import { hostNames } from './exchangeHosts.ts';

const PROGRAM = path.join(import.meta.dirname, 'scenarios.ts');
const LOADER = ['--import', import.meta.resolve('@heron/database/quickDrizzle.ts')];
/** Root may create network namespaces. Any other user may only create them inside a user namespace. */
const NAMESPACES = ['--net', '--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])];

/** An address that no network routes to (RFC 5737). */
const NOWHERE = '192.0.2.1';

/**
 * Runs a scenario of `scenarios.ts` in a network namespace without a route to the internet. The exchanges' names resolve to this
 * machine, or to an address without a route when only a proxy resolves them.
 */
async function inside(scenario: string): Promise<{ code: number | null; output: string }> {
  const address = scenario.endsWith('Proxy') ? NOWHERE : '127.0.0.1';
  const folder = await mkdtemp(path.join(os.tmpdir(), 'heron-real-'));
  // In the first scenario Heron starts for the first time.
  if (scenario !== 'paper') await copyStartedOnce(path.join(folder, 'data'));
  const hosts = path.join(folder, 'hosts');
  await writeFile(hosts, ['127.0.0.1 localhost', ...hostNames().map((name) => `${address} ${name}`), ''].join('\n'));
  const enter = `ip link set lo up && mount --bind "$1" /etc/hosts && shift && exec "$@"`;
  const program = [process.execPath, ...LOADER, PROGRAM, scenario, folder];
  const child = spawn('unshare', [...NAMESPACES, '--', 'sh', '-ec', enter, 'sh', hosts, ...program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const onOutput = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  const [code] = (await once(child, 'close')) as [number | null];
  await rm(folder, { recursive: true, force: true });
  return { code, output };
}

const SCENARIOS = [
  ['paper', 'paper bots trade on the real addresses: right names, a checked certificate, nothing signed'],
  ['live', 'live bots on each exchange: key test, stop order, restart, kill switch'],
  ['history', 'past candles are fetched once, also across a restart, and the first ones arrive soon'],
  ['certificate', 'a certificate of an unknown authority, or of another name, is rejected and nothing is sent'],
  ['httpProxy', 'live bots on each exchange reach it only through an HTTP proxy with credentials'],
  ['socksProxy', 'live bots on each exchange reach it only through a SOCKS5 proxy with credentials'],
  ['ban', 'during a ban nothing is sent to the exchange, even after a restart; the stop stays, other venues continue'],
  ['faults', 'a restricted location and hosts that are down are explained, and the demo market keeps working'],
] as const;
/** The quick run trades through one kind of proxy. `dial.test.ts` and `appProxies.test.ts` cover HTTP proxies. */
const isInThisRun = ([scenario]: (typeof SCENARIOS)[number]) =>
  process.env.HERON_QUICK !== '1' || scenario !== 'httpProxy';

test.each(SCENARIOS.filter(isInThisRun))('%s: %s', async (scenario) => {
  const { code, output } = await inside(scenario);
  expect(code, output).toBe(0);
  expect(output).toContain(`${scenario} passed`);
  for (const [line] of output.matchAll(/^first candles .*$/gm)) console.log(line);
});
