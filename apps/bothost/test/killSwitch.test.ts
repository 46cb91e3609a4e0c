import { randomUUID } from 'node:crypto';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { PaperSession } from '@heron/engine/paper/paperSession.ts';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import type { FleetKind } from '../src/fleet/fleetKind.ts';
import { createPaperMachine } from '../src/runner/botMachine.ts';
import { botsToHalt, haltsOf, wantHalt } from '../src/store/halts.ts';
import { makeBot, PAIR, stored, type TestFleet, testFleet, until } from './testFleet.ts';

const setup = databaseFixture();
const open: TestFleet[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await setup.database.pool.query('delete from bots.bots');
});

/** Creates a fleet that receives a quote every 20 ms. */
function fleetOn(kind?: FleetKind): TestFleet {
  const made = testFleet(setup.database, { databaseUrl: setup.url, ...(kind === undefined ? {} : { kind }) });
  const quotes = setInterval(() => made.quote(1_000), 20);
  open.push({
    ...made,
    async close() {
      clearInterval(quotes);
      await made.close();
    },
  });
  return made;
}

/** Creates a bot with a position. */
async function holder(on: TestFleet): Promise<string> {
  const id = await makeBot(setup.database);
  await on.fleet.start(id);
  await until(async () => (await on.fleet.detail(id))?.status === 'working', 'a working bot');
  await on.fleet.order(id, {
    ...{ type: 'buy', pair: PAIR, order: 'taker', value: toUnits(1_000) },
    requestId: randomUUID(),
  });
  await until(async () => (await on.fleet.detail(id))?.openPairs === 1, 'a position');
  return id;
}

async function halted(on: TestFleet, id: string, close: boolean) {
  await wantHalt(setup.database, id, { pair: null, close }, Date.now());
  return on.fleet.halt(id, null, close);
}

const sides = async (id: string) => (await stored(setup.database, id)).fills.map(({ side }) => side);

/** Creates a kind of paper bots. Those in `broken` fail at every event of these types. */
function faulty(broken: Map<string, readonly string[]>, swept: string[]): FleetKind {
  return {
    mode: 'paper',
    machine({ id }, session) {
      const machine = createPaperMachine(session as PaperSession);
      return {
        ...machine,
        feed(event) {
          if (broken.get(id)?.includes(event.type)) throw new Error('a fault of this test');
          return machine.feed(event);
        },
      };
    },
    async sweep({ id }) {
      swept.push(id);
      return true;
    },
  };
}

test('the kill switch sells the position of a stopped bot, and the bot stops again', async () => {
  const on = fleetOn();
  const id = await holder(on);
  await on.fleet.stop(id);
  expect(await on.fleet.detail(id)).toBeNull();
  expect(await halted(on, id, false)).toMatchObject({ confirmed: true, bot: { openPairs: 1 } });
  // A sale is confirmed within six seconds, or by a later answer where the machine is busy.
  const { bot } = await until(async () => {
    const answer = await halted(on, id, true);
    return answer.confirmed ? answer : null;
  }, 'the confirmed sale');
  expect(bot.openPairs).toBe(0);
  expect(await sides(id)).toEqual(['buy', 'sell']);
  const { row, lines } = await until(async () => {
    const now = await stored(setup.database, id);
    return now.snapshot.status === 'finished' && now.row.wanted === 'stopped' ? now : null;
  }, 'the bot to stand still');
  expect(row.wanted).toBe('stopped');
  expect(lines.filter(({ kind, data }) => kind === 'status' && data.to === 'working')).toHaveLength(1);
  expect(await haltsOf(setup.database, id)).toEqual([]);
});

test('the kill switch works on a failed bot, which does nothing else afterwards', async () => {
  const broken = new Map<string, readonly string[]>();
  const on = fleetOn(faulty(broken, []));
  const id = await holder(on);
  broken.set(id, ['quote']);
  await until(async () => (await on.fleet.detail(id))?.status === 'error', 'the fault');
  broken.clear();
  expect(await halted(on, id, true)).toMatchObject({ confirmed: true, bot: { openPairs: 0 } });
  expect(await sides(id)).toEqual(['buy', 'sell']);
  expect((await on.fleet.detail(id))?.pairViews).toMatchObject([{ flag: 'paused', pausedBy: 'manual' }]);
});

