import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { totalsOf } from './totals.ts';

const bot = (id: string, mode: 'paper' | 'live', demo: boolean, totalCapital: string, currency = 'USDT') =>
  ({
    id,
    mode,
    venue: demo ? 'binance-demo' : 'binance',
    status: 'finished',
    performance: { currency, totalCapital, startCapital: '100' },
  }) as unknown as BotSummary;
const recent = (id: string, before: string) =>
  [id, { id, since: 0, before, at: [], profit: [] }] as [string, RecentProfit];

test('totals are per kind of money and currency, and real money comes first', () => {
  const bots = [
    bot('a', 'paper', true, '100.1'),
    bot('b', 'live', false, '90.00000001'),
    bot('c', 'live', true, '101'),
    bot('d', 'paper', true, '100.2'),
    bot('e', 'live', false, '80', 'USDC'),
    bot('f', 'live', false, '110'),
  ];
  const shown = totalsOf(bots, new Map([recent('a', '-0.1'), recent('f', '4.5')]));
  expect(
    shown.map(({ of, total, profit, today }) => [of.mode, of.venue, of.performance.currency, total, profit, today]),
  ).toEqual([
    ['live', 'binance', 'USDC', '80', '-20', '0'],
    ['live', 'binance', 'USDT', '200.00000001', '0.00000001', '5.5'],
    ['live', 'binance-demo', 'USDT', '101', '1', '0'],
    ['paper', 'binance-demo', 'USDT', '200.3', '0.3', '0.2'],
  ]);
  expect(shown[0]?.profitPercent).toBe(-20);
});

test('no profit of the day is shown while it is unknown', () => {
  expect(totalsOf([bot('a', 'paper', true, '100')], null)[0]?.today).toBeNull();
});

test('a working bot without profit data makes the profit of the day unknown', () => {
  const resting = bot('a', 'paper', true, '101');
  const begun = { ...bot('b', 'paper', true, '102'), status: 'working' as const };
  const know = new Map([recent('a', '0')]);
  expect(totalsOf([resting, begun], know)[0]?.today).toBeNull();
  expect(totalsOf([resting, begun], new Map([...know, recent('b', '0.5')]))[0]?.today).toBe('2.5');
});
