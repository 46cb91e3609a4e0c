import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { botsCommand } from '../src/bots/command.ts';

const ID = 'abc123';
const BOT: BotSummary = {
  id: ID,
  name: 'Calm',
  venue: 'binance-demo',
  mode: 'paper',
  status: 'finished',
  draining: false,
  problem: null,
  strategy: { id: 'manual', params: {} },
  period: '30m',
  pairs: ['BTC-USDT'],
  openPairs: 0,
  nextPlan: null,
  performance: {
    currency: 'USDT',
    startCapital: '1000',
    totalCapital: '1000',
    cash: '1000',
    available: '1000',
    realised: '0',
    unrealised: '0',
    unrealisedPercent: 0,
    dust: '0',
    profitPercent: 0,
    trades: 0,
    wins: 0,
    losses: 0,
    winRatePercent: 0,
    benchmarkPercent: null,
    maxDrawdownPercent: 0,
  },
  createdAt: 0,
  startedAt: null,
};

let folder: string;
let host: Server;
const resets: unknown[] = [];

/** Stands for a bot host that has one bot and rejects its reset. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-bots-'));
  await writeFile(path.join(folder, 'secret'), 'secret of the test');
  host = createServer(async (request, response) => {
    const body = await text(request);
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end(JSON.stringify({ bots: [BOT] }));
    resets.push({ path: request.url, body: JSON.parse(body) });
    response.statusCode = 409;
    response.end(JSON.stringify({ error: { code: 'reset_not_flat', message: 'rejected for the test' } }));
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  host.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(['Calm', ID])('heron bots reset repeats the name of the bot that it found by %s', async (given) => {
  const { port } = host.address() as AddressInfo;
  const command = botsCommand().parseAsync(['reset', given, '--data', folder, '--control-port', String(port)], {
    from: 'user',
  });
  await expect(command).rejects.toThrow('rejected for the test');
  expect(resets.splice(0)).toEqual([{ path: `/bot/bots/${ID}/reset`, body: { confirm: 'Calm' } }]);
});
