import { checkSetup, type Setup } from '@heron/engine/options/setup.ts';
import { describe, expect, test } from 'vitest';
import { BACKTEST_DAYS, backtestPlan } from './backtestPlan.ts';

const DAY = 86_400_000;
/** A Wednesday, 10:20:30 UTC. */
const NOW = Date.UTC(2026, 10, 25, 10, 20, 30);

function setup(options: Record<string, unknown>, params: Record<string, unknown> = {}): Setup {
  const checked = checkSetup({ options: { strategy: 'ema_cross', ...options }, params });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked;
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `C${i}-USDT`).join(',');

describe('a backtest of the last days', () => {
  test('covers closed minutes, after the warm-up candles of the strategy', () => {
    const plan = backtestPlan(setup({ period: '15m', min_periods: 100, watch_pairs: 'BTC-USDT,ETH-USDT' }), 7, NOW);
    expect(plan).toMatchObject({ pairs: ['BTC-USDT', 'ETH-USDT'], period: '1m', to: Date.UTC(2026, 10, 25, 10, 20) });
    expect(plan?.begin).toBe(Date.UTC(2026, 10, 18, 10, 15));
    expect(plan?.from).toBe((plan?.begin ?? 0) - 100 * 900_000);
    expect(plan?.candles).toBe((2 * ((plan?.to ?? 0) - (plan?.from ?? 0))) / 60_000);
  });

  test('uses longer candles for long spans, but never longer ones than the strategy', () => {
    const lengths = (period: string, pairs: number) =>
      BACKTEST_DAYS.map(
        (days) => backtestPlan(setup({ period, watch_pairs: names(pairs) }), Number(days), NOW)?.period ?? null,
      );
    expect(lengths('1h', 2)).toEqual(['1m', '1m', '5m', '5m']);
    expect(lengths('1h', 10)).toEqual(['1m', '5m', '15m', '15m']);
    expect(lengths('3m', 10)).toEqual(['1m', '1m', null, null]);
    expect(lengths('1w', 1).every((length) => length !== null)).toBe(true);
  });

  test('of too many minutes and pairs is rejected', () => {
    expect(backtestPlan(setup({ period: '1m', watch_pairs: names(10) }), 180, NOW)).toBeNull();
  });

  test('watches the same number of pairs as the bot, in its currency', () => {
    const options = { watch_pairs: 'A-USDT,B-USDC,C-USDT,D-USDT', max_watch_size: 2 };
    expect(backtestPlan(setup(options), 7, NOW)?.pairs).toEqual(['A-USDT', 'C-USDT']);
  });

  test('of weeks begins on a Monday', () => {
    const plan = backtestPlan(setup({ period: '1w' }), 30, NOW);
    expect(new Date(plan?.begin ?? 0).getUTCDay()).toBe(1);
    expect(((plan?.begin ?? 0) - (plan?.from ?? 0)) % (7 * DAY)).toBe(0);
  });
});
