import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { openDatabase } from '@heron/database/connect.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import { type Clock, wallClock } from '@heron/sandbox/clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import type { ProxiedRequest, RequestDecision } from './faultyProxy.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, statementOf, units, wholeJournal } from './statement.ts';
import { isStop, openIntents, stopFaults } from './stops.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';
const CAPITAL = '10000';
/** Minimum delay in ms between polls of the exchange. */
const PACE_MS = 300;

let testbed: LiveTestbed;
let host: BotHost;
let key: string;

/** Offset of the exchange's clock from the machine's, in ms. After an increase, the market catches up at once. */
let ahead = 0;
const clock: Clock = { ...wallClock, now: () => Date.now() + ahead };

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'stops', { seed: 61, clock });
  host = await testbed.startHost();
  key = (await addKey(host, testbed, BINANCE)).id;
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const position = async (id: string) => (await detail(id)).pairViews[0]?.position ?? null;

async function bot(name: string, away: number): Promise<string> {
  const options = { watch_pairs: PAIR, stop_sell: [{ profit: away, stop: 100 }], profit_win: [], profit_callback: [] };
  const id = await createLiveBot(host, { venue: BINANCE, name, key, allotment: CAPITAL, options });
  await startLive(host, id, name);
  return id;
}

const order = (id: string, how: object) => placeManualOrder(host, id, { pair: PAIR, ...how });

const own = async (id: string) =>
  (await testbed.owner.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));

/** Returns the faults of a bot's stops, from the state that its host saved. */
async function faults(id: string): Promise<string[]> {
  await delay(PACE_MS);
  const database = openDatabase(testbed.database.url);
  try {
    const { rows } = await database.pool.query<{ session: string }>(
      'select session from bots.snapshots where bot_id = $1',
      [id],
    );
    return stopFaults(JSON.parse(rows[0]?.session ?? '{}') as LiveState, await own(id));
  } finally {
    await database.close();
  }
}

async function protectedBot(id: string): Promise<void> {
  let wrong: string[] = [];
  await until(
    async () => {
      wrong = (await position(id))?.stop?.resting ? await faults(id) : ['no stop is open'];
      return wrong.length === 0;
    },
    'the open stop',
    60_000,
  ).catch((error: unknown) => {
    throw new Error(`${wrong.join('; ')}\n${host.output().slice(-2_000)}`, { cause: error });
  });
}

/** Advances the exchange's clock until the price fills the order with this client order ID. */
async function fallTo(name: string): Promise<void> {
  const reached = Promise.withResolvers<boolean>();
  const stream = testbed.owner.stream((event) => {
    if (event.type === 'order' && event.report.clientOrderId === name && event.report.status === 'filled') {
      reached.resolve(true);
    }
  });
  try {
    for (let hours = 0; hours < 60; hours++) {
      ahead += hours * 3_600_000;
      if (await Promise.race([reached.promise, delay(1_000)])) return;
    }
    throw new Error('the price has not reached the stop');
  } finally {
    await stream.close();
  }
}

/** Compares the books of a bot with the exchange's own list of its trades. */
async function expectStatement(id: string): Promise<void> {
  const journal = await wholeJournal(host, id);
  const fills = fillsOf(journal);
  // The cursor is a trade ID, because the exchange's clock is ahead of the owner's.
  const from = { at: (journal[0]?.at ?? 0) - 60_000, id: fills[0]?.id ?? '' };
  const trades = (await testbed.owner.ownTrades(PAIR, from)).filter(({ clientOrderId }) =>
    clientOrderId.startsWith(`${id}-`),
  );
  expect(fills.map((fill) => fill.id).sort()).toEqual(trades.map((fill) => fill.id).sort());
  const { cash, held } = statementOf(CAPITAL, fills);
  const { performance, pairViews } = await detail(id);
  expect(units(performance.cash)).toBe(cash);
  expect(units(pairViews[0]?.position?.quantity ?? '0')).toBe(pairViews[0]?.position ? held.get(PAIR) : 0n);
  const surprises = journal.filter(
    ({ kind, data }) => kind === 'external' && ['adjust', 'transfer', 'late_fill'].includes(String(data.what)),
  );
  expect(surprises).toEqual([]);
}

