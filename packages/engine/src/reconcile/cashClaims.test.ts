import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toUnits } from '../money/units.ts';
import { type CashClaim, ownDifference } from './cashClaims.ts';

/** No bot books a difference up to this. */
const LEFT_ALONE = toUnits(0.01);

type Bot = { -readonly [Key in keyof CashClaim]: CashClaim[Key] };

const bot = (id: string, cash: number, given: Partial<CashClaim> = {}): Bot => ({
  ...{ id, cash: toUnits(cash), missing: 0, allotted: true, running: true },
  ...given,
});

/** Reconciles every bot once, in this order, and books its part. */
function allLook(total: number, bots: readonly Bot[]): void {
  for (const own of bots) {
    const amount = ownDifference(
      total,
      own,
      bots.filter((other) => other !== own),
    );
    own.cash += amount;
    own.missing = Math.max(0, own.missing - amount);
  }
}

const cashOf = (bots: readonly Bot[]) => bots.reduce((sum, { cash }) => sum + cash, 0);
const in1 = (bots: readonly Bot[]) => bots.map(({ cash }) => Math.round(cash / 1e8));

describe('money that leaves an account with several bots', () => {
  test('comes first from money that no bot owns', () => {
    const bots = [bot('a', 20_000), bot('b', 30_000)];
    allLook(toUnits(50_000), bots);
    expect(in1(bots)).toEqual([20_000, 30_000]);
  });

  test('then reduces all bots in proportion and restores them first when it returns', () => {
    const bots = [bot('a', 20_000), bot('b', 30_000), bot('c', 20_000)];
    allLook(toUnits(17_500), bots);
    expect(in1(bots)).toEqual([5_000, 7_500, 5_000]);
    allLook(toUnits(45_500), bots);
    expect(in1(bots)).toEqual([13_000, 19_500, 13_000]);
    allLook(toUnits(100_000), bots);
    expect(in1(bots)).toEqual([20_000, 30_000, 20_000]);
    expect(bots.map(({ missing }) => missing)).toEqual([0, 0, 0]);
  });

  test('leaves no bot below 0: coins cannot cover it', () => {
    const bots = [bot('a', 100), bot('b', 30_000)];
    allLook(0, bots);
    expect(in1(bots)).toEqual([0, 0]);
    allLook(toUnits(30_100), bots);
    expect(in1(bots)).toEqual([100, 30_000]);
  });

  test('reduces bots without an allotment before the others, and restores them last', () => {
    const bots = [bot('a', 20_000), bot('all', 50_000, { allotted: false })];
    allLook(toUnits(30_000), bots);
    expect(in1(bots)).toEqual([20_000, 10_000]);
    allLook(toUnits(15_000), bots);
    expect(in1(bots)).toEqual([15_000, 0]);
    allLook(toUnits(18_000), bots);
    expect(in1(bots)).toEqual([18_000, 0]);
    allLook(toUnits(90_000), bots);
    expect(in1(bots)).toEqual([20_000, 70_000]);
  });

  test('of several bots without an allotment a running one gets new money', () => {
    const residual = { allotted: false };
    const bots = [bot('a', 10, { ...residual, running: false }), bot('b', 10, residual), bot('c', 10, residual)];
    allLook(toUnits(50), bots);
    expect(in1(bots)).toEqual([10, 30, 10]);
  });

  test('is restored to a bot that an older version charged with all of it, below zero', () => {
    const bots = [bot('a', 20_000), bot('b', -26_876, { missing: toUnits(52_745) }), bot('c', 20_000)];
    allLook(toUnits(86_000), bots);
    expect(in1(bots)).toEqual([20_000, 25_869, 20_000]);
  });
});

test("no bot is below 0, all have at most the account's money, and all is restored", () => {
  const amount = fc.integer({ min: 0, max: 1e13 });
  const someBot = fc.record({ cash: amount, allotted: fc.boolean() });
  const step = fc.record({ total: amount, turn: fc.nat(99), spends: fc.boolean(), part: fc.nat(100) });
  fc.assert(
    fc.property(fc.array(someBot, { minLength: 1, maxLength: 4 }), fc.array(step, { maxLength: 8 }), (given, steps) => {
      const bots: Bot[] = given.map((one, index) => ({ id: `b${index}`, missing: 0, running: true, ...one }));
      let total = cashOf(bots);
      const claims = () => bots.map(({ cash, missing, allotted }) => (allotted ? cash + missing : 0));
      const before = claims();
      for (const { total: next, turn, spends, part } of steps) {
        if (spends) {
          // A bot buys, which changes its books and the account alike.
          const buyer = bots[turn % bots.length] as Bot;
          const spent = Math.floor((buyer.cash * part) / 100);
          buyer.cash -= spent;
          total -= spent;
          if (buyer.allotted) before[turn % bots.length] = (before[turn % bots.length] as number) - spent;
        } else total = next;
        if (total < 0) total = 0;
        const order = [...bots.slice(turn % bots.length), ...bots.slice(0, turn % bots.length)];
        allLook(total, order);
        expect(bots.every(({ cash, missing }) => cash >= 0 && missing >= 0)).toBe(true);
        expect(cashOf(bots)).toBeLessThanOrEqual(total + LEFT_ALONE);
        // Only trades change claims, and a further reconciliation changes nothing.
        expect(claims()).toEqual(before);
        const settled = bots.map(({ cash }) => cash);
        allLook(total, order);
        bots.forEach(({ cash }, index) => {
          expect(Math.abs(cash - (settled[index] as number))).toBeLessThanOrEqual(bots.length);
        });
      }
      const whole = bots.reduce((sum, { cash, missing }) => sum + cash + missing, 0);
      allLook(whole, bots);
      expect(Math.max(...bots.map(({ missing }) => missing))).toBeLessThanOrEqual(LEFT_ALONE);
    }),
    { numRuns: 1_000 },
  );
});

test('the shares do not depend on the order or number of snapshots', () => {
  const given = fc.array(fc.record({ cash: fc.integer({ min: 1, max: 1e13 }), missing: fc.nat(1e13) }), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(given, fc.integer({ min: 0, max: 100 }), (bots, percent) => {
      const make = (): Bot[] => bots.map((one, index) => ({ id: `b${index}`, allotted: true, running: true, ...one }));
      const total = Math.floor((cashOf(make()) * percent) / 50);
      const [one, other] = [make(), make()];
      allLook(total, one);
      for (let twice = 0; twice < 2; twice++) allLook(total, [...other].reverse());
      one.forEach(({ cash }, index) => {
        expect(Math.abs(cash - (other[index] as Bot).cash)).toBeLessThanOrEqual(2 * LEFT_ALONE);
      });
    }),
  );
});
