import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { virtualClock } from '../src/clock.ts';
import { SandboxError } from '../src/errors.ts';
import { type Sandbox, startSandbox } from '../src/sandbox.ts';
import { exact, type StatementTrade, signedClient, sumOfTrades } from './signedClient.ts';

const START = Date.UTC(2026, 4, 3, 8, 15, 20);
const MINUTE = 60_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Client = ReturnType<typeof signedClient>;
type Kline = [number, string, string, string, string, ...unknown[]];
type Account = { balances: { asset: string; free: string; locked: string }[] };

async function allKlines(client: Client, symbol: string, since: number): Promise<Kline[]> {
  const { body } = await client.public('/api/v3/klines', { symbol, interval: '1m', startTime: since, limit: 1000 });
  return body as Kline[];
}

describe('a sandbox that is closed and started again', () => {
  test('keys, history, orders and trades are the same, and the gap is filled', async () => {
    const clock = virtualClock(START);
    const first = await startSandbox({ seed: 3, port: 0, dataDir: folder, clock });
    const client = signedClient(first.binance, clock.now);
    clock.advance(5 * MINUTE);
    const { body: book } = await client.public('/api/v3/ticker/bookTicker', { symbol: 'ETHUSDT' });
    const price = (Number((book as { bidPrice: string }).bidPrice) * 0.8).toFixed(2);
    const order = { symbol: 'ETHUSDT', side: 'BUY', quantity: '1' };
    await client.signed('POST', '/api/v3/order', { ...order, type: 'LIMIT', timeInForce: 'GTC', price });
    await client.signed('POST', '/api/v3/order', { ...order, type: 'MARKET' });
    const stopPrice = ((Number(price) / 0.8) * 0.998).toFixed(2);
    const stop = { symbol: 'ETHUSDT', side: 'SELL', type: 'STOP_LOSS', quantity: '0.5', newClientOrderId: 'stop' };
    await client.signed('POST', '/api/v3/order', { ...stop, stopPrice });
    clock.advance(3_500);
    const reported = {
      account: (await client.signed('GET', '/api/v3/account')).body,
      open: (await client.signed('GET', '/api/v3/openOrders', { symbol: 'ETHUSDT' })).body,
      mine: (await client.signed('GET', '/api/v3/myTrades', { symbol: 'ETHUSDT' })).body,
      trades: (await client.public('/api/v3/trades', { symbol: 'BTCUSDT', limit: 500 })).body as { id: number }[],
      klines: await allKlines(client, 'BTCUSDT', START - 900 * MINUTE),
    };
    await first.close();
    // The forming minute continues where it stopped.
    const again = await startSandbox({ port: 0, dataDir: folder, clock });
    expect(again.binance.key).toBe(first.binance.key);
    expect(again.binance.secret).toBe(first.binance.secret);
    const back = signedClient(again.binance, clock.now);
    expect((await back.signed('GET', '/api/v3/account')).body).toEqual(reported.account);
    expect((await back.signed('GET', '/api/v3/openOrders', { symbol: 'ETHUSDT' })).body).toEqual(reported.open);
    expect((await back.signed('GET', '/api/v3/myTrades', { symbol: 'ETHUSDT' })).body).toEqual(reported.mine);
    expect((await back.public('/api/v3/trades', { symbol: 'BTCUSDT', limit: 500 })).body).toEqual(reported.trades);
    expect(await allKlines(back, 'BTCUSDT', START - 900 * MINUTE)).toEqual(reported.klines);
    clock.advance(5_000);
    const { body: later } = await back.public('/api/v3/historicalTrades', {
      symbol: 'BTCUSDT',
      fromId: reported.trades[0]?.id as number,
      limit: 1000,
    });
    expect((later as { id: number }[]).length).toBeGreaterThan(reported.trades.length);
    expect((later as { id: number }[]).slice(0, reported.trades.length)).toEqual(reported.trades);
    // A stop order is still untriggered, and is triggered later.
    expect(reported.open).toMatchObject([{ type: 'LIMIT' }, { type: 'STOP_LOSS', isWorking: false }]);
    const stopped = async () => {
      const { body } = await back.signed('GET', '/api/v3/order', { symbol: 'ETHUSDT', origClientOrderId: 'stop' });
      return body as { status: string; executedQty: string };
    };
    for (let i = 0; i < 180 && (await stopped()).status === 'NEW'; i++) clock.advance(MINUTE);
    expect(await stopped()).toMatchObject({ status: 'FILLED', executedQty: '0.50000000' });
    await again.close();
    // Hours have passed.
    const lateClock = virtualClock(clock.now() + 400 * MINUTE);
    const late = await startSandbox({ port: 0, dataDir: folder, clock: lateClock });
    const lateClient = signedClient(late.binance, lateClock.now);
    const klines = await allKlines(lateClient, 'BTCUSDT', START - 400 * MINUTE);
    expect(klines.length).toBeGreaterThan(800);
    klines.forEach((row, i) => {
      if (i > 0) expect(row[0]).toBe((klines[i - 1]?.[0] as number) + MINUTE);
    });
    const before = reported.klines.filter(([time]) => time >= START - 400 * MINUTE).slice(0, -1);
    expect(klines.slice(0, before.length)).toEqual(before);
    await late.close();
  });

  test('secrets are readable by the owner only, and the seed is stored', async () => {
    const clock = virtualClock(START);
    await (await startSandbox({ seed: 3, port: 0, dataDir: folder, clock })).close();
    expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
    await expect(startSandbox({ seed: 4, port: 0, dataDir: folder, clock })).rejects.toMatchObject({
      code: 'SEED_DIFFERS',
    });
    await (await startSandbox({ seed: 3, port: 0, dataDir: folder, clock })).close();
    const other = await startSandbox({ port: 0, clock });
    const another = await startSandbox({ port: 0, clock });
    expect(other.binance.key).not.toBe(another.binance.key);
    await Promise.all([other.close(), another.close()]);
  });

  test('a folder or port in use gives one clear error, and nothing keeps running', async () => {
    const clock = virtualClock(START);
    const sandbox: Sandbox = await startSandbox({ port: 0, dataDir: folder, clock });
    await expect(startSandbox({ port: 0, dataDir: folder, clock })).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
    const port = Number(new URL(sandbox.binance.rest).port);
    const taken = await startSandbox({ port, clock }).catch((error: unknown) => error);
    expect(taken).toBeInstanceOf(SandboxError);
    expect(taken).toMatchObject({ code: 'PORT_TAKEN', message: expect.stringContaining(String(port)) });
    const begin = performance.now();
    const socket = new WebSocket(`${sandbox.binance.ws}/0`);
    await once(socket, 'open');
    await sandbox.close();
    // Closing does not wait for connected clients.
    expect(performance.now() - begin).toBeLessThan(10_000);
    await (await startSandbox({ port, dataDir: folder, clock })).close();
    writeFileSync(join(folder, 'not-a-folder'), '');
    await expect(startSandbox({ port: 0, dataDir: join(folder, 'not-a-folder'), clock })).rejects.toMatchObject({
      code: 'FOLDER_UNUSABLE',
    });
  });

  test('truncated records at the ends of files are dropped, and whole ones kept', async () => {
    const clock = virtualClock(START);
    const first = await startSandbox({ seed: 8, port: 0, dataDir: folder, clock });
    const client = signedClient(first.binance, clock.now);
    clock.advance(3 * MINUTE);
    await client.signed('POST', '/api/v3/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' });
    const mine = (await client.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).body;
    const klines = await allKlines(client, 'BTCUSDT', START - 100 * MINUTE);
    await first.close();
    appendFileSync(join(folder, 'journal.jsonl'), '{"kind":"fill","symbol":"BTCUS');
    appendFileSync(join(folder, 'tape.bin'), Buffer.alloc(100));
    for (const name of readdirSync(join(folder, 'candles')))
      appendFileSync(join(folder, 'candles', name), Buffer.alloc(90, 1));
    const again = await startSandbox({ port: 0, dataDir: folder, clock });
    const back = signedClient(again.binance, clock.now);
    expect((await back.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).body).toEqual(mine);
    expect(await allKlines(back, 'BTCUSDT', START - 100 * MINUTE)).toEqual(klines);
    await again.close();
  });
});