test('a bot that cannot be halted has its orders cancelled, and no sale is confirmed', async () => {
  const broken = new Map<string, readonly string[]>();
  const swept: string[] = [];
  const on = fleetOn(faulty(broken, swept));
  const id = await holder(on);
  broken.set(id, ['quote', 'command']);
  await until(async () => (await on.fleet.detail(id))?.status === 'error', 'the fault');
  expect(await halted(on, id, false)).toMatchObject({ confirmed: true });
  expect(swept).toContain(id);
  swept.length = 0;
  // The bot fails after the command: the timer would fill the sale before a late quote.
  broken.set(id, ['quote', 'timer']);
  expect(await halted(on, id, true)).toMatchObject({ confirmed: false });
  expect(swept).toContain(id);
  expect(await haltsOf(setup.database, id)).toEqual([]);
});

test('a bot whose saved state cannot be read still has its orders cancelled', async () => {
  const swept: string[] = [];
  const id = await makeBot(setup.database);
  await setup.database.orm.update(table.snapshot).set({ session: '{"half":', status: 'working' });
  await setup.database.orm.update(table.bot).set({ wanted: 'running' }).where(eq(table.bot.id, id));
  const on = fleetOn(faulty(new Map(), swept));
  await until(async () => (await stored(setup.database, id)).lines.length > 0, 'the journal entry about it');
  expect(await halted(on, id, false)).toMatchObject({ confirmed: true, bot: { status: 'error' } });
  expect(swept).toContain(id);
});

test('a kill switch used without a worker is the first action of the next worker', async () => {
  const first = fleetOn();
  const [running, resting] = [await holder(first), await holder(first)];
  await first.fleet.stop(resting);
  await Promise.all(open.splice(0).map((each) => each.close()));
  for (const id of [running, resting]) await wantHalt(setup.database, id, { pair: null, close: true }, Date.now());
  fleetOn();
  for (const id of [running, resting]) {
    await until(async () => (await sides(id)).length === 2, `${id} to be sold`);
    await until(async () => (await haltsOf(setup.database, id)).length === 0, 'it to be done with');
    const { lines } = await stored(setup.database, id);
    const bought = lines.findLastIndex(({ kind, data }) => kind === 'fill' && data.side === 'buy');
    const after = lines.slice(bought + 1).filter(({ kind, data }) => kind === 'intent' && data.kind === 'entry');
    expect(after).toEqual([]);
  }
  await until(async () => (await stored(setup.database, resting)).row.wanted === 'stopped', 'the second to rest again');
  expect((await stored(setup.database, running)).row.wanted).toBe('running');
});

test('a bot whose orders cannot be cancelled does not delay the halt of others', async () => {
  const broken = new Map<string, readonly string[]>();
  const on = fleetOn({ ...faulty(broken, []), sweep: async () => false });
  const both = [await holder(on), await holder(on)];
  for (const id of both) broken.set(id, ['quote', 'command']);
  for (const id of both) await until(async () => (await on.fleet.detail(id))?.status === 'error', 'the fault');
  for (const id of both) await wantHalt(setup.database, id, { pair: null, close: true }, Date.now());
  // The first bot keeps its fault, and must not delay the second.
  const [first = '', second = ''] = await botsToHalt(setup.database, new Set(both));
  broken.delete(second);
  await until(async () => (await sides(second)).length === 2, 'the second to be sold', 20_000);
  expect(await sides(first)).toEqual(['buy']);
  expect(await haltsOf(setup.database, first)).toHaveLength(1);
});

test('a bot that is being deleted has nothing left to halt', async () => {
  const id = await makeBot(setup.database);
  const remover = await setup.database.pool.connect();
  await remover.query('begin');
  await remover.query('delete from bots.bots where id = $1', [id]);
  const received = expect(wantHalt(setup.database, id, { pair: null, close: true }, Date.now())).rejects.toMatchObject({
    code: 'not_found',
  });
  await remover.query('commit');
  remover.release();
  await received;
});
