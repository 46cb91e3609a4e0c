import type { Period } from '@heron/engine/market/period.ts';
import { checkSetup, type Setup } from '@heron/engine/options/setup.ts';
import { describe, expect, test } from 'vitest';
import { BACKTEST_DAYS, type BacktestSpan, backtestPlan, timeRangeOf } from './backtestPlan.ts';

const DAY = 86_400_000;
/** A Wednesday, 10:20:30 UTC. */
const NOW = Date.UTC(2026, 10, 25, 10, 20, 30);

function setup(options: Record<string, unknown>, params: Record<string, unknown> = {}): Setup {
  const checked = checkSetup({ options: { strategy: 'ema_cross', ...options }, params });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked;
}

/** Returns the times of the last days until now. */
function lastDays(days: (typeof BACKTEST_DAYS)[number], period: Period = '15m') {
  const times = timeRangeOf({ kind: 'days', days }, period, NOW);
  if (times === null) throw new Error('the last days always have times');
  return times;
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `C${i}-USDT`).join(',');

describe('a backtest of the last days', () => {
  test('covers closed minutes, after the warm-up candles of the strategy', () => {
    const plan = backtestPlan(
      setup({ period: '15m', min_periods: 100, watch_pairs: 'BTC-USDT,ETH-USDT' }),
      lastDays('7'),
    );
    expect(plan).toMatchObject({ pairs: ['BTC-USDT', 'ETH-USDT'], period: '1m', to: Date.UTC(2026, 10, 25, 10, 20) });
    expect(plan?.begin).toBe(Date.UTC(2026, 10, 18, 10, 15));
    expect(plan?.from).toBe((plan?.begin ?? 0) - 100 * 900_000);
    expect(plan?.candles).toBe((2 * ((plan?.to ?? 0) - (plan?.from ?? 0))) / 60_000);
  });

  test('uses longer candles for long spans, but never longer ones than the strategy', () => {
    const lengths = (period: Period, pairs: number) =>
      BACKTEST_DAYS.map(
        (days) => backtestPlan(setup({ period, watch_pairs: names(pairs) }), lastDays(days, period))?.period ?? null,
      );
    expect(lengths('1h', 2)).toEqual(['1m', '1m', '5m', '5m']);
    expect(lengths('1h', 10)).toEqual(['1m', '5m', '15m', '15m']);
    expect(lengths('3m', 10)).toEqual(['1m', '1m', null, null]);
    expect(lengths('1w', 1).every((length) => length !== null)).toBe(true);
  });

  test('of too many minutes and pairs is rejected', () => {
    expect(backtestPlan(setup({ period: '1m', watch_pairs: names(10) }), lastDays('180'))).toBeNull();
  });

  test('watches the same number of pairs as the bot, in its currency', () => {
    const options = { watch_pairs: 'A-USDT,B-USDC,C-USDT,D-USDT', max_watch_size: 2 };
    expect(backtestPlan(setup(options), lastDays('7'))?.pairs).toEqual(['A-USDT', 'C-USDT']);
  });

  test('of weeks begins on a Monday', () => {
    const plan = backtestPlan(setup({ period: '1w' }), lastDays('30', '1w'));
    expect(new Date(plan?.begin ?? 0).getUTCDay()).toBe(1);
    expect(((plan?.begin ?? 0) - (plan?.from ?? 0)) % (7 * DAY)).toBe(0);
  });
});

describe('a backtest between two days', () => {
  const day = (date: string) => new Date(`${date}T00:00`).getTime();
  const dates = (first: string | null, last: string | null): BacktestSpan => ({
    kind: 'dates',
    first: first === null ? null : day(first),
    last: last === null ? null : day(last),
  });

  test('begins with the first day and includes the last', () => {
    expect(timeRangeOf(dates('2026-03-01', '2026-03-31'), '15m', NOW)).toEqual({
      begin: day('2026-03-01'),
      end: day('2026-04-01'),
    });
    const one = timeRangeOf(dates('2026-03-29', '2026-03-29'), '15m', NOW);
    expect(one).toEqual({ begin: day('2026-03-29'), end: day('2026-03-30') });
  });

  test('ends now when its last day is not over', () => {
    expect(timeRangeOf(dates('2026-11-01', '2026-12-31'), '15m', NOW)).toEqual({ begin: day('2026-11-01'), end: NOW });
  });

  test.each([
    ['without a first day', null, '2026-03-01'],
    ['without a last day', '2026-03-01', null],
    ['whose last day is before the first', '2026-03-02', '2026-03-01'],
    ['in the future', '2026-11-27', '2026-11-28'],
    ['in a year that is being typed', '0002-03-01', '2026-03-02'],
  ])('%s has no times', (_, first, last) => {
    expect(timeRangeOf(dates(first, last), '15m', NOW)).toBeNull();
  });

  test('begins with the first candle that opens inside of it', () => {
    // Weeks begin on Mondays.
    const times = timeRangeOf(dates('2026-03-04', '2026-03-31'), '1w', NOW);
    expect(times?.begin).toBe(Date.UTC(2026, 2, 9));
    expect(timeRangeOf(dates('2026-03-04', '2026-03-08'), '1w', NOW)).toBeNull();
  });

  test('plans only the candles of that time and of its warm-up', () => {
    const times = timeRangeOf(dates('2026-03-01', '2026-03-31'), '15m', NOW);
    const plan = times && backtestPlan(setup({ period: '15m', min_periods: 100 }), times);
    expect(plan).toMatchObject({ begin: day('2026-03-01'), to: day('2026-04-01') });
    expect(plan?.from).toBe(day('2026-03-01') - 100 * 900_000);
  });
});
