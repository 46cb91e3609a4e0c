import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { botDetail } from '@heron/contract/bots/entities.ts';
import { streamMessage } from '@heron/contract/bots/stream.ts';
import { ERRORS } from '@heron/contract/http/errors.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { feedSession, type PaperSession, restoreSession } from '@heron/engine/paper/paperSession.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { ExchangeRefused, ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type FleetKind, PAPER } from '../src/fleet/fleetKind.ts';
import type { MachineCallbacks } from '../src/runner/botMachine.ts';
import { botFigures } from '../src/store/botFigures.ts';
import { ownBot } from '../src/store/botStore.ts';
import { databaseProxy } from './databaseProxy.ts';
import { makeBot, PAIR, quoting, stored, type TestFleet, testFleet, until, working } from './testFleet.ts';

let temporary: TemporaryDatabase;
let database: Database;
const open: TestFleet[] = [];

beforeAll(async () => {
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await database.pool.query('delete from bots.bots');
});

afterAll(async () => {
  await database.close();
  await temporary.close();
});

function fleetOn(
  given: Database = database,
  options: { tapes?: string; databaseUrl?: string; kind?: FleetKind } = {},
): TestFleet {
  const made = testFleet(given, { databaseUrl: temporary.url, ...options });
  open.push(made);
  return made;
}

const buy = (value = 1_000, requestId: string = randomUUID()) =>
  ({ type: 'buy', pair: PAIR, order: 'taker', value: toUnits(value), requestId }) as const;

const bought = (on: TestFleet, id: string, fills = 1) =>
  quoting(on, async () => (await stored(database, id)).fills.length >= fills, 'a fill');

test('a started bot trades, buys manually, and reports every step per contract', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  const answer = await on.fleet.order(id, buy());
  expect(answer).toMatchObject({ ok: true });
  await bought(on, id);
  const { lines, fills, trades, snapshot, row } = await stored(database, id);
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(snapshot.seq).toBe(lines.length);
  expect(row.wanted).toBe('running');
  expect(fills).toHaveLength(1);
  const trade = await until(
    async () => (await stored(database, id)).trades.find(({ closedAt }) => closedAt),
    'a trade',
  );
  expect(trade).toMatchObject({ kind: 'entry', side: 'buy', reason: 'manual', quantity: fills[0]?.quantity });
  expect(trades).toHaveLength(1);
  for (const { message } of on.pushes) streamMessage.parse(message);
  botDetail.parse(await on.fleet.detail(id));
  const received = new Set(on.pushes.map(({ message }) => message.type));
  for (const type of ['bot', 'journal', 'order', 'fill', 'pair', 'quote'] as const) expect(received).toContain(type);
});

test('a bot whose pair has too little volume shows that, records it, and buys nothing', async () => {
  const id = await makeBot(database, '1', { product_min_volume: 100_000 });
  const on = fleetOn();
  on.exchange.volume24h = 99_000;
  await on.fleet.start(id);
  await working(on, id);
  const detail = await until(() => on.fleet.detail(id), 'the bot');
  expect(detail.pairViews[0]).toMatchObject({ flag: 'volume', volume: { value: 99_000, needed: 110_000 } });
  expect(await on.fleet.order(id, buy())).toMatchObject({ ok: false, gate: 'not_ready' });
  const { lines, fills } = await stored(database, id);
  expect(lines.find(({ kind }) => kind === 'volume')).toMatchObject({
    pair: PAIR,
    data: { low: true, volume24h: 99_000, limit: 100_000 },
  });
  expect(fills).toEqual([]);
});

test('nothing is sent to clients before it is in the journal', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  const received: Promise<void>[] = [];
  const push = on.pushes.push.bind(on.pushes);
  on.pushes.push = (...pushes) => {
    for (const { message } of pushes) {
      if (message.type !== 'journal') continue;
      const { seq } = message.entry;
      received.push(
        stored(database, id).then(({ lines }) => {
          expect(lines.some((connection) => connection.seq === seq)).toBe(true);
        }),
      );
    }
    return push(...pushes);
  };
  await on.fleet.order(id, buy());
  await bought(on, id);
  expect(received.length).toBeGreaterThan(3);
  await Promise.all(received);
});

