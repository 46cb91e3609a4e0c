import { expect, test } from 'vitest';
import { currentMonth, monthCalendar, neighbourMonth } from './monthCalendar.ts';

const sums = (day: string, net: string) => ({
  ...{ day, net, positions: 1, wins: 0, losses: 0, fees: '0', funding: '0' },
});

test('a month has all its days in weeks from Monday to Sunday, and results only where something closed', () => {
  const weeks = monthCalendar('2026-02', [sums('2026-02-01', '-5'), sums('2026-02-28', '1'), sums('2026-03-01', '9')]);
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7]);
  // 1 February 2026 was a Sunday.
  expect(weeks[0]?.map((place) => place?.day ?? null)).toEqual([null, null, null, null, null, null, '2026-02-01']);
  const days = weeks.flat().filter((place) => place !== null);
  expect(days).toHaveLength(28);
  expect(days.filter((place) => place.sums !== null).map(({ day }) => day)).toEqual(['2026-02-01', '2026-02-28']);
  expect(days.map(({ strength }) => strength).filter((strength) => strength > 0)).toEqual([4, 1]);
});

test('colours are compared with the largest result of the month, and a result of 0 has none', () => {
  const days = [
    sums('2026-11-02', '100'),
    sums('2026-11-03', '-50'),
    sums('2026-11-04', '60'),
    sums('2026-11-05', '0'),
  ];
  expect(
    monthCalendar('2026-11', days)
      .flat()
      .filter((place) => place?.sums)
      .map((place) => place?.strength),
  ).toEqual([4, 2, 3, 0]);
});

test('months follow each other over the end of a year', () => {
  expect(neighbourMonth('2026-12', 1)).toBe('2027-01');
  expect(neighbourMonth('2026-01', -1)).toBe('2025-12');
  expect(currentMonth(new Date(2026, 10, 30, 23, 59).getTime())).toBe('2026-11');
});
