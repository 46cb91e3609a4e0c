import { expect, test } from 'vitest';
import { registrationAge } from './registrationAge.ts';

const DAY = 86_400;
const age = (days: number, language: 'en' | 'zh-CN' = 'en') => registrationAge(1_000, 1_000 + days * DAY, language);

test('the age of a registration is shown in the largest unit that has passed', () => {
  expect([1, 29, 30, 59, 364, 365, 3 * 365].map((days) => age(days))).toEqual([
    ...['1 day', '29 days', '1 month', '1 month', '12 months', '1 year', '3 years'],
  ]);
  expect(age(3 * 365, 'zh-CN')).toBe('3年');
});

test('a registration of today, or by a clock that runs ahead, has no age yet', () => {
  expect(age(0.99)).toBeNull();
  expect(age(-2)).toBeNull();
});
