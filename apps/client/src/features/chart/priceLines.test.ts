import type { PairView } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { priceLines } from './priceLines.ts';

type Position = NonNullable<PairView['position']>;

const position = {
  entryPrice: '100',
  liquidationPrice: '80.5',
  levels: [
    { kind: 'guard', price: '84.4', row: null, sells: 100 },
    { kind: 'stop', price: '95', row: 1, sells: 100 },
    { kind: 'arm', price: '105', row: null, sells: 0 },
  ],
  stop: null,
} as unknown as Position;
const order = (clientOrderId: string, side: 'buy' | 'sell', price: string | null) =>
  ({ clientOrderId, side, price }) as PairView['orders'][number];
const kinds = (lines: ReturnType<typeof priceLines>) => lines.map(({ kind, price }) => [kind, price]);

test('a position has lines at its entry, its exits and its liquidation price', () => {
  const lines = priceLines({ position, ladder: null, orders: [] });
  expect(kinds(lines)).toEqual([
    ['entry', '100'],
    ['guard', '84.4'],
    ['stop', '95'],
    ['arm', '105'],
    ['liquidation', '80.5'],
  ]);
  expect(lines.map(({ sells }) => sells)).toEqual([null, 100, 100, null, null]);
});

test('the protective stop has its own line only where there is no exit level', () => {
  const at = (price: string, resting = true) =>
    kinds(priceLines({ position: { ...position, stop: { ...STOP, price, resting } }, ladder: null, orders: [] }));
  expect(at('94.9')).toContainEqual(['exchangeStop', '94.9']);
  expect(at('95').filter(([kind]) => kind === 'exchangeStop')).toEqual([]);
  expect(at('94.9', false).filter(([kind]) => kind === 'exchangeStop')).toEqual([]);
});

const STOP = { quantity: '1', of: null, gap: null };

test('limit orders have lines, market orders none, and a grid has lines at its limits', () => {
  const orders = [order('a', 'buy', '99'), order('b', 'sell', null)];
  const grid = { kind: 'grid', lower: '90', upper: '110' } as unknown as PairView['ladder'];
  expect(kinds(priceLines({ position: null, ladder: grid, orders }))).toEqual([
    ['gridLow', '90'],
    ['gridHigh', '110'],
    ['buy', '99'],
  ]);
});

test('price exits have lines of their own, which alone can be moved; a waiting stop entry has one at its price', () => {
  const own = {
    ...position,
    levels: [...position.levels, { kind: 'stop', price: '93', row: null, exit: 3, sells: 50 }],
  };
  const waiting = { ...order('c', 'buy', null), trigger: '120' };
  const lines = priceLines({ position: own as unknown as Position, ladder: null, orders: [waiting] });
  expect(lines.filter(({ exit }) => exit !== undefined)).toEqual([
    { id: 'stop exit 3', kind: 'stop', price: '93', sells: 50, exit: 3 },
  ]);
  expect(kinds(lines)).toContainEqual(['buy', '120']);
});
