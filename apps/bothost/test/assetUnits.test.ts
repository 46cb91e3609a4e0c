import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBot } from '../src/store/botStore.ts';
import { openAssetUnitStore } from '../src/worker/assetUnitStore.ts';

const VENUE = 'binance-demo';
const PAIR = 'AAA-USDT';

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

async function saveBot(name: string, session: string): Promise<void> {
  const options = { ...defaultOptions(), watch_pairs: PAIR };
  const { row } = await createBot(database, '1', { name, options, params: {} }, Date.now());
  await database.pool.query('update bots.snapshots set session = $2 where bot_id = $1', [row.id, session]);
}

test('a pair keeps the unit of its saved bots, at every start and on every host', async () => {
  const session = createLiveSession({ id: 'abc123', options: defaultOptions(), params: {}, allotment: null });
  const filters = { tickSize: 0.01, stepSize: 1, minQuantity: 1, maxQuantity: 1e6, minNotional: 1 };
  Object.assign(session.state.bot.pairs[0] ?? {}, { pair: PAIR, market: marketOf({ pair: PAIR, ...filters }) });
  await saveBot('of an older version', saveSession(session));
  await saveBot('unreadable', '{"half":');
  const first = await openAssetUnitStore(database, VENUE).fix(new Map([[PAIR, 5]]));
  expect(first.get(PAIR)).toBe(4);
  // The step size changes again, and another pair is listed.
  const store = openAssetUnitStore(database, VENUE);
  expect(
    [
      ...(await store.fix(
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
  expect((await store.fix(new Map([['BBB-USDT', 7]]))).get('BBB-USDT')).toBe(6);
  // Another venue has units of its own.
  expect((await openAssetUnitStore(database, 'binance').fix(new Map([[PAIR, 5]]))).get(PAIR)).toBe(5);
});

test('hosts that start at once agree on the units', async () => {
  const [one, other] = await Promise.all(
    [4, 6].map((decimals) => openAssetUnitStore(database, 'mexc-demo').fix(new Map([[PAIR, decimals]]))),
  );
  expect(one?.get(PAIR)).toBe(other?.get(PAIR));
});

test('a database that does not answer makes the list of pairs unreachable, not wrong', async () => {
  const closed = openDatabase(temporary.url);
  await closed.close();
  const units = openAssetUnitStore(closed, VENUE).fix(new Map([[PAIR, 5]]));
  await expect(units).rejects.toMatchObject({ kind: 'unreachable' });
});
