import type { ClosedPositions } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { meets, withOlder } from './positionPages.ts';

const positions = (...ids: number[]): ClosedPositions => ({
  id: ids,
  pair: ids.map(() => 'BTC-USDT'),
  direction: ids.map(() => 'long'),
  openedAt: ids,
  closedAt: ids,
  entryPrice: ids.map(String),
  exitPrice: ids.map(() => null),
  quantity: ids.map(() => '1'),
  net: ids.map(() => '0'),
  fees: ids.map(() => '0'),
  funding: ids.map(() => '0'),
  reason: ids.map(() => null),
});

test('new positions are added to the known ones, and replace those that changed', () => {
  const known = positions(3, 2, 1);
  expect(meets(positions(5, 4), known)).toBe(false);
  const newest = { ...positions(5, 4, 3), net: ['1', '1', '1'] };
  expect(meets(newest, known)).toBe(true);
  expect(withOlder(newest, known)).toEqual({ ...positions(5, 4, 3, 2, 1), net: ['1', '1', '1', '0', '0'] });
  expect(meets(positions(), known)).toBe(false);
});
