import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VENUES } from './chaosVenues.ts';
import { addFault, faultInjections, faultTable } from './faultTable.ts';
import { createRandom, type Random } from './random.ts';
import { type Rig, startRig, VICTIMS, type Victim } from './rig.ts';
import { openTally } from './tally.ts';

const venues = VENUES.filter(({ exchange }) => (process.env.HERON_CHAOS_EXCHANGE ?? exchange) === exchange);
/** Kills per venue. HERON_CHAOS_KILLS sets the total: `npm run test:chaos` uses 1,000, spread over the venues. */
const KILLS = Math.ceil(Number(process.env.HERON_CHAOS_KILLS ?? 4) / venues.length);
/** HERON_CHAOS_PAIRS limits how many single faults and pairs of faults run on each venue, in random choice. */
const PAIRS = Number(process.env.HERON_CHAOS_PAIRS ?? 1);
const SEED = Number(process.env.HERON_CHAOS_SEED ?? 1);
/** Number of kills between two comparisons with the exchange's statement. */
const KILLS_PER_SETTLEMENT = 10;
/** Timeout for an order to reach the trap, in ms. */
const TRAP_MS = 30_000;
/** Time in which each fault or pair of faults may act, in ms. */
const PAIR_MS = 4_000;

const MOMENTS = ['between journal and send', 'between send and response', 'anywhere'] as const;
type Moment = (typeof MOMENTS)[number];

/** Kills `victim` when an order is at the point that `moment` names. @returns the point at which the order really was */
async function killAt(rig: Rig, victim: Victim, moment: Moment, random: Random): Promise<Moment> {
  if (moment === 'anywhere') {
    await delay(random.below(1_200));
    await rig.kill(victim);
    return moment;
  }
  const killed = Promise.withResolvers<Moment>();
  const late = random.next() < 0.3;
  rig.trap = () => {
    if (moment === 'between send and response') {
      return {
        async answered(status) {
          if (status !== 200 || rig.trap === null) return 'pass';
          rig.trap = null;
          const dead = rig.kill(victim);
          killed.resolve(dead.then(() => moment));
          await dead;
          // Only a host whose database was killed can still receive the response. Otherwise the sender or the receiver is dead.
          return victim === 'database' ? 'pass' : 'lost';
        },
      };
    }
    rig.trap = null;
    const dead = rig.kill(victim);
    killed.resolve(dead.then(() => moment));
    if (victim === 'database') return { held: dead.then(() => 'pass' as const) };
    // The order may also be in transit, and reach the exchange when the next host already queries it.
    if ((victim === 'host' || victim === 'worker') && late)
      return { held: dead.then(() => delay(2_500)).then(() => 'pass' as const) };
    return { held: dead.then(() => 'lost' as const) };
  };
  const given = await Promise.race([killed.promise, delay(TRAP_MS)]);
  rig.trap = null;
  if (given !== undefined) return given;
  await rig.kill(victim);
  return 'anywhere';
}

describe.each(venues.map((venue) => ({ name: venue.exchange, venue })))('on $name', ({ venue }) => {
  const faults = faultTable(venue);
  let rig: Rig;

  beforeAll(async () => {
    rig = await startRig(venue, SEED);
  }, 300_000);
  afterAll(() => rig?.close());

  test('a paper bot trades without one signed request', () => {
    expect(rig.signedByPaper()).toBe(0);
  });

  test(`the ledger matches the exchange after ${KILLS} kills under scripted faults`, {
    timeout: 60_000 + KILLS * 60_000,
  }, async () => {
    const random = createRandom(SEED);
    const tally = openTally();
    for (let kill = 0; kill < KILLS; kill++) {
      rig.trade();
      const fault = random.of(faults);
      await addFault(rig.script, fault, random.below(2 ** 31));
      // The kills rotate through the victims and the moments, in varying combinations.
      const victim = VICTIMS[kill % VICTIMS.length] as Victim;
      const moment = MOMENTS[Math.floor(kill / VICTIMS.length + kill) % MOMENTS.length] as Moment;
      const where = await tally.timed(`killing the ${victim}`, () => killAt(rig, victim, moment, random));
      // Some victims restart at once, some after a delay.
      if (random.next() < 0.3) await delay(random.below(1_500));
      await tally.timed(`starting the ${victim}`, () => rig.restart(victim));
      tally.count(victim);
      tally.count(where);
      const last = kill % KILLS_PER_SETTLEMENT === KILLS_PER_SETTLEMENT - 1 || kill === KILLS - 1;
      const wrong = await tally.timed(last ? 'settling' : 'checking', () => (last ? rig.settle() : rig.check()));
      tally.printStep(`kill ${kill + 1}: ${victim}, ${where}, ${fault.name}`);
      expect(wrong, `after kill ${kill + 1}: ${victim}, ${where}, ${fault.name}`).toEqual([]);
      if ((kill + 1) % 50 === 0 || kill === KILLS - 1)
        tally.printTotals(`${venue.exchange}: ${kill + 1} kills, ${rig.sent.length} orders sent`);
    }
    if (KILLS > 0) expect(rig.sent.length).toBeGreaterThan(0);
    // The number of kills with an order in transit is random, so that only many kills have a reliable share.
    if (KILLS < 100) return;
    expect(rig.sent.length).toBeGreaterThan(KILLS);
    for (const moment of MOMENTS.slice(0, 2)) expect(tally.of(moment)).toBeGreaterThanOrEqual(KILLS / 10);
  });

  const combinations = [
    ...faults.map((fault) => [fault]),
    ...faults.flatMap((one, index) => faults.slice(index + 1).map((other) => [one, other])),
  ];
  const order = createRandom(SEED);
  const chosen = combinations
    .map((together) => ({ names: together.map(({ name }) => name).join(' and '), together, at: order.next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, PAIRS);

  test.each(chosen)(
    '$names: the ledger matches the exchange, and paper bots sign nothing',
    {
      timeout: 150_000,
    },
    async ({ together }) => {
      for (const [index, fault] of together.entries()) await addFault(rig.script, fault, SEED + index);
      rig.trade();
      const deadline = performance.now() + PAIR_MS;
      const met = async () => (await faultInjections(rig.script)).every(({ struck, active }) => struck > 0 || !active);
      while (performance.now() < deadline && !(await met())) await delay(100);
      expect(await rig.settle()).toEqual([]);
    },
  );
});
