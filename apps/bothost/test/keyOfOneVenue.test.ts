import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '@heron/database/connect.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { scriptedExchange } from '@heron/exchanges/testing/scriptedExchange.ts';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { workerConfig } from '../src/config.ts';
import { openLive } from '../src/live/openLive.ts';
import { openLog } from '../src/log.ts';
import { KEY_PATHS } from '../src/worker/keyPaths.ts';

test('the key of another venue is never sent to Binance', async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'heron-venue-'));
  const temporary = await temporaryDatabase();
  const database = openDatabase(temporary.url);
  const asked: string[] = [];
  const binance = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => binance.listen(0, '127.0.0.1', resolve));
  const { port } = binance.address() as AddressInfo;
  const place = { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}`, wsApi: `ws://127.0.0.1:${port}` };
  const config = workerConfig.parse({
    ...{ databaseUrl: temporary.url, secret: 'x'.repeat(32), dataDir, marketLabel: 'demo', host: 'test', port: 0 },
    ...{ market: { binance: place }, exchange: 'mexc', mode: 'live' },
  });
  const exchange = scriptedExchange(Date.now);
  const live = await openLive({ config, database, exchange, log: openLog('test', 'silent'), now: Date.now });
  const server = fastify();
  live.addRoutes(server);
  const body = { owner: '1', exchange: 'mexc', label: 'mine', key: 'a key of mexc', secret: 'a secret of mexc' };
  const answer = await server.inject({ method: 'POST', url: KEY_PATHS.add, payload: body });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(asked).toEqual([]);
  await server.close();
  await live.close();
  await database.close();
  await temporary.close();
  binance.close();
  rmSync(dataDir, { recursive: true, force: true });
});
