import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { virtualClock } from '../src/clock.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { exact, signedClient } from './signedClient.ts';

const SPEED = 40;
const ROUNDS = 4;
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
  const { binanceusdm } = JSON.parse(line) as Pick<Sandbox, 'binanceusdm'>;
  const client = signedClient(binanceusdm, () => Math.floor(origin + (Date.now() - origin) * SPEED));
  return { binanceusdm, client };
}

type Client = Awaited<ReturnType<typeof startKillable>>['client'];
type Row = { [name: string]: string } & { orderId: number; id: number; algoId: number; tranId: number };

async function list(client: Client, path: string, parameters: Record<string, string | number> = {}): Promise<Row[]> {
  const { body } = await client.signed('GET', path, { limit: 1000, ...parameters });
  return body as Row[];
}

/** Returns units as `exact` does, for negative amounts too. */
function signed(text: string): bigint {
  return text.startsWith('-') ? -exact(text.slice(1)) : exact(text);
}

test('a killed futures sandbox loses no position, order or fill', async () => {
  const origin = Date.now();
  const symbol = 'BTCUSDT';
  const fills = new Map<number, unknown>();
  const resting = new Set<number>();
  const waiting = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const { binanceusdm, client } = await startKillable(origin);
    await client.public('/fapi/v1/ping');
    const { body: best } = await client.public('/fapi/v1/ticker/bookTicker', { symbol });
    const bid = Number((best as { bidPrice: string }).bidPrice);
    const { body: key } = await client.signed('POST', '/fapi/v1/listenKey');
    const socket = new WebSocket(
      `${binanceusdm.wsBase}/private/ws?listenKey=${(key as { listenKey: string }).listenKey}`,
    );
    let reported = 0;
    const enough = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const { e, o } = JSON.parse(String(data)) as { e: string; o: { [name: string]: unknown } };
        if (e === 'ALGO_UPDATE') {
          if (o.X === 'NEW') waiting.add(o.aid as number);
          else waiting.delete(o.aid as number);
        }
        if (e !== 'ORDER_TRADE_UPDATE') return;
        if (o.X === 'NEW' && o.o === 'LIMIT') resting.add(o.i as number);
        else resting.delete(o.i as number);
        if (o.x !== 'TRADE') return;
        expect(fills.has(o.t as number)).toBe(false);
        fills.set(o.t as number, [o.i, Number(o.L), Number(o.l), signed(o.n as string), signed(o.rp as string)]);
        if (++reported === 12) resolve();
      });
    });
    await once(socket, 'open');
    let sent = 0;
    const act = async () => {
      const side = sent++ % 3 === 0 ? 'SELL' : 'BUY';
      const order = { symbol, side, quantity: '0.012' };
      const price = Math.round(bid * (side === 'BUY' ? 0.96 : 1.04));
      await client.signed('POST', '/fapi/v1/order', { ...order, type: 'MARKET' });
      if (sent % 4 === 0)
        await client.signed('POST', '/fapi/v1/order', { ...order, type: 'LIMIT', timeInForce: 'GTC', price });
      if (sent % 4 === 1) {
        const stop = { ...order, algoType: 'CONDITIONAL', type: 'STOP_MARKET', triggerPrice: Math.round(bid * 0.9) };
        await client.signed('POST', '/fapi/v1/algoOrder', { ...stop, side: 'SELL' });
      }
    };
    const trading = (async () => {
      for (;;) await act();
    })().catch(() => undefined);
    await enough;
    child?.kill('SIGKILL');
    await once(child as ChildProcess, 'exit');
    socket.terminate();
    await trading;
  }
  const { client } = await startKillable(origin);
  const trades = await list(client, '/fapi/v1/userTrades', { symbol, fromId: 0 });
  expect(trades.length).toBeLessThan(1000);
  const statement = new Map(
    trades.map(({ id, orderId, price, qty, commission, realizedPnl }) => [
      id,
      [orderId, Number(price), Number(qty), signed(commission as string), signed(realizedPnl as string)],
    ]),
  );
  expect(fills.size).toBeGreaterThanOrEqual(12 * ROUNDS);
  for (const [id, fill] of fills) expect(statement.get(id)).toEqual(fill);
  const open = (await list(client, '/fapi/v1/openOrders', { symbol })).map(({ orderId }) => orderId);
  expect(open).toEqual(expect.arrayContaining([...resting]));
  expect(resting.size).toBeGreaterThan(0);
  const algos = (await list(client, '/fapi/v1/openAlgoOrders', { symbol })).map(({ algoId }) => algoId);
  expect(algos).toEqual(expect.arrayContaining([...waiting]));
  expect(waiting.size).toBeGreaterThan(0);
  const held = trades.reduce(
    (sum, { side, qty }) => sum + (side === 'BUY' ? exact(qty as string) : -exact(qty as string)),
    0n,
  );
  const [position] = await list(client, '/fapi/v3/positionRisk', { symbol });
  expect(signed(position?.positionAmt ?? '0')).toBe(held);
  const incomes = await list(client, '/fapi/v1/income', { startTime: 1 });
  const sum = incomes.reduce((total, { income }) => total + signed(income as string), 0n);
  const { body: account } = await client.signed('GET', '/fapi/v3/account');
  expect(signed((account as { totalWalletBalance: string }).totalWalletBalance)).toBe(sum);
  const fromTrades = trades.reduce(
    (total, { commission, realizedPnl }) => total + signed(realizedPnl as string) - signed(commission as string),
    0n,
  );
  const others = incomes.filter(({ incomeType }) => incomeType !== 'COMMISSION' && incomeType !== 'REALIZED_PNL');
  expect(sum).toBe(fromTrades + others.reduce((total, { income }) => total + signed(income as string), 0n));
}, 120_000);

test('missed fundings are paid once, by positions that were open before', async () => {
  const HOUR = 3_600_000;
  const begin = Date.UTC(2026, 4, 3, 7, 30);
  const paidAt = async (now: number, act?: (client: Client) => Promise<unknown>): Promise<number[]> => {
    const clock = virtualClock(now);
    const sandbox = await startSandbox({ seed: 4, port: 0, dataDir: folder, clock });
    const client = signedClient(sandbox.binanceusdm, clock.now);
    await act?.(client);
    const rows = await list(client, '/fapi/v1/income', { incomeType: 'FUNDING_FEE' });
    await sandbox.close();
    return rows.map(({ time }) => Number(time) - Date.UTC(2026, 4, 3));
  };
  const order = { side: 'BUY', type: 'MARKET' };
  const trade = (symbol: string, quantity: string) => (client: Client) =>
    client.signed('POST', '/fapi/v1/order', { ...order, symbol, quantity });
  expect(await paidAt(begin, trade('BTCUSDT', '0.1'))).toEqual([]);
  expect(await paidAt(begin + 20 * HOUR, trade('ETHUSDT', '1'))).toEqual([8 * HOUR, 16 * HOUR, 24 * HOUR]);
  expect(await paidAt(begin + 20 * HOUR)).toHaveLength(3);
  expect(await paidAt(begin + 25 * HOUR)).toEqual([8, 16, 24, 32, 32].map((hours) => hours * HOUR));
}, 60_000);