test('a host killed while it changes a stop leaves one stop and sells no coin twice', async () => {
  const id = await bot('moved', 5);
  const isPlacement = ({ method, params }: ProxiedRequest) => method === 'POST' && params.get('type') === 'STOP_LOSS';
  const isCancel = ({ method, path }: ProxiedRequest) => method === 'DELETE' && path.endsWith('/order');
  const isSale = ({ method, params }: ProxiedRequest) => method === 'POST' && params.get('timeInForce') === 'IOC';
  const moments: [
    (proxied: ProxiedRequest) => boolean,
    (dead: Promise<void>) => RequestDecision,
    Record<string, unknown>,
  ][] = [
    [isPlacement, (dead) => ({ held: dead.then(() => 'lost' as const) }), { side: 'buy', value: '600' }],
    [isPlacement, () => 'unanswered', { side: 'buy', value: '300' }],
    [isCancel, (dead) => ({ held: dead.then(() => 'lost' as const) }), { side: 'buy', value: '300' }],
    [isCancel, () => 'unanswered', { side: 'sell', percent: 30 }],
    [isSale, (dead) => ({ held: dead.then(() => 'lost' as const) }), { side: 'sell', percent: 40 }],
    [isSale, () => 'unanswered', { side: 'sell', percent: 40 }],
    [isCancel, () => 'unanswered', { side: 'sell', percent: 100 }],
  ];
  for (const [matches, decide, body] of moments) {
    const killed = Promise.withResolvers<void>();
    testbed.proxy.decide = (proxied) => {
      if (!matches(proxied)) return 'pass';
      testbed.proxy.decide = null;
      const dead = host.kill();
      killed.resolve(dead);
      return decide(dead);
    };
    await order(id, body).catch(() => {});
    await killed.promise;
    host = await testbed.startHost();
    await until(async () => (await detail(id)).status === 'working', 'the bot to work again');
    const sellsAll = body.percent === 100;
    await until(
      async () => {
        await delay(PACE_MS);
        const open = await own(id);
        const working = open.some((resting) => !isStop(resting));
        return (
          !working &&
          openIntents(await wholeJournal(host, id)) === 0 &&
          (sellsAll ? (await position(id)) === null && open.length === 0 : (await faults(id)).length === 0)
        );
      },
      sellsAll ? 'everything to be sold' : 'one open stop',
      60_000,
    );
    await expectStatement(id);
  }
  const sent = testbed.proxy.passed.filter(({ method, path }) => method === 'POST' && path.endsWith('/order'));
  const names = sent.map(({ params }) => params.get('newClientOrderId'));
  expect(new Set(names).size).toBe(names.length);
});

test('the stop of a dead host sells at the exchange and is booked exactly once', async () => {
  const id = await bot('survived', 0.5);
  await order(id, { side: 'buy', value: '2000' });
  await protectedBot(id);
  const held = (await position(id))?.quantity ?? '0';
  await host.kill();
  const [stop] = await own(id);
  expect(stop?.type).toBe('stop_market');
  await fallTo(stop?.clientOrderId ?? '');
  host = await testbed.startHost();
  const stopEntries = await until(
    async () => {
      const lines = (await wholeJournal(host, id)).filter(({ data }) => data.reason === 'exchange_stop');
      return lines.some(({ kind }) => kind === 'intent_end') ? lines : null;
    },
    'the sale to be journalled',
    90_000,
  );
  const sold = fillsOf(stopEntries).reduce((sum, { quantity }) => sum + units(quantity), 0n);
  expect(units(held) - sold).toBeLessThan(100_000n);
  expect(stopEntries.at(-1)).toMatchObject({ kind: 'intent_end', data: { how: 'filled', side: 'sell' } });
  expect(await position(id)).toBeNull();
  await expectStatement(id);
  // The next host must find the sale booked, and not book it again.
  await host.kill();
  host = await testbed.startHost();
  await until(async () => (await detail(id)).status === 'working', 'the bot to work again');
  await expectStatement(id);
  await host.call('POST', `/bot/bots/${id}/stop`);
  await until(async () => (await detail(id)).status === 'finished', 'the bot to end');
  expect(await own(id)).toEqual([]);
});
