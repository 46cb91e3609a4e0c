import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { type BotOptions, defaultOptions } from '@heron/engine/options/table.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import type { BotStatus } from '@heron/engine/state/botState.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Logger, openLog } from '../src/log.ts';
import { createBot } from '../src/store/botStore.ts';
import { openAssetUnitStore } from '../src/worker/assetUnitStore.ts';

const VENUE = 'binance-demo';
const PAIR = 'AAA-USDT';
const log = openLog('test', 'silent');

let temporary: TemporaryDatabase;
let database: Database;

beforeAll(async () => {
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url);
});

afterAll(async () => {
  await database.close();
  await temporary.close();
});

function openUnits(venue = VENUE) {
  return openAssetUnitStore(database, venue, log);
}

/** Saves a bot that ran before units were stored. @param quantity of its holding */
async function saveBot(
  name: string,
  { pair, decimals, quantity = 10, options = {}, savedAt = 1_000, status = 'finished' }: SavedPair,
): Promise<string> {
  const given = { ...defaultOptions(), watch_pairs: pair, ...options };
  const session = createLiveSession({ id: 'abc123', options: given, params: {}, allotment: null });
  const filters = { tickSize: 0.01, stepSize: 1, minQuantity: 1, maxQuantity: 1e6, minNotional: 1 };
  const market = marketOf({ pair, ...filters, assetDecimals: 4 });
  const [held] = session.state.bot.pairs;
  if (held === undefined) throw new Error('the bot has no pair');
  Object.assign(held, { pair, market: { ...market, assetDecimals: decimals } });
  held.holding.quantity = quantity;
  session.state.bot.status = status;
  return saveText(name, saveSession(session), savedAt);
}

interface SavedPair {
  readonly pair: string;
  readonly decimals: number | undefined;
  readonly quantity?: number;
  readonly options?: Partial<BotOptions>;
  readonly savedAt?: number;
  readonly status?: BotStatus;
}

async function saveText(name: string, session: string, savedAt = 1_000): Promise<string> {
  const options = { ...defaultOptions(), watch_pairs: PAIR };
  const { row } = await createBot(database, '1', { name, options, params: {} }, Date.now());
  await database.pool.query('update bots.snapshots set session = $2, saved_at = $3 where bot_id = $1', [
    row.id,
    session,
    savedAt,
  ]);
  return row.id;
}

test('a pair keeps the unit of its saved bots, at every start and on every host', async () => {
  await saveBot('of an older version', { pair: PAIR, decimals: 4 });
  await saveText('unreadable', '{"half":');
  const first = await openUnits().reserve(new Map([[PAIR, 5]]));
  expect(first.get(PAIR)).toBe(4);
  // The step size changes again, and another pair is listed.
  const store = openUnits();
  expect(
    [
      ...(await store.reserve(
        new Map([
          [PAIR, 8],
          ['BBB-USDT', 6],
        ]),
      )),
    ].sort(),
  ).toEqual([
    [PAIR, 4],
    ['BBB-USDT', 6],
  ]);
  expect((await store.reserve(new Map([['BBB-USDT', 7]]))).get('BBB-USDT')).toBe(6);
  // Another venue has units of its own.
  expect((await openUnits('binance').reserve(new Map([[PAIR, 5]]))).get(PAIR)).toBe(5);
});

const LIVE = { mode: 'live' as const };

test.each<[string, Omit<SavedPair, 'pair'>, Omit<SavedPair, 'pair'>]>([
  ['a bot that holds it, not of a newer flat one', { decimals: 4 }, { decimals: 6, quantity: 0, savedAt: 2_000 }],
  ['a live bot, not of a newer paper bot', { decimals: 4, options: LIVE }, { decimals: 6, savedAt: 2_000 }],
  ['the bot that was saved last', { decimals: 4, savedAt: 2_000 }, { decimals: 6, savedAt: 1_000 }],
  ['a bot that names its unit', { decimals: 4 }, { decimals: undefined, options: LIVE, savedAt: 2_000 }],
])('a pair gets the unit of %s, in both orders of their rows', async (_, kept, other) => {
  await database.pool.query('delete from bots.bots');
  const one = 'CCC-USDT';
  const two = 'DDD-USDT';
  await saveBot('1', { pair: one, ...kept });
  await saveBot('2', { pair: one, ...other });
  await saveBot('3', { pair: two, ...other });
  await saveBot('4', { pair: two, ...kept });
  await database.pool.query('delete from bots.asset_units');
  const units = await openUnits().reserve(new Map([[one, 5]]));
  expect([units.get(one), units.get(two)]).toEqual([4, 4]);
});

test('bots that hold a pair in different units are logged with both units', async () => {
  await database.pool.query('delete from bots.bots');
  await database.pool.query('delete from bots.asset_units');
  await saveBot('kept', { pair: PAIR, decimals: 4, savedAt: 2_000 });
  const lost = await saveBot('lost', { pair: PAIR, decimals: 6 });
  const conflicts: unknown[] = [];
  const recording = { ...log, warn() {}, error: (fields: unknown) => conflicts.push(fields) } as unknown as Logger;
  await openAssetUnitStore(database, VENUE, recording).reserve(new Map([[PAIR, 5]]));
  expect(conflicts).toMatchObject([{ pair: PAIR, bot: lost, decimals: 6, unit: 4 }]);
});

test('a pair gets a finer unit only while no saved bot counts in the present one', async () => {
  await database.pool.query('delete from bots.bots');
  await database.pool.query('delete from bots.asset_units');
  const held = new Map([[PAIR, 4]]);
  await openUnits().reserve(held);
  const finer = new Map([[PAIR, 6]]);
  // A bot that runs may buy at any time.
  const running = await saveBot('running', { pair: PAIR, decimals: 4, quantity: 0, status: 'working' });
  await saveBot('flat', { pair: PAIR, decimals: 4, quantity: 0 });
  const holding = await saveBot('holding', { pair: PAIR, decimals: 4 });
  expect((await openUnits().refine(finer)).get(PAIR)).toBe(4);
  await database.pool.query('delete from bots.bots where id = $1', [holding]);
  expect((await openUnits().refine(finer)).get(PAIR)).toBe(4);
  await database.pool.query('delete from bots.bots where id = $1', [running]);
  expect((await openUnits().refine(finer)).get(PAIR)).toBe(6);
  expect((await openUnits().refine(new Map([[PAIR, 5]]))).get(PAIR)).toBe(6);
});

test('hosts that start at once agree on the units', async () => {
  const [one, other] = await Promise.all(
    [4, 6].map((decimals) => openUnits('mexc-demo').reserve(new Map([[PAIR, decimals]]))),
  );
  expect(one?.get(PAIR)).toBe(other?.get(PAIR));
});

test('a database that does not answer makes the list of pairs unreachable, not wrong', async () => {
  const closed = openDatabase(temporary.url);
  await closed.close();
  const units = openAssetUnitStore(closed, VENUE, log).reserve(new Map([[PAIR, 5]]));
  await expect(units).rejects.toMatchObject({ kind: 'unreachable' });
});