test('a new worker continues where the last one ended', async () => {
  const id = await makeBot(database);
  const first = fleetOn();
  await first.fleet.start(id);
  await working(first, id);
  await first.fleet.order(id, buy());
  await bought(first, id);
  await first.close();
  const before = await stored(database, id);

  const second = fleetOn();
  await working(second, id);
  const detail = await until(() => second.fleet.detail(id), 'the bot');
  expect(detail.openPairs).toBe(1);
  expect(detail.startedAt).toBe(restoreSession(before.snapshot.session).state.bot.startedAt);
  const after = await stored(database, id);
  expect(after.fills).toEqual(before.fills);
  expect(after.snapshot.fence).toBe(before.snapshot.fence + 1);
  expect(after.lines.filter(({ data }) => data.command === 'start')).toHaveLength(1);
});

test('a worker without its lease writes nothing more for a bot, and releases it', async () => {
  const proxy = await databaseProxy(temporary.url);
  const viaProxy = openDatabase(proxy.url);
  try {
    const id = await makeBot(database);
    const old = fleetOn(viaProxy, { databaseUrl: proxy.url });
    await old.fleet.start(id);
    await working(old, id);
    const next = fleetOn();
    proxy.cut();
    await working(next, id);
    const before = await stored(database, id);

    const answer = old.fleet.order(id, buy());
    answer.catch(() => {});
    proxy.heal();
    await expect(answer).rejects.toMatchObject({ code: 'unavailable' });
    await until(async () => (await old.fleet.detail(id)) === null, 'the old worker to let go');
    const after = await stored(database, id);
    expect(after.snapshot.fence).toBe(before.snapshot.fence);
    expect(after.lines.filter(({ kind }) => kind === 'intent')).toEqual([]);
    await expect(old.fleet.order(id, buy())).rejects.toMatchObject({ code: 'bot_not_running' });
    // The last quote may be too old by now.
    next.quote(1_000);
    expect(await next.fleet.order(id, buy())).toMatchObject({ ok: true });
    await old.close();
  } finally {
    await viaProxy.close();
    await proxy.close();
  }
});

test('a bot whose fencing token was raised is taken over again by a worker that may', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  const { snapshot } = await stored(database, id);
  await database.pool.query('update bots.snapshots set fence = fence + 1 where bot_id = $1', [id]);
  await expect(on.fleet.order(id, buy())).rejects.toMatchObject({ code: 'unavailable' });
  await until(async () => (await stored(database, id)).snapshot.fence === snapshot.fence + 2, 'the next take-over');
  await working(on, id);
});

test('a request that is sent again, at once or after a restart, does not act again', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  const request = buy();
  const answers = await Promise.all([on.fleet.order(id, request), on.fleet.order(id, request)]);
  expect(answers[0]).toEqual(answers[1]);
  await bought(on, id);
  await on.close();
  const again = fleetOn();
  await working(again, id);
  expect(await again.fleet.order(id, request)).toEqual(answers[0]);
  expect((await stored(database, id)).lines.filter(({ kind }) => kind === 'intent')).toHaveLength(1);
});

test('a bot waits while the database is unavailable, then continues without any loss', async () => {
  const proxy = await databaseProxy(temporary.url);
  const viaProxy = openDatabase(proxy.url);
  try {
    const id = await makeBot(database);
    const on = fleetOn(viaProxy, { databaseUrl: proxy.url });
    await on.fleet.start(id);
    await working(on, id);
    proxy.cut();
    const received = on.pushes.length;
    const answer = on.fleet.order(id, buy());
    let answered = false;
    answer.then(
      () => {
        answered = true;
      },
      () => {
        answered = true;
      },
    );
    const since = performance.now();
    await quoting(on, async () => performance.now() - since > 1_500, 'one and a half seconds');
    expect(answered).toBe(false);
    expect((await stored(database, id)).fills).toEqual([]);
    expect(on.pushes.slice(received).filter(({ message }) => message.type === 'journal')).toEqual([]);
    proxy.heal();
    expect(await answer).toMatchObject({ ok: true });
    await bought(on, id);
    const { lines } = await stored(database, id);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
    await on.close();
  } finally {
    await viaProxy.close();
    await proxy.close();
  }
});