/**
 * Reads the account. The clock of the sandbox runs forty times as fast, so that the window of a request is 1.5 s. On a busy machine
 * a request may arrive after its window; it is then sent again.
 */
async function readAccount(client: Client): Promise<Account> {
  for (;;) {
    const { status, body } = await client.signed('GET', '/api/v3/account');
    if (status === 200) return body as Account;
    expect(body).toMatchObject({ code: -1021 });
  }
}

describe('a sandbox that is killed', () => {
  const SPEED = 40;
  const ROUNDS = 5;
  let child: ChildProcess | undefined;

  afterEach(() => {
    child?.kill('SIGKILL');
  });

  async function serve(origin: number) {
    const script = new URL('serveSandbox.ts', import.meta.url).pathname;
    child = spawn(process.execPath, [script, folder, String(origin), String(SPEED)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(
      createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }),
      'line',
    )) as [string];
    const { binance } = JSON.parse(line) as Pick<Sandbox, 'binance'>;
    return { binance, client: signedClient(binance, () => Math.floor(origin + (Date.now() - origin) * SPEED)) };
  }

  test('no closed candle and no acknowledged fill is lost', async () => {
    const origin = Date.now();
    const reported = new Reported();
    const orders = new OrderSequence();
    let deposits: Balances | undefined;
    for (let round = 1; round <= ROUNDS; round++) {
      const { binance, client } = await serve(origin);
      deposits ??= balancesOf(await readAccount(client));
      const socket = new WebSocket(`${binance.ws}/btcusdt@kline_1m`);
      socket.on('message', (data) => reported.receiveCandle(String(data)));
      await once(socket, 'open');
      await tradeUntilCandlesClose(client, reported, orders);
      if (round === ROUNDS) await tradeUntilMaxStops(client, reported, orders);
      const pending = Array.from({ length: 5 }, () => trade(client, reported, orders));
      await pending[0];
      child?.kill('SIGKILL');
      await once(child as ChildProcess, 'exit');
      await Promise.all(pending);
      socket.terminate();
    }
    const { client } = await serve(origin);
    await expectReportedCandles(client, reported.candles);
    const trades = await allTrades(client);
    expectReportedFills(trades, reported.fills);
    expectReportedOrders(await allOrders(client), reported.orders);
    const sums = sumOfTrades(trades);
    for (const [asset, units] of balancesOf(await readAccount(client))) {
      expect(units).toBe((deposits?.get(asset) ?? 0n) + (sums.get(asset) ?? 0n));
    }
  }, 300_000);
});

