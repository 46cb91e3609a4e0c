import { expect, test } from 'vitest';
import { countdown, planWaitSentence } from './planWaitSentence.ts';
import { chinese, english } from './testLocales.ts';

const NOON = new Date(2026, 10, 27, 12).getTime();

test('a grid says when it is placed, and in how long', () => {
  const next = { by: 'candle', at: NOON + 104_000 } as const;
  expect(planWaitSentence('grid', next, NOON, english)).toBe('The grid is placed at 12:01, in 1:44.');
  expect(planWaitSentence('grid', next, NOON, chinese)).toBe('网格将在 12:01 挂单，还有 1:44。');
  expect(planWaitSentence('dca', next, NOON, english)).toBe('The DCA deal starts at 12:01, in 1:44.');
});

test('a condition is checked, and a periodic entry is due', () => {
  const at = NOON + 60_000;
  expect(planWaitSentence('dca', { by: 'signal', at }, NOON, english)).toContain('start condition');
  expect(planWaitSentence('dca', { by: 'schedule', at }, NOON, english)).toContain('next entry');
  expect(planWaitSentence('dca', { by: 'schedule', at }, at, english)).toBe('The candle is closing …');
  const far = planWaitSentence('dca', { by: 'schedule', at: NOON + 50 * 3_600_000 }, NOON, english);
  expect(far).toContain('Nov 29');
  expect(far).toContain('50:00:00');
});

test('a countdown has hours only where it needs them', () => {
  expect([1, 59_001, 3_599_000, 3_600_000].map(countdown)).toEqual(['0:01', '1:00', '59:59', '1:00:00']);
});