test('a database connection that hangs delays a bot no longer than its timeout', async () => {
  const proxy = await databaseProxy(temporary.url);
  const behind = openDatabase(proxy.url);
  try {
    const id = await makeBot(database);
    const on = fleetOn(behind);
    await on.fleet.start(id);
    await working(on, id);
    proxy.swallow();
    const startedAt = performance.now();
    const quotes = setInterval(() => on.quote(1_000), 100);
    expect(await on.fleet.order(id, buy()).finally(() => clearInterval(quotes))).toMatchObject({ ok: true });
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    await bought(on, id);
    const { lines } = await stored(database, id);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  } finally {
    // Closes stalled connections, because closing the fleets would wait for them.
    await proxy.close();
    await Promise.all(open.splice(0).map((each) => each.close()));
    await behind.close();
  }
}, 150_000);

test('a venue that stops sending on open connections gets no entries after ten seconds', async () => {
  const id = await makeBot(database, '1', { poll_scan_time: 3_000 });
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  on.quote(1_000);
  on.exchange.down = true;
  const silent = performance.now();
  const refused = await until(async () => {
    const answer = await on.fleet.order(id, { ...buy(), value: 1 });
    return !answer.ok && answer.gate === 'no_quote' ? answer : null;
  }, 'an entry to be refused');
  expect(performance.now() - silent).toBeLessThan(10_000);
  expect(Number(refused.inputs.age)).toBeGreaterThan(3_000);
});

/** The outage is longer than a lock is valid. `HERON_OUTAGE_MS=30000` measures the figure in docs/reliability.md. */
const OUTAGE_MS = Number(process.env.HERON_OUTAGE_MS ?? 12_000);

test('a bot whose lease expired with the database away waits until it is confirmed', async () => {
  const proxy = await databaseProxy(temporary.url);
  const viaProxy = openDatabase(proxy.url);
  try {
    const id = await makeBot(database);
    const on = fleetOn(viaProxy, { databaseUrl: proxy.url });
    await on.fleet.start(id);
    await working(on, id);
    proxy.cut();
    const since = performance.now();
    await quoting(on, async () => performance.now() - since > OUTAGE_MS, 'the end of the outage', OUTAGE_MS + 5_000);
    const { snapshot } = await stored(database, id);
    proxy.heal();
    const healed = performance.now();
    // An order that is rejected for a stale quote stays rejected, so each attempt sends a new one.
    await quoting(on, async () => (await on.fleet.order(id, buy()).catch(() => null))?.ok, 'an order');
    process.stderr.write(
      `database back after ${OUTAGE_MS} ms: trading again after ${Math.round(performance.now() - healed)} ms\n`,
    );
    await bought(on, id);
    const { lines, snapshot: after } = await stored(database, id);
    expect(lines.filter(({ kind }) => kind === 'intent')).toHaveLength(1);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
    // No other worker could take the bot over.
    expect(after.fence - snapshot.fence).toBeLessThanOrEqual(1);
    await on.close();
  } finally {
    await viaProxy.close();
    await proxy.close();
  }
}, 90_000);

test('a stop cancels orders, keeps the position, and is the wanted state from then on', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);
  await on.fleet.order(id, { type: 'sell', pair: PAIR, order: 'maker', percent: 50, requestId: randomUUID() });
  const stopped = await on.fleet.stop(id);
  expect(stopped.status).toBe('finished');
  expect(stopped.pairViews[0]?.orders).toEqual([]);
  expect(stopped.openPairs).toBe(1);
  expect((await stored(database, id)).row.wanted).toBe('stopped');
  expect(on.exchange.watched.size).toBe(0);
  expect((await on.fleet.stop(id)).status).toBe('finished');
  expect((await on.fleet.start(id)).status).not.toBe('finished');
  await working(on, id);
});