/** Maximum number of stop orders in one symbol. */
const MAX_STOPS = 5;

type Balances = ReadonlyMap<string, bigint>;
type Orders = ReadonlyMap<number, { status: string; executedQty: string }>;

function balancesOf({ balances }: Account): Balances {
  return new Map(balances.map(({ asset, free, locked }) => [asset, exact(free) + exact(locked)]));
}

/** An acknowledged order. */
type Acknowledged = {
  orderId: number;
  status: string;
  executedQty: string;
  fills: { tradeId: number; price: string; qty: string; commission: string }[];
};

/** Closed candles, fills and orders that the sandbox has reported, over all rounds. */
class Reported {
  readonly candles = new Map<number, unknown>();
  readonly fills = new Map<number, unknown>();
  readonly orders = new Map<number, { status: string; executedQty: string }>();

  /** Whether the sandbox rejected a stop order because it had the maximum of five. */
  private maxStopsRejected = false;

  get hasMaxStops(): boolean {
    return this.maxStopsRejected || untriggered(this.orders).length === MAX_STOPS;
  }

  receiveRejection(body: string | undefined): void {
    if (body?.includes('MAX_NUM_ALGO_ORDERS')) this.maxStopsRejected = true;
  }

  /** Keeps the candle of a message if it is closed. */
  receiveCandle(message: string): void {
    const { k } = JSON.parse(message) as {
      k: { x: boolean; t: number; o: string; h: string; l: string; c: string; v: string; n: number };
    };
    if (k.x) this.candles.set(k.t, [k.o, k.h, k.l, k.c, k.v, k.n]);
  }

  /** Keeps an order with its fills, none of which was reported before. */
  receiveOrder({ orderId, status, executedQty, fills }: Acknowledged): void {
    this.orders.set(orderId, { status, executedQty });
    for (const { tradeId, price, qty, commission } of fills) {
      expect(this.fills.has(tradeId)).toBe(false);
      this.fills.set(tradeId, [orderId, price, qty, commission]);
    }
  }
}

/** Orders of all rounds: mostly market orders, sometimes a stop that stays untriggered through every kill. */
class OrderSequence {
  private sent = 0;

