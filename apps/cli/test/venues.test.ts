import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseVenues } from '../src/flags/venue.ts';
import { linesOf } from '../src/venues/command.ts';
import { reachStateOf } from '../src/venues/listVenues.ts';

const run = promisify(execFile);
const MAIN = path.join(import.meta.dirname, '..', 'src', 'main.ts');

test('environments and ids name venues; unknown names are rejected by name', () => {
  expect(parseVenues('demo')).toEqual(['binance-demo', 'binanceusdm-demo', 'mexc-demo']);
  expect(parseVenues('mexc, demo,real')).toEqual([
    ...['binance-demo', 'binanceusdm-demo', 'mexc-demo', 'binance', 'binanceusdm', 'mexc'],
  ]);
  expect(() => parseVenues('demo,kraken')).toThrow('"kraken" must be');
  expect(() => parseVenues('')).toThrow('must be');
});

test('heron venues prints every venue with its hosts, and why one cannot be used', async () => {
  // The proxy refuses every connection, so that no request leaves this machine.
  const env = { ...process.env, HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '', no_proxy: '' };
  const args = [MAIN, 'venues', '--json', '--venues', 'demo,binance', '--sandbox-port', '1'];
  const { stdout } = await run(process.execPath, args, { env });
  const { venues } = JSON.parse(stdout);
  expect(venues.map(({ id }: { id: string }) => id)).toEqual([
    ...['binance-demo', 'binanceusdm-demo', 'mexc-demo', 'binance', 'binanceusdm', 'mexc'],
    ...['binance-testnet', 'binanceusdm-testnet'],
  ]);
  const of = (id: string) => venues.find((venue: { id: string }) => venue.id === id);
  expect(of('binance')).toMatchObject({
    ...{ exchange: 'binance', environment: 'real', enabled: true, reachable: false },
    hosts: { rest: expect.arrayContaining(['https://api.binance.com']) },
    reason: expect.stringContaining('The proxy http://127.0.0.1:1 cannot be reached'),
  });
  expect(of('mexc')).toMatchObject({ enabled: false, reason: expect.stringContaining('--venues') });
  expect(of('binance-demo')).toMatchObject({ environment: 'demo', enabled: true, reachable: false });
  expect(of('binance-demo').reason).toContain('demo market');
});

test('a venue that sends prices but accepts no orders from here is listed as such', () => {
  const fault = { kind: 'restricted_location', host: 'api.binance.com', status: 451 } as const;
  const { fault: reason, ...reached } = reachStateOf({ reachable: true, trading: false, fault });
  const venue = { id: 'binance', title: 'Binance', enabled: true, ...reached, reason, route: 'direct' } as const;
  const [line, why] = linesOf(venue);
  expect(line).toMatch(/^✗ binance .* market data only · direct$/);
  expect(why).toContain('does not serve this location (451)');
});

test('a clock difference is reported for a venue that can be used', () => {
  const { fault, ...reached } = reachStateOf({
    reachable: true,
    trading: true,
    fault: { kind: 'clock', offsetMs: -5_000 },
  });
  expect(reached).toEqual({ reachable: true, trading: true });
  expect(fault).toContain('differ by 5.0 s');
});