test('a bot that ends when flat cancels its orders, sells by its exits, and then stops', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  expect(await on.fleet.drain(id, 'drain')).toMatchObject({ status: 'created', draining: false });
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);
  expect(await on.fleet.drain(id, 'drain')).toMatchObject({ status: 'stopping', draining: true, openPairs: 1 });
  expect(await on.fleet.order(id, buy())).toMatchObject({ ok: false, gate: 'not_ready' });
  // Another worker continues the bot.
  await on.close();
  const next = fleetOn();
  await quoting(next, async () => (await next.fleet.detail(id))?.draining, 'the next worker to have it');
  await next.fleet.order(id, { type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: randomUUID() });
  await quoting(next, async () => (await stored(database, id)).snapshot.status === 'finished', 'the end');
  expect(await next.fleet.drain(id, 'drain')).toMatchObject({ status: 'finished', draining: false, openPairs: 0 });
});

test('a bot that closes its positions sells them after another worker takes over', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);
  const pending = on.fleet.drain(id, 'close');
  expect(await pending).toMatchObject({ status: 'stopping', draining: true, closing: true });
  await on.close();
  const next = fleetOn();
  await quoting(next, async () => (await stored(database, id)).snapshot.status === 'finished', 'the end');
  expect(await next.fleet.drain(id, 'close')).toMatchObject({ status: 'finished', draining: false, openPairs: 0 });
});

test('a working order is cancelled by its id, and the bot continues', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await expect(on.fleet.cancelOrder(id, `${id}-1-1`)).rejects.toMatchObject({ code: 'bot_not_running' });
  await on.fleet.start(id);
  await working(on, id);
  const maker = { ...buy(), order: 'maker' } as const;
  await on.fleet.order(id, maker);
  const [order] = (await on.fleet.detail(id))?.pairViews[0]?.orders ?? [];
  expect(order).toMatchObject({ revocable: true });
  await expect(on.fleet.cancelOrder(id, 'other1-1-1')).rejects.toMatchObject({ code: 'order_gone' });
  await on.fleet.cancelOrder(id, String(order?.clientOrderId));
  await quoting(on, async () => (await on.fleet.detail(id))?.pairViews[0]?.orders.length === 0, 'the cancel');
  expect(await on.fleet.detail(id)).toMatchObject({ status: 'working', openPairs: 0 });
  await expect(on.fleet.cancelOrder(id, String(order?.clientOrderId))).rejects.toMatchObject({ code: 'order_gone' });
});

test('the next worker stops a bot that should stop, and starts one that should run', async () => {
  const id = await makeBot(database);
  const first = fleetOn();
  await first.fleet.start(id);
  await working(first, id);
  await first.close();
  await database.pool.query("update bots.bots set wanted = 'stopped' where id = $1", [id]);
  const other = await makeBot(database);
  await database.pool.query("update bots.bots set wanted = 'running' where id = $1", [other]);
  const second = fleetOn();
  await until(async () => (await stored(database, id)).snapshot.status === 'finished', 'the end of the first bot');
  await working(second, other);
});

test('an unreachable venue is retried until it can be reached', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  on.exchange.down = true;
  const started = await on.fleet.start(id);
  expect(started.status).toBe('preparing');
  const waiting = await until(async () => {
    const detail = await on.fleet.detail(id);
    return detail?.problem ? detail : null;
  }, 'a problem');
  expect(waiting.status).toBe('preparing');
  on.exchange.down = false;
  await working(on, id);
  expect((await on.fleet.detail(id))?.problem).toBeNull();
});

