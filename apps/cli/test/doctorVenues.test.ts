import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addressesOf, VENUE_HOSTS } from '@heron/exchanges/net/hosts.ts';
import { makeAuthority } from '@heron/exchanges/testing/certificates.ts';
import { startHttpProxy } from '@heron/exchanges/testing/proxyServers.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { serveNames } from './serveNames.ts';

const HERON = path.join(import.meta.dirname, '..', 'bin', 'heron.js');
const NAMES = Object.values(VENUE_HOSTS).flatMap((hosts) => addressesOf(hosts).map(({ hostname }) => hostname));
const authority = makeAuthority();
let folder: string;
let sandbox: Sandbox;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-doctor-'));
  writeFileSync(path.join(folder, 'authority.pem'), authority.cert);
  sandbox = await startSandbox({ port: 0, seed: 5 });
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** Serves the names of the exchanges by TLS, with a certificate for the given names. */
async function serve(certified = NAMES): Promise<number> {
  const served = await serveNames(authority.issue(certified), sandbox);
  onTestFinished(() => served.close());
  return served.port;
}

interface Report {
  readonly venues: readonly {
    readonly venue: string;
    readonly usable: boolean;
    readonly trading: boolean;
    readonly via: string;
    readonly fault: { readonly kind: string } | null;
    readonly steps: readonly { readonly step: string; readonly ok: boolean }[];
    readonly problems: readonly string[];
    readonly clockOffsetMs: number | null;
    readonly usedWeight: number | null;
    readonly roundTripMs: number | null;
  }[];
}

async function doctor(env: Record<string, string>): Promise<{ report: Report; output: string; code: number }> {
  const child = spawn(process.execPath, [HERON, 'doctor', '--json', '--data', path.join(folder, 'data')], {
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  return { report: JSON.parse(output.slice(output.indexOf('{'))), output, code };
}

test('the doctor reaches every venue by its real host names through a proxy', async () => {
  const port = await serve();
  const proxy = await startHttpProxy({ user: 'u', password: 'geheim', route: () => port });
  onTestFinished(() => proxy.close());
  // On a busy machine a response may exceed the doctor's timeout, which it then reports; the doctor runs again.
  const { report, output } = await vi.waitFor(
    async () => {
      const run = await doctor({
        HTTPS_PROXY: `http://u:geheim@127.0.0.1:${proxy.port}`,
        NODE_EXTRA_CA_CERTS: path.join(folder, 'authority.pem'),
      });
      expect(run.report.venues.map(({ venue, usable, problems }) => [venue, usable, problems])).toEqual(
        Object.keys(VENUE_HOSTS).map((venue) => [venue, true, []]),
      );
      return run;
    },
    { timeout: 80_000 },
  );
  for (const { steps, via, clockOffsetMs, roundTripMs } of report.venues) {
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual(
      ['proxy', 'tls', 'rest', 'websocket'].map((step) => [step, true]),
    );
    expect(via).toBe(`http://127.0.0.1:${proxy.port}`);
    expect(roundTripMs).toBeGreaterThan(0);
    // The uncertainty of the offset is half of the round trip.
    expect(Math.abs(clockOffsetMs as number)).toBeLessThan((roundTripMs as number) / 2 + 1_000);
  }
  expect(report.venues[0]?.usedWeight).toBeGreaterThan(0);
  expect(output).not.toContain('geheim');
  expect(new Set(proxy.tunnels)).toContain('stream.binance.com:9443');
  expect(new Set(proxy.tunnels)).toContain('api.mexc.com:443');
});

test('the doctor soon reports each fault on the path to a venue, and fails', async () => {
  const port = await serve(['somewhere-else.test']);
  const proxy = await startHttpProxy({ route: (host) => (host.includes('mexc') ? null : port) });
  onTestFinished(() => proxy.close());
  const began = performance.now();
  const { report, code } = await doctor({
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: path.join(folder, 'authority.pem'),
  });
  // The exit code is 1 when another Heron occupies the ports.
  expect(code).toBeGreaterThan(0);
  const of = (id: string) => report.venues.find(({ venue }) => venue === id);
  expect(of('binance')).toMatchObject({
    usable: false,
    fault: { kind: 'tls', host: 'api.binance.com', reason: 'wrong_name' },
  });
  expect(of('binance')?.problems[0]).toContain('does not belong to api.binance.com');
  expect(of('mexc')).toMatchObject({ usable: false, fault: { kind: 'proxy_refused', host: 'api.mexc.com' } });
  expect(performance.now() - began).toBeLessThan(30_000);
});
