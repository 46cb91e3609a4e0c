import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '@heron/database/connect.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { venueBudget } from '@heron/exchanges/http/venueBudget.ts';
import { scriptedExchange } from '@heron/exchanges/testing/scriptedExchange.ts';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { workerConfig } from '../src/config.ts';
import { openLive } from '../src/live/openLive.ts';
import { openLog } from '../src/log.ts';
import { openWorkerNet } from '../src/worker/openWorkerNet.ts';
import { KEY_PATHS } from '../src/worker/workerApi.ts';

const SHARED = {
  databaseUrl: 'postgres://nowhere',
  secret: 'x'.repeat(32),
  dataDir: '/nowhere',
  host: 'test',
  port: 0,
};

test('a key is never sent to another venue, not even to another environment', async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'heron-venue-'));
  const temporary = await temporaryDatabase();
  const database = openDatabase(temporary.url);
  const requests: string[] = [];
  const market = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => market.listen(0, '127.0.0.1', resolve));
  const { port } = market.address() as AddressInfo;
  const addresses = { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}` };
  const config = workerConfig.parse({ ...SHARED, dataDir, addresses, venue: 'binance-demo', mode: 'live' });
  const net = openWorkerNet(config, { now: Date.now });
  const exchange = scriptedExchange(Date.now);
  const budget = venueBudget('binance', Date.now);
  const log = openLog('test', 'silent');
  const pauses = { current: net.pause, listen: () => () => {} };
  const live = await openLive({ config, database, exchange, net, pauses, budget, log, now: Date.now });
  const server = fastify();
  live.addRoutes(server);
  for (const venue of ['binance', 'binance-testnet', 'mexc-demo']) {
    const body = { owner: '1', venue, label: venue, key: 'a key of it', secret: 'a secret of it', withdrawOff: true };
    const answer = await server.inject({ method: 'POST', url: KEY_PATHS.add, payload: body });
    expect(answer.statusCode, venue).toBeGreaterThanOrEqual(400);
  }
  expect(requests).toEqual([]);
  await server.close();
  await live.close();
  await net.close();
  await database.close();
  await temporary.close();
  market.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a worker of the demo market without an address never contacts the real exchange', () => {
  const worker = (venue: string, addresses: object | null) =>
    openWorkerNet(workerConfig.parse({ ...SHARED, venue, addresses }), { now: Date.now }).hosts.rest[0];
  const place = { rest: 'http://127.0.0.1:1', ws: 'ws://127.0.0.1:1' };
  expect(() => worker('mexc-demo', null)).toThrow('mexc-demo has no address');
  expect(worker('mexc-demo', place)).toBe(place.rest);
  // Addresses of the demo market are never those of a real venue.
  expect(worker('mexc', place)).toBe('https://api.mexc.com');
});