  next(): Record<string, string> {
    this.sent += 1;
    return this.sent % 7 === 0
      ? { side: 'SELL', type: 'STOP_LOSS', quantity: '0.001', stopPrice: '30000', newOrderRespType: 'FULL' }
      : { side: this.sent % 2 === 1 ? 'BUY' : 'SELL', type: 'MARKET', quantity: '0.01' };
  }
}

/** Sends the next order, and keeps its response if there is one. */
async function trade(client: Client, reported: Reported, orders: OrderSequence): Promise<void> {
  const order = { symbol: 'BTCUSDT', ...orders.next() };
  const answer = await client.signed('POST', '/api/v3/order', order).catch(() => undefined);
  if (answer?.status === 200) reported.receiveOrder(answer.body as Acknowledged);
  else reported.receiveRejection(JSON.stringify(answer?.body));
}

/** Trades until two more minutes have closed. */
async function tradeUntilCandlesClose(client: Client, reported: Reported, orders: OrderSequence): Promise<void> {
  const wanted = reported.candles.size + 2;
  for (const deadline = Date.now() + 60_000; reported.candles.size < wanted && Date.now() < deadline; )
    await trade(client, reported, orders);
  expect(reported.candles.size).toBeGreaterThanOrEqual(wanted);
}

/** Trades until the sandbox has as many untriggered stop orders as it accepts, which may take long on a busy machine. */
async function tradeUntilMaxStops(client: Client, reported: Reported, orders: OrderSequence): Promise<void> {
  for (const deadline = Date.now() + 60_000; !reported.hasMaxStops && Date.now() < deadline; )
    await trade(client, reported, orders);
  expect(reported.hasMaxStops).toBe(true);
}

async function expectReportedCandles(client: Client, candles: ReadonlyMap<number, unknown>): Promise<void> {
  const rows = await allKlines(client, 'BTCUSDT', Math.min(...candles.keys()));
  const klines = new Map(rows.map(([t, o, h, l, c, v, , , n]) => [t, [o, h, l, c, v, n]]));
  expect(candles.size).toBeGreaterThanOrEqual(10);
  for (const [time, candle] of candles) expect(klines.get(time)).toEqual(candle);
}

async function allTrades(client: Client): Promise<StatementTrade[]> {
  const trades: StatementTrade[] = [];
  for (let fromId = 0; ; ) {
    const { body } = await client.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', fromId, limit: 1000 });
    const page = body as StatementTrade[];
    trades.push(...page);
    if (page.length < 1000) return trades;
    fromId = (page.at(-1) as StatementTrade).id + 1;
  }
}

/** Expects the statement to contain every fill that was reported, and each of its trades once. */
function expectReportedFills(trades: readonly StatementTrade[], fills: ReadonlyMap<number, unknown>): void {
  const statement = new Map(trades.map((t) => [t.id, [t.orderId, t.price, t.qty, t.commission]]));
  expect(statement.size).toBe(trades.length);
  expect(fills.size).toBeGreaterThan(10);
  for (const [id, fill] of fills) expect(statement.get(id)).toEqual(fill);
}

async function allOrders(client: Client): Promise<Orders> {
  const orders = new Map<number, { status: string; executedQty: string }>();
  for (let orderId = 1, page = 1000; page === 1000; ) {
    const { body } = await client.signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT', orderId, limit: 1000 });
    const rows = body as { orderId: number; status: string; executedQty: string }[];
    for (const { orderId: id, status, executedQty } of rows) orders.set(id, { status, executedQty });
    page = rows.length;
    orderId = (rows.at(-1)?.orderId ?? 0) + 1;
  }
  return orders;
}

/** Expects every order in its reported state, and the maximum of untriggered stop orders. */
function expectReportedOrders(orders: Orders, reported: Orders): void {
  for (const [orderId, order] of reported) expect(orders.get(orderId)).toEqual(order);
  // The kill may have lost the response to one of the five.
  expect(untriggered(orders)).toHaveLength(MAX_STOPS);
  expect(untriggered(orders)).toEqual(expect.arrayContaining(untriggered(reported)));
  expect(untriggered(reported).length).toBeGreaterThan(0);
}

function untriggered(orders: Orders): number[] {
  return [...orders].filter(([, { status }]) => status === 'NEW').map(([id]) => id);
}
