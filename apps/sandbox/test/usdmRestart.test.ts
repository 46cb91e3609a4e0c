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

/** Requests are valid for 60 s of the market: in a faster one, a busy machine would answer too late. */
const SPEED = 10;
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

type Started = Awaited<ReturnType<typeof startKillable>>;
type Client = Started['client'];
type Row = { [name: string]: string } & { orderId: number; id: number; algoId: number; tranId: number };

async function list(client: Client, path: string, parameters: Record<string, string | number> = {}): Promise<Row[]> {
  const { body } = await client.signed('GET', path, { limit: 1000, ...parameters });
  return body as Row[];
}

/** Returns units as `exact` does, for negative amounts too. */
function signed(text: string): bigint {
  return text.startsWith('-') ? -exact(text.slice(1)) : exact(text);
}

const SYMBOL = 'BTCUSDT';

/** Fills and orders that the stream of the account has reported, over all rounds. */
class StreamedAccount {
  readonly fills = new Map<number, unknown>();
  /** Ids of limit orders on the book, and of stop orders that are not triggered. */
  readonly resting = new Set<number>();
  readonly waiting = new Set<number>();

  /** Processes one message. @returns whether it reports a fill */
  receive(message: string): boolean {
    const { e, o } = JSON.parse(message) as { e: string; o: { [name: string]: unknown } };
    if (e === 'ALGO_UPDATE') keep(this.waiting, o.aid as number, o.X === 'NEW');
    if (e !== 'ORDER_TRADE_UPDATE') return false;
    keep(this.resting, o.i as number, o.X === 'NEW' && o.o === 'LIMIT');
    if (o.x !== 'TRADE') return false;
    expect(this.fills.has(o.t as number)).toBe(false);
    this.fills.set(o.t as number, [o.i, Number(o.L), Number(o.l), signed(o.n as string), signed(o.rp as string)]);
    return true;
  }
}

/** Adds an id to a set, or removes it. */
function keep(ids: Set<number>, id: number, open: boolean): void {
  if (open) ids.add(id);
  else ids.delete(id);
}

/** Opens the stream of the account. @returns the socket, and a promise of the `count`-th fill from now on */
async function followAccount({ binanceusdm, client }: Started, account: StreamedAccount, count: number) {
  const { body: key } = await client.signed('POST', '/fapi/v1/listenKey');
  const socket = new WebSocket(
    `${binanceusdm.wsBase}/private/ws?listenKey=${(key as { listenKey: string }).listenKey}`,
  );
  let fills = 0;
  const enough = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      if (account.receive(String(data)) && ++fills === count) resolve();
    });
  });
  await once(socket, 'open');
  return { socket, enough };
}

/** Sends market orders, and among them limit and stop orders far from the price, until the process no longer answers. */
async function tradeUntilKilled(client: Client, bid: number): Promise<void> {
  const send = (path: string, order: Record<string, string | number>) =>
    client.signed('POST', path, { symbol: SYMBOL, quantity: '0.012', ...order });
  const trade = async (count: number) => {
    const side = count % 3 === 1 ? 'SELL' : 'BUY';
    await send('/fapi/v1/order', { side, type: 'MARKET' });
    if (count % 4 === 0) {
      const price = Math.round(bid * (side === 'BUY' ? 0.96 : 1.04));
      await send('/fapi/v1/order', { side, type: 'LIMIT', timeInForce: 'GTC', price });
    }
    if (count % 4 === 1) {
      const triggerPrice = Math.round(bid * 0.9);
      await send('/fapi/v1/algoOrder', { side: 'SELL', algoType: 'CONDITIONAL', type: 'STOP_MARKET', triggerPrice });
    }
  };
  try {
    for (let count = 1; ; count++) await trade(count);
  } catch {
    // The process is gone.
  }
}