/** Paper bots whose account can have problems, as those of live bots. */
function withAccount() {
  let callbacks: MachineCallbacks | null = null;
  const kind: FleetKind = {
    ...PAPER,
    machine: (row, session) => ({
      ...PAPER.machine(row, session),
      async open(given) {
        callbacks = given;
      },
    }),
  };
  return {
    kind,
    report: (error: unknown) => callbacks?.onProblem(error),
    reportUnit: (pair: string | null) => callbacks?.onUnitProblem(pair),
  };
}

test('a refused key is shown before missing market data, and neither hides the end of the other', async () => {
  const id = await makeBot(database);
  const { kind, report } = withAccount();
  const on = fleetOn(database, { kind });
  const problem = async () => (await on.fleet.detail(id))?.problem?.en;
  const shown = (code: 'exchange_unreachable' | 'key_refused') =>
    until(async () => (await problem()) === ERRORS[code].en, `the problem ${code}`);
  const refusal = new ExchangeRefused('scripted', 'Invalid API-key, IP, or permissions for action.', 'not_allowed');
  on.exchange.down = true;
  await on.fleet.start(id);
  await shown('exchange_unreachable');
  report(refusal);
  await shown('key_refused');
  on.exchange.down = false;
  await working(on, id);
  await shown('key_refused');
  report(null);
  expect(await problem()).toBeUndefined();
  on.exchange.down = true;
  await on.fleet.change(id, { options: { period: '5m' }, params: {} });
  await shown('exchange_unreachable');
  report(refusal);
  report(null);
  await shown('exchange_unreachable');
});

test('a wrong asset unit is shown until it is solved, with the next step, also after an outage of the account', async () => {
  const id = await makeBot(database);
  const { kind, report, reportUnit } = withAccount();
  const on = fleetOn(database, { kind });
  const problem = async () => (await on.fleet.detail(id))?.problem ?? null;
  await on.fleet.start(id);
  await working(on, id);
  reportUnit(PAIR);
  const shown = await problem();
  expect(shown?.en).toContain(PAIR);
  expect(shown?.en).toContain('delete the bot');
  expect(shown?.zh).toContain('删除此机器人');
  report(new ExchangeUnreachable('scripted', 'not now'));
  expect((await problem())?.en).toBe(ERRORS.exchange_unreachable.en);
  report(null);
  expect(await problem()).toEqual(shown);
  reportUnit(null);
  expect(await problem()).toBeNull();
});

test('a pair that the venue does not have is marked, and the others are traded', async () => {
  const id = await makeBot(database, '1', { watch_pairs: `${PAIR},NOPE-USDT` });
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  const detail = await on.fleet.detail(id);
  expect(detail?.pairViews.map(({ flag }) => flag)).toEqual([null, 'unknown']);
});

test('a recorded tape, fed to a fresh session, gives the same fills', async () => {
  const tapes = mkdtempSync(path.join(os.tmpdir(), 'heron-tape-'));
  try {
    const id = await makeBot(database);
    const on = fleetOn(database, { tapes });
    await on.fleet.start(id);
    await working(on, id);
    await on.fleet.order(id, buy());
    await bought(on, id);
    await on.close();
    const again = fleetOn(database, { tapes });
    await working(again, id);
    await again.fleet.order(id, { type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: randomUUID() });
    await bought(again, id, 2);
    await again.close();

    const replayed: unknown[] = [];
    let session: PaperSession | null = null;
    for (const connection of readFileSync(path.join(tapes, `${id}.ndjson`), 'utf8')
      .trim()
      .split('\n')) {
      const entry = JSON.parse(connection) as { session: string } | MarketEvent;
      if ('session' in entry) session = restoreSession(entry.session);
      else {
        const { notes } = feedSession(session as PaperSession, entry);
        replayed.push(...notes.filter(({ kind }) => kind === 'fill').map(({ data }) => data));
      }
    }
    const { lines } = await stored(database, id);
    expect(replayed).toEqual(lines.filter(({ kind }) => kind === 'fill').map(({ data }) => data));
    expect(replayed).toHaveLength(2);
  } finally {
    rmSync(tapes, { recursive: true, force: true });
  }
});

