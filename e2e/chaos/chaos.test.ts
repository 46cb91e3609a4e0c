import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Chance, chanceOf } from './chance.ts';
import { addFault, clearFaults, faultTable } from './faultTable.ts';
import { type Rig, startRig, VICTIMS, type Victim } from './rig.ts';
import { VENUES } from './venues.ts';

/** HERON_CHAOS_KILLS asks for more: `npm run test:chaos` for 1,000. */
const KILLS = Number(process.env.HERON_CHAOS_KILLS ?? 10);
/** HERON_CHAOS_PAIRS: of all pairs of faults so many, by chance. */
const PAIRS = Number(process.env.HERON_CHAOS_PAIRS ?? 2);
const SEED = Number(process.env.HERON_CHAOS_SEED ?? 1);
/** Trading goes on over so many kills; then everything is held against the exchange's statement. */
const KILLS_A_LOOK = 5;
/** An order that never comes is not waited for. */
const TRAP_MS = 30_000;
/** Each fault, or two at once, has so long to strike. */
const PAIR_MS = 4_000;

const MOMENTS = ['between journal and send', 'between send and answer', 'anywhere'] as const;
type Moment = (typeof MOMENTS)[number];

/** Kills `victim` in the moment in which an order is where `moment` says. @returns where it was in truth */
async function strike(rig: Rig, victim: Victim, moment: Moment, chance: Chance): Promise<Moment> {
  if (moment === 'anywhere') {
    await delay(chance.below(1_200));
    await rig.kill(victim);
    return moment;
  }
  const struck = Promise.withResolvers<Moment>();
  const late = chance.next() < 0.3;
  rig.trap = () => {
    if (moment === 'between send and answer') {
      return {
        async answered(status) {
          if (status !== 200 || rig.trap === null) return 'pass';
          rig.trap = null;
          const dead = rig.kill(victim);
          struck.resolve(dead.then(() => moment));
          await dead;
          // The answer comes to a host without a database; others are dead, or cannot have it.
          return victim === 'database' ? 'pass' : 'lost';
        },
      };
    }
    rig.trap = null;
    const dead = rig.kill(victim);
    struck.resolve(dead.then(() => moment));
    if (victim === 'database') return { held: dead.then(() => 'pass' as const) };
    // It may also have been on its way, and come when the next host is up and asking.
    if (victim === 'host' && late) return { held: dead.then(() => delay(2_500)).then(() => 'pass' as const) };
    return { held: dead.then(() => 'lost' as const) };
  };
  const given = await Promise.race([struck.promise, delay(TRAP_MS)]);
  rig.trap = null;
  if (given !== undefined) return given;
  await rig.kill(victim);
  return 'anywhere';
}

describe.each(VENUES.map((venue) => ({ name: venue.exchange, venue })))('on $name', ({ venue }) => {
  const faults = faultTable(venue);
  let rig: Rig;

  beforeAll(async () => {
    rig = await startRig(venue, SEED);
  });
  afterAll(() => rig?.close());

  test('a paper bot trades without one signed request', () => {
    expect(rig.signedByPaper).toBe(0);
  });

  test(`${KILLS} times kill -9 of bot host, database or market under a script of faults: nothing doubled, nothing lost, the ledger is the statement`, {
    timeout: 60_000 + KILLS * 60_000,
  }, async () => {
    const chance = chanceOf(SEED);
    const count = new Map<string, number>();
    const began = performance.now();
    for (let kill = 0; kill < KILLS; kill++) {
      rig.trade();
      const fault = chance.of(faults);
      await addFault(rig.script, fault, chance.below(2 ** 31));
      // Each moment and each victim comes in its turn, in another order each time.
      const victim = VICTIMS[kill % 3] as Victim;
      const moment = MOMENTS[Math.floor(kill / 3 + kill) % 3] as Moment;
      const where = await strike(rig, victim, moment, chance);
      // Some come back at once, some after a while.
      if (chance.next() < 0.3) await delay(chance.below(1_500));
      await rig.revive(victim);
      for (const name of [victim, where]) count.set(name, (count.get(name) ?? 0) + 1);
      if (kill % KILLS_A_LOOK === KILLS_A_LOOK - 1 || kill === KILLS - 1) {
        expect(await rig.settle(), `after kill ${kill + 1}: ${victim}, ${where}, ${fault.name}`).toEqual([]);
      } else {
        expect(await rig.look(), `after kill ${kill + 1}: ${victim}, ${where}, ${fault.name}`).toEqual([]);
      }
      if ((kill + 1) % 50 === 0) report(kill + 1, count, rig, began);
    }
    report(KILLS, count, rig, began);
    expect(rig.sent.length).toBeGreaterThan(0);
    // How often an order was on its way is up to chance, of which ten kills have little.
    if (KILLS < 100) return;
    expect(rig.sent.length).toBeGreaterThan(KILLS);
    for (const moment of MOMENTS.slice(0, 2)) expect(count.get(moment)).toBeGreaterThanOrEqual(KILLS / 10);
  });

  const pairs = faults.flatMap((one, index) => faults.slice(index + 1).map((other) => [one, other] as const));
  const order = chanceOf(SEED);
  const chosen = pairs
    .map((pair) => ({ pair, at: order.next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, PAIRS)
    .map(({ pair }) => pair);
  const alone = PAIRS >= pairs.length ? faults.map((fault) => [fault] as const) : [];

  test.each(
    [...alone, ...chosen].map((together) => ({ names: together.map(({ name }) => name).join(' and '), together })),
  )('$names: the books are the exchange’s', { timeout: 150_000 }, async ({ together }) => {
    for (const [index, fault] of together.entries()) await addFault(rig.script, fault, SEED + index);
    rig.trade();
    await delay(PAIR_MS);
    await clearFaults(rig.script);
    expect(await rig.settle()).toEqual([]);
  });
});

function report(kills: number, count: ReadonlyMap<string, number>, rig: Rig, began: number): void {
  const parts = [...count].map(([name, times]) => `${name} ${times}`).join(', ');
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stdout.write(`${kills} kills in ${seconds} s (${parts}); ${rig.sent.length} orders sent\n`);
}
