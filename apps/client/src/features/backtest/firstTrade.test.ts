import { candleColumns } from '@heron/engine/market/candle.ts';
import { checkSetup, type Setup } from '@heron/engine/options/setup.ts';
import { expect, test } from 'vitest';
import { backtestPlan, timeRangeOf } from './backtestPlan.ts';
import { firstTrade } from './firstTrade.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const NOW = Date.UTC(2026, 10, 25, 10, 20, 30);
const setup = checked({ strategy: 'ema_cross', period: '1h', min_periods: 100, watch_pairs: 'A-USDT' });
const times = timeRangeOf({ kind: 'days', days: '7' }, '1h', NOW);
const plan = (times && backtestPlan(setup, times)) ?? { from: 0, begin: 0, to: 0 };

function checked(options: Record<string, unknown>): Setup {
  const found = checkSetup({ options, params: {} });
  if (!found.ok) throw new Error(JSON.stringify(found.faults));
  return found;
}

/** Returns one candle per minute from `from` on, without those that `isOut` excludes. */
function minutes(from: number, isOut: (time: number) => boolean = () => false) {
  const times: number[] = [];
  for (let time = from; time < plan.to; time += MINUTE) if (!isOut(time)) times.push(time);
  const candles = candleColumns(times.length);
  candles.time.set(times);
  return { candles, candleMs: MINUTE };
}

test('a pair with all candles trades from the planned start', () => {
  expect(firstTrade(minutes(plan.from), setup, plan)).toBe(plan.begin);
});

test('a pair whose candles begin inside the warm-up trades after its own warm-up', () => {
  expect(firstTrade(minutes(plan.from + 30 * HOUR), setup, plan)).toBe(plan.begin + 30 * HOUR);
  // An incomplete hour at the start does not count.
  expect(firstTrade(minutes(plan.from + 30 * HOUR + MINUTE), setup, plan)).toBe(plan.begin + 31 * HOUR);
});

test('hours without a candle do not count for the warm-up', () => {
  const isOut = (time: number) => time >= plan.from + 10 * HOUR && time < plan.from + 15 * HOUR;
  expect(firstTrade(minutes(plan.from, isOut), setup, plan)).toBe(plan.begin + 5 * HOUR);
});

test('a pair without enough candles never trades', () => {
  expect(firstTrade(minutes(plan.to - 50 * HOUR), setup, plan)).toBeNull();
  expect(firstTrade(minutes(plan.to), setup, plan)).toBeNull();
});
