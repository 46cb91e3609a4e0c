import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Sandbox } from '../src/sandbox.ts';
import { decodePush, mexcClient } from './mexcClient.ts';
import { exact } from './signedClient.ts';

const SPEED = 40;
const ROUNDS = 5;
let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});

afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function startKillable(origin: number) {
  const script = new URL('serveSandbox.ts', import.meta.url).pathname;
  child = spawn(process.execPath, [script, folder, String(origin), String(SPEED)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  const [line] = (await once(lines, 'line')) as [string];
  const { mexc } = JSON.parse(line) as Pick<Sandbox, 'mexc'>;
  return { mexc, client: mexcClient(mexc, () => Math.floor(origin + (Date.now() - origin) * SPEED)) };
}

type Client = ReturnType<typeof mexcClient>;
type Trade = { [name: string]: string } & { isBuyer: boolean };

async function totals(client: Client): Promise<Map<string, bigint>> {
  const { body } = await client.signed('GET', '/api/v3/account');
  const { balances } = body as { balances: { asset: string; free: string; locked: string }[] };
  return new Map(balances.map(({ asset, free, locked }) => [asset, exact(free) + exact(locked)]));
}

test('a killed MEXC sandbox loses no acknowledged order or fill', async () => {
  const origin = Date.now();
  const orders = new Set<string>();
  const fills = new Map<string, unknown>();
  const cancelled = new Set<string>();
  let deposits: Map<string, bigint> | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const { mexc, client } = await startKillable(origin);
    // The first request opens the market, which takes a minute of this accelerated time.
    await client.public('/api/v3/ping');
    deposits ??= await totals(client);
    const { body } = await client.signed('POST', '/api/v3/userDataStream');
    const socket = new WebSocket(`${mexc.ws}?listenKey=${(body as { listenKey: string }).listenKey}`);
    let reported = 0;
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      const { privateDeals } = decodePush(data) as unknown as { privateDeals?: Trade };
      if (!privateDeals) return;
      const { tradeId = '', orderId, price, quantity, feeAmount, feeCurrency } = privateDeals;
      expect(fills.has(tradeId)).toBe(false);
      fills.set(tradeId, [orderId, price, quantity, feeAmount, feeCurrency]);
      reported++;
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ method: 'SUBSCRIPTION', params: ['spot@private.deals.v3.api.pb'] }));
    await once(socket, 'message');
    const { body: best } = await client.public('/api/v3/ticker/bookTicker', { symbol: 'BTCUSDT' });
    const price = (Number((best as { bidPrice: string }).bidPrice) * 0.9).toFixed(2);
    let sent = 0;
    const order = async () => {
      const kind = sent++ % 3;
      const changes =
        kind === 2 ? { type: 'LIMIT', price, side: 'BUY' } : { type: 'MARKET', side: kind ? 'SELL' : 'BUY' };
      const values = { symbol: 'BTCUSDT', quantity: '0.01', ...changes };
      const answer = await client.signed('POST', '/api/v3/order', values).catch(() => undefined);
      if (answer?.status !== 200) return;
      const { orderId } = answer.body as { orderId: string };
      orders.add(orderId);
      if (kind !== 2 || sent % 2 === 0) return;
      const end = await client.signed('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId }).catch(() => undefined);
      if (end?.status === 200) cancelled.add(orderId);
    };
    for (const deadline = Date.now() + 60_000; reported < 12 && Date.now() < deadline; ) await order();
    expect(reported).toBeGreaterThanOrEqual(12);
    // The process is killed in the middle of requests.
    const pending = Array.from({ length: 5 }, order);
    await pending[0];
    child?.kill('SIGKILL');
    await once(child as ChildProcess, 'exit');
    await Promise.all(pending);
    socket.terminate();
  }
  const { client } = await startKillable(origin);
  await client.public('/api/v3/ping');
  const { body: all } = await client.signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT', limit: 1000 });
  const kept = new Map((all as { orderId: string; status: string }[]).map((row) => [row.orderId, row.status]));
  for (const id of orders) expect(kept.has(id)).toBe(true);
  for (const id of cancelled) expect(kept.get(id)).toBe('CANCELED');
  expect([...kept.values()].filter((status) => status === 'NEW').length).toBeGreaterThan(0);
  const mine: Trade[] = [];
  for (const orderId of kept.keys()) {
    const { status, body } = await client.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', orderId });
    expect(status).toBe(200);
    mine.push(...(body as Trade[]));
    await new Promise((resolve) => setTimeout(resolve, 1_000 / SPEED));
  }
  const statement = new Map(mine.map((t) => [t.id, [t.orderId, t.price, t.qty, t.commission, t.commissionAsset]]));
  expect(statement.size).toBe(mine.length);
  expect(fills.size).toBeGreaterThanOrEqual(ROUNDS * 12);
  for (const [id, fill] of fills) expect(statement.get(id)).toEqual(fill);
  const sums = new Map<string, bigint>([['BTC', 0n]]);
  for (const { isBuyer, qty = '', quoteQty = '', commission = '', commissionAsset } of mine) {
    const direction = isBuyer ? 1n : -1n;
    expect(commissionAsset).toBe('USDT');
    sums.set('BTC', (sums.get('BTC') ?? 0n) + direction * exact(qty));
    sums.set('USDT', (sums.get('USDT') ?? 0n) - direction * exact(quoteQty) - exact(commission));
  }
  for (const [asset, units] of await totals(client)) {
    expect(units).toBe((deposits?.get(asset) ?? 0n) + (sums.get(asset) ?? 0n));
  }
}, 300_000);
