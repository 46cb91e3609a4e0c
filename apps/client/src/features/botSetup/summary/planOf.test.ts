import { marketOf } from '@heron/engine/market/market.ts';
import { expect, test } from 'vitest';
import { emptySetup, withEdit } from '../../../entities/bot/setup/setupDraft.ts';
import { equalAmount, equalEdit, linesOf, planOf, rangeOf } from './planOf.ts';

const known = (pair: string, last: string) => ({
  market: marketOf({
    pair,
    tickSize: 0.01,
    stepSize: 0.00001,
    minQuantity: 0.00001,
    maxQuantity: 9_000,
    minNotional: 5,
  }),
  last,
});
const MARKETS = [known('BTC-USDT', '100000'), known('ETH-USDT', '3000')];
const NOW = Date.UTC(2026, 10, 27);

const draft = withEdit(withEdit(emptySetup(), { texts: { strategy: 'grid' } }), {
  texts: { buy_pct: '50', currency_capital: '10000' },
  params: { levels: '4', range_pct: '10' },
  pairs: ['BTC-USDT', 'ETH-USDT'],
});

test('the second pair gets its share of what is left, and one edit makes the amounts equal', () => {
  const plans = planOf(draft, null, MARKETS, NOW);
  expect(plans.map(({ pair, budget }) => [pair, Math.round(Number(budget))])).toEqual([
    ['BTC-USDT', 4995],
    ['ETH-USDT', 2528],
  ]);
  const equal = equalAmount(plans);
  expect(equal).toBe(3761);
  const after = planOf(withEdit(draft, equalEdit(draft, equal as number)), null, MARKETS, NOW);
  expect(after.map(({ budget }) => budget)).toEqual(['3761', '3761']);
  expect(equalAmount(after)).toBeNull();
});

test('a live bot has the capital of its share, and an invalid draft no preview', () => {
  const [plan] = planOf(draft, 1_000, MARKETS, NOW);
  expect(Math.round(Number(plan?.budget))).toBe(500);
  expect(planOf(withEdit(draft, { params: { levels: '' } }), null, MARKETS, NOW)).toEqual([]);
});

test('lines are the entries below, and the exits of what is bought at once', () => {
  const [plan] = planOf(draft, null, MARKETS, NOW);
  const lines = plan ? linesOf(plan) : [];
  expect(lines).toHaveLength(4);
  expect(new Set(lines.map(({ side }) => side))).toEqual(new Set(['buy', 'sell']));
  for (const { side, price } of lines)
    expect(side === 'buy' ? Number(price) < 100_000 : Number(price) > 100_000).toBe(true);
});

test('the offered range is that of the newest days', () => {
  const candles = { low: [1, 5, 4], high: [99, 8, 9] };
  expect(rangeOf(candles, 2)).toEqual({ lower: 4, upper: 9 });
  expect(rangeOf({ low: [], high: [] }, 2)).toBeNull();
});