test('the chart of a stopped bot uses the stored candles', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  const chart = await on.fleet.candles(id, PAIR);
  expect(chart.time.length).toBeGreaterThanOrEqual(100);
  expect(chart.series.every(({ values }) => values.length === chart.time.length)).toBe(true);
  await expect(on.fleet.candles(id, 'ETH-USDT')).rejects.toMatchObject({ code: 'not_found' });
});

/** Changes the saved state of a bot, as another version or a damage would. */
async function resave(id: string, change: (text: string) => string, status?: string): Promise<void> {
  const { snapshot } = await stored(database, id);
  await database.pool.query('update bots.snapshots set session = $2, status = $3 where bot_id = $1', [
    id,
    change(snapshot.session),
    status ?? snapshot.status,
  ]);
}

const want = (id: string) => database.pool.query("update bots.bots set wanted = 'running' where id = $1", [id]);

/** Returns a function that edits the state in a saved session. */
const edited = (edit: (state: ReturnType<typeof JSON.parse>) => void) => (text: string) => {
  const state = JSON.parse(text);
  edit(state);
  return JSON.stringify(state);
};

test('a bot with an unreadable state is skipped with a journal entry, and others run', async () => {
  const [torn, newer, sound] = [await makeBot(database), await makeBot(database), await makeBot(database)];
  const half = (text: string) => text.slice(0, text.length / 2);
  await resave(torn, half, 'working');
  await resave(
    newer,
    edited((state) => {
      state.version += 1;
    }),
    'working',
  );
  const saved = (await stored(database, torn)).snapshot.session;
  for (const id of [torn, newer, sound]) await want(id);

  const on = fleetOn();
  await working(on, sound);
  for (const id of [torn, newer]) {
    await until(async () => (await stored(database, id)).lines.length > 0, 'the journal entry of an unreadable bot');
  }
  for (const [id, what] of [
    [torn, 'state_unreadable'],
    [newer, 'state_too_new'],
  ] as const) {
    const { lines, snapshot, row } = await stored(database, id);
    expect(lines).toMatchObject([{ kind: 'alarm', data: { what } }]);
    expect(snapshot).toMatchObject({ status: 'error', seq: 1 });
    expect(row.wanted).toBe('running');
    expect(await on.fleet.detail(id)).toBeNull();
  }
  const started = botDetail.parse(await on.fleet.start(torn));
  expect(started).toMatchObject({ status: 'error', pairs: [PAIR], openPairs: 0 });
  expect(started.problem?.en).toContain('cannot be read');
  expect((await on.fleet.stop(newer)).problem?.en).toContain('newer version');
  expect((await on.fleet.candles(torn, PAIR)).time.length).toBeGreaterThan(0);
  await expect(on.fleet.order(torn, buy())).rejects.toMatchObject({ code: 'bot_not_running' });
  const change = { options: { buy_pct: 30 }, params: {} };
  for (const operate of [
    () => on.fleet.change(torn, change),
    () => on.fleet.resume(torn, PAIR),
    () => on.fleet.resetPaper(torn),
    () => on.fleet.drain(torn, 'drain'),
  ]) {
    await expect(operate()).rejects.toMatchObject({ code: 'bot_unreadable' });
  }
  // The second start adds no journal entry, and the saved state is unchanged.
  const after = await stored(database, torn);
  expect(after.lines).toHaveLength(1);
  expect(after.snapshot.session).toBe(saved);
});

test('a bot continues once its saved state can be read again', async () => {
  const id = await makeBot(database);
  await resave(
    id,
    edited((state) => {
      state.version += 1;
    }),
    'working',
  );
  await want(id);
  const first = fleetOn();
  await until(async () => (await stored(database, id)).lines.length > 0, 'the line');
  await first.close();
  await resave(
    id,
    edited((state) => {
      state.version -= 1;
    }),
  );
  const second = fleetOn();
  await working(second, id);
  expect((await second.fleet.detail(id))?.problem).toBeNull();
  expect((await stored(database, id)).lines.map(({ seq }) => seq).slice(0, 2)).toEqual([1, 2]);
});

