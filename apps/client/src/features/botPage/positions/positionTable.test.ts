import type { ClosedPositions } from '@heron/contract/bots/entities.ts';
import { describe, expect, test } from 'vitest';
import {
  ANY_POSITION,
  choicesOf,
  createPositionTable,
  orderOf,
  type PositionSort,
  rowsOf,
  sumOfRows,
} from './positionTable.ts';

const COLUMNS: ClosedPositions = {
  id: [4, 3, 2, 1],
  pair: ['ETH-USDT', 'BTC-USDT', 'BTC-USDT', 'ETH-USDT'],
  direction: ['long', 'short', 'long', 'long'],
  openedAt: [35, 20, 10, 0],
  closedAt: [40, 30, 20, 10],
  entryPrice: ['100', '60000', '50000', '90'],
  exitPrice: ['110', '61000', '50000', null],
  quantity: ['2', '0.1', '0.2', '0.001'],
  net: ['19.8', '-112.1', '0', '-0.00000001'],
  fees: ['0.2', '12.1', '0', '0.00000001'],
  funding: ['0', '-0.1', '0', '0'],
  reason: ['profit_win', 'stop_sell', 'signal', null],
};
const table = createPositionTable(COLUMNS);
const LABELS: Record<string, string> = { profit_win: 'Take-profit', stop_sell: 'Stop-loss', signal: 'Signal' };
const labelOf = (value: string) => LABELS[value] ?? value;
const NEWEST: PositionSort = { by: 'closedAt', descending: true };

const ids = (filter = {}, sort = NEWEST) =>
  [...rowsOf(table, orderOf(table, sort, labelOf), { ...ANY_POSITION, ...filter })].map((row) => COLUMNS.id[row]);

describe('closed positions', () => {
  test('are sorted by any column in both directions, missing values as the lowest', () => {
    expect(ids()).toEqual([4, 3, 2, 1]);
    expect(ids({}, { by: 'net', descending: true })).toEqual([4, 2, 1, 3]);
    expect(ids({}, { by: 'net', descending: false })).toEqual([3, 1, 2, 4]);
    expect(ids({}, { by: 'exitPrice', descending: false })).toEqual([1, 4, 2, 3]);
    expect(ids({}, { by: 'percent', descending: true })).toEqual([4, 2, 1, 3]);
    // The same pairs keep the order of their ends.
    expect(ids({}, { by: 'pair', descending: false })).toEqual([3, 2, 4, 1]);
    expect(ids({}, { by: 'pair', descending: true })).toEqual([4, 1, 3, 2]);
    expect(ids({}, { by: 'reason', descending: false })).toEqual([1, 2, 3, 4]);
    expect(ids({}, { by: 'duration', descending: true })).toEqual([3, 2, 1, 4]);
  });

  test('are filtered by pair, direction, result, reason and time of the end', () => {
    expect(ids({ pair: 'BTC-USDT' })).toEqual([3, 2]);
    expect(ids({ direction: 'short' })).toEqual([3]);
    expect(ids({ result: 'won' })).toEqual([4]);
    expect(ids({ result: 'lost' })).toEqual([3, 1]);
    expect(ids({ reason: 'signal' })).toEqual([2]);
    expect(ids({ from: 20, to: 40 })).toEqual([3, 2]);
    expect(ids({ pair: 'ETH-USDT', result: 'lost', from: 11 })).toEqual([]);
  });

  test('are counted and added up exactly', () => {
    const rows = orderOf(table, NEWEST, labelOf);
    expect(sumOfRows(table, rows)).toEqual({ count: 4, won: 1, lost: 2, net: '-92.30000001' });
    const many = createPositionTable({ ...COLUMNS, net: COLUMNS.net.map(() => '80000000.00000001') });
    expect(sumOfRows(many, rows).net).toBe('320000000.00000004');
  });

  test('offer the pairs and reasons that occur', () => {
    expect(choicesOf(COLUMNS.pair, (pair) => pair)).toEqual(['BTC-USDT', 'ETH-USDT']);
    expect(choicesOf(COLUMNS.reason, labelOf)).toEqual(['signal', 'stop_sell', 'profit_win']);
  });
});
