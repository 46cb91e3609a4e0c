import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertySeed } from './propertySeed.ts';

test('every property test has a fixed seed unless HERON_SEED says otherwise', () => {
  expect(propertySeed(undefined)).toBe(propertySeed(''));
  expect(propertySeed(undefined)).toEqual(expect.any(Number));
  expect(propertySeed('-875129439')).toBe(-875129439);
  expect(propertySeed('random')).toBeUndefined();
  expect(() => propertySeed('today')).toThrow('HERON_SEED is today');
});

test('the seed of this run is set, and a failure names it', () => {
  const setting = process.env.HERON_SEED;
  expect(fc.readConfigureGlobal().seed).toBe(propertySeed(setting));
  const fails = () => fc.assert(fc.property(fc.nat(), () => false));
  expect(fails).toThrow(setting === 'random' ? /seed: -?\d+/ : `seed: ${propertySeed(setting)}`);
});

test('properties of one seed see the same cases', () => {
  const seen = () => {
    const cases: number[] = [];
    fc.assert(
      fc.property(fc.nat(), (n) => {
        cases.push(n);
      }),
    );
    return cases;
  };
  if (process.env.HERON_SEED === 'random') expect(seen()).not.toEqual(seen());
  else expect(seen()).toEqual(seen());
});