/** Trades until twelve fills are reported, and kills the sandbox in the middle of a request. */
async function tradeAndKill(origin: number, account: StreamedAccount): Promise<void> {
  const started = await startKillable(origin);
  const { client } = started;
  await client.public('/fapi/v1/ping');
  const { body: best } = await client.public('/fapi/v1/ticker/bookTicker', { symbol: SYMBOL });
  const { socket, enough } = await followAccount(started, account, 12);
  const trading = tradeUntilKilled(client, Number((best as { bidPrice: string }).bidPrice));
  await enough;
  child?.kill('SIGKILL');
  await once(child as ChildProcess, 'exit');
  socket.terminate();
  await trading;
}

test('a killed futures sandbox loses no position, order or fill', async () => {
  const origin = Date.now();
  const account = new StreamedAccount();
  for (let round = 0; round < ROUNDS; round++) await tradeAndKill(origin, account);
  const { client } = await startKillable(origin);
  const trades = await list(client, '/fapi/v1/userTrades', { symbol: SYMBOL, fromId: 0 });
  expectReportedFills(trades, account.fills);
  await expectReportedOrders(client, account);
  await expectPosition(client, trades);
  await expectWallet(client, trades);
}, 120_000);

/** Expects the statement to contain every fill that the stream has reported. */
function expectReportedFills(trades: readonly Row[], fills: ReadonlyMap<number, unknown>): void {
  expect(trades.length).toBeLessThan(1000);
  const statement = new Map(
    trades.map(({ id, orderId, price, qty, commission, realizedPnl }) => [
      id,
      [orderId, Number(price), Number(qty), signed(commission as string), signed(realizedPnl as string)],
    ]),
  );
  expect(fills.size).toBeGreaterThanOrEqual(12 * ROUNDS);
  for (const [id, fill] of fills) expect(statement.get(id)).toEqual(fill);
}

/** Expects every limit and stop order that the stream has reported as open to be open. */
async function expectReportedOrders(client: Client, { resting, waiting }: StreamedAccount): Promise<void> {
  const open = (await list(client, '/fapi/v1/openOrders', { symbol: SYMBOL })).map(({ orderId }) => orderId);
  expect(open).toEqual(expect.arrayContaining([...resting]));
  expect(resting.size).toBeGreaterThan(0);
  const algos = (await list(client, '/fapi/v1/openAlgoOrders', { symbol: SYMBOL })).map(({ algoId }) => algoId);
  expect(algos).toEqual(expect.arrayContaining([...waiting]));
  expect(waiting.size).toBeGreaterThan(0);
}

/** Expects the position to be the sum of all trades. */
async function expectPosition(client: Client, trades: readonly Row[]): Promise<void> {
  const held = trades.reduce(
    (sum, { side, qty }) => sum + (side === 'BUY' ? exact(qty as string) : -exact(qty as string)),
    0n,
  );
  const [position] = await list(client, '/fapi/v3/positionRisk', { symbol: SYMBOL });
  expect(signed(position?.positionAmt ?? '0')).toBe(held);
}

/** Expects the wallet to be the sum of all incomes, which are the results of the trades and other incomes. */
async function expectWallet(client: Client, trades: readonly Row[]): Promise<void> {
  const incomes = await list(client, '/fapi/v1/income', { startTime: 1 });
  const sum = sumOfIncomes(incomes);
  const { body: account } = await client.signed('GET', '/fapi/v3/account');
  expect(signed((account as { totalWalletBalance: string }).totalWalletBalance)).toBe(sum);
  const fromTrades = trades.reduce(
    (total, { commission, realizedPnl }) => total + signed(realizedPnl as string) - signed(commission as string),
    0n,
  );
  const others = incomes.filter(({ incomeType }) => incomeType !== 'COMMISSION' && incomeType !== 'REALIZED_PNL');
  expect(sum).toBe(fromTrades + sumOfIncomes(others));
}

function sumOfIncomes(incomes: readonly Row[]): bigint {
  return incomes.reduce((total, { income }) => total + signed(income as string), 0n);
}

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
