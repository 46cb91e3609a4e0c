import { afterEach, expect, test, vi } from 'vitest';
import { formatLocalDay, localDayStart, nextLocalDay, parseLocalDay } from './localDay.ts';

afterEach(() => vi.unstubAllEnvs());

test('a local day is written and read as a date field needs it', () => {
  for (const day of ['2026-01-01', '2026-03-29', '2026-10-25', '2028-02-29', '2026-12-31', '0002-03-09']) {
    expect(formatLocalDay(parseLocalDay(day) as number)).toBe(day);
  }
  expect(parseLocalDay('')).toBeNull();
  expect(parseLocalDay('2026-13-01')).toBeNull();
});

test.each(['UTC', 'America/New_York', 'Asia/Shanghai'])(
  'in %s each day of two years begins where the day before it ends, also when clocks change',
  (zone) => {
    vi.stubEnv('TZ', zone);
    let at = new Date(2026, 0, 1).getTime();
    for (let day = 1; day <= 730; day++) {
      expect(localDayStart(at)).toBe(at);
      expect(localDayStart(nextLocalDay(at) - 1)).toBe(at);
      at = nextLocalDay(at);
      expect(at).toBe(new Date(2026, 0, 1 + day).getTime());
    }
  },
);