test('a paused pair of a stopped bot is resumed as well, and the bot stays stopped', async () => {
  const id = await makeBot(database);
  await resave(
    id,
    edited((state) => {
      state.bot.pairs[0].paused = 'liquidation';
    }),
  );
  const on = fleetOn();
  await expect(on.fleet.resume(id, 'ETH-USDT')).rejects.toMatchObject({ code: 'pair_not_watched' });
  const resumed = await on.fleet.resume(id, PAIR);
  expect(resumed).toMatchObject({ status: 'created', pairViews: [{ pausedBy: null }] });
  expect(await on.fleet.detail(id)).toBeNull();
  const { lines } = await stored(database, id);
  expect(lines.map(({ data }) => data.command)).toEqual(['resume']);
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);
});

test('a paused pair says why, and trades again once it is resumed', async () => {
  const id = await makeBot(database);
  await resave(
    id,
    edited((state) => {
      state.bot.pairs[0].paused = 'stop_sell';
    }),
  );
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  const paused = botDetail.parse(await on.fleet.detail(id));
  expect(paused.pairViews[0]).toMatchObject({ flag: 'paused', pausedBy: 'stop_sell' });
  expect(await on.fleet.order(id, buy())).toMatchObject({ ok: false, gate: 'not_ready' });

  await expect(on.fleet.resume(id, 'ETH-USDT')).rejects.toMatchObject({ code: 'pair_not_watched' });
  const resumed = await on.fleet.resume(id, PAIR);
  expect(resumed.pairViews[0]).toMatchObject({ flag: null, pausedBy: null });
  await expect(on.fleet.resume(id, PAIR)).rejects.toMatchObject({ code: 'pair_not_paused' });
  const { lines } = await stored(database, id);
  expect(lines.filter(({ data }) => data.command === 'resume')).toHaveLength(1);
  await on.fleet.order(id, buy());
  await bought(on, id);
});

test('a flat paper account is reset, running or stopped; figures restart, trades stay', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);
  await expect(on.fleet.resetPaper(id)).rejects.toMatchObject({ code: 'reset_not_flat' });
  await on.fleet.order(id, { type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: randomUUID() });
  await quoting(on, async () => (await on.fleet.detail(id))?.openPairs === 0, 'a sale');
  const figures = async () => botFigures(database, await ownBot(database, '1', id), 'UTC');
  expect(await figures()).toMatchObject({ since: null, pairs: [{ pair: PAIR, trades: 2 }] });

  const afterReset = botDetail.parse(await on.fleet.resetPaper(id));
  const { startCapital } = afterReset.performance;
  expect(afterReset).toMatchObject({
    status: 'working',
    performance: { totalCapital: startCapital, trades: 0, realised: '0' },
  });
  const { lines, trades } = await stored(database, id);
  const begun = lines.find(({ data }) => data.command === 'reset');
  expect(begun).toMatchObject({ kind: 'command', data: { capital: startCapital } });
  expect(await figures()).toMatchObject({ since: begun?.at, pairs: [], realised: '0' });
  expect(trades).toHaveLength(2);
  // The pair gets a history, and the bot continues to trade.
  const first = async () => (await on.fleet.detail(id))?.pairViews[0];
  await quoting(on, async () => (await first())?.flag === null && (await first())?.last !== null, 'a pair at work');
  await on.fleet.order(id, buy());
  await bought(on, id, 3);
  await on.fleet.stop(id);
  await expect(on.fleet.resetPaper(id)).rejects.toMatchObject({ code: 'reset_not_flat' });

  const resting = await makeBot(database);
  expect(await on.fleet.resetPaper(resting)).toMatchObject({ status: 'created', performance: { trades: 0 } });
});

test('a running bot accepts valid options, ignores rejected ones, and restores them', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);

  const before = await stored(database, id);
  expect(await on.fleet.change(id, { options: { buy_pct: 500 }, params: {} })).toMatchObject({
    ok: false,
    faults: [{ option: 'buy_pct', range: [0, 100] }],
  });
  expect((await stored(database, id)).lines).toEqual(before.lines);

  const changed = await on.fleet.change(id, { options: { sell_pct: 50, order_type: 'taker' }, params: {} });
  expect(changed).toMatchObject({
    ok: true,
    bot: { status: 'working', openPairs: 1, options: { sell_pct: 50, order_type: 'taker' } },
    changes: [
      { option: 'order_type', from: 'maker', to: 'taker', acts: 'next_entry' },
      { option: 'sell_pct', from: '100', to: '50', acts: 'now' },
    ],
  });
  const after = await stored(database, id);
  expect(after.row.options).toMatchObject({ sell_pct: 50, order_type: 'taker', buy_pct: 20 });
  expect(after.lines.flatMap(({ kind, data }) => (kind === 'command' ? [data.option ?? data.command] : []))).toEqual([
    'start',
    'buy',
    'order_type',
    'sell_pct',
  ]);

  await on.close();
  const second = fleetOn();
  await working(second, id);
  expect(await second.fleet.detail(id)).toMatchObject({ options: { sell_pct: 50 }, openPairs: 1 });
});

test('a change that is repeated on another worker gets the answer of the first', async () => {
  const id = await makeBot(database);
  const given = { options: { buy_pct: 30 }, params: {}, requestId: randomUUID() };
  const changes = [{ option: 'buy_pct', from: '20', to: '30', acts: 'next_entry' }];
  expect(await fleetOn().fleet.change(id, given)).toMatchObject({ ok: true, changes });
  expect(await fleetOn().fleet.change(id, given)).toMatchObject({ ok: true, changes });
});

test('another period loads its own candles while the position stays managed', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);
  await on.fleet.change(id, { options: { period: '5m' }, params: {} });
  const view = await until(async () => {
    const [pair] = (await on.fleet.detail(id))?.pairViews ?? [];
    return pair?.flag === null && pair.candlesHeld >= 100 ? pair : null;
  }, 'the candles of five minutes');
  expect(view.phase).toBe('bought');
  const { period, time } = await on.fleet.candles(id, PAIR);
  expect([period, (time[1] ?? 0) - (time[0] ?? 0)]).toEqual(['5m', 300_000]);
  expect([...on.exchange.watched.values()].flatMap((channel) => ('period' in channel ? [channel.period] : []))).toEqual(
    ['5m'],
  );
});

test('a removed pair is followed until it is flat, and an added one from then on', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  await on.fleet.start(id);
  await working(on, id);
  await on.fleet.order(id, buy());
  await bought(on, id);
  const changed = await on.fleet.change(id, { options: { watch_pairs: 'NONE-USDT' }, params: {} });
  expect(changed).toMatchObject({ bot: { pairs: ['NONE-USDT', PAIR] } });
  await until(async () => (await on.fleet.detail(id))?.pairViews[0]?.flag === 'unknown', 'that it is not listed');
  expect((await on.fleet.detail(id))?.pairViews[1]).toMatchObject({ flag: 'removed', phase: 'bought' });
  const sold = { type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: randomUUID() } as const;
  expect(await on.fleet.order(id, sold)).toMatchObject({ ok: true });
  await bought(on, id, 2);
  await until(() => on.exchange.watched.size === 0, 'that nobody listens to the venue');
  expect((await on.fleet.detail(id))?.pairs).toEqual(['NONE-USDT']);
});

test('a stopped bot accepts other options as well', async () => {
  const id = await makeBot(database);
  const on = fleetOn();
  const changed = await on.fleet.change(id, { options: { strategy: 'ema_cross' }, params: { fast: 5 } });
  expect(changed).toMatchObject({
    ok: true,
    bot: { status: 'created', strategy: { id: 'ema_cross', params: { fast: 5 } } },
  });
  expect((await stored(database, id)).row).toMatchObject({ wanted: 'stopped', params: { fast: 5 } });
  expect(await on.fleet.detail(id)).toBeNull();
});
