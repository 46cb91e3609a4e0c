import type { OwnFill } from '@heron/engine/live/report.ts';
import { expect, test } from 'vitest';
import { openOrderNames, orderKey } from '../venue/orderIds.ts';
import { binanceTrades } from './ownTrades.ts';

test('a trade of an order that is not listed fails no snapshot and gets its id later', async () => {
  const names = openOrderNames();
  const listed = [{ orderId: '7', clientOrderId: 'abc123-1-1' }];
  const lists = {
    ...{ spanMs: 86_400_000, names },
    remember: (row: Readonly<Record<string, unknown>>) =>
      names.set(orderKey('BTCUSDT', row.orderId), String(row.clientOrderId)),
    trades: async () => [
      { id: '1', symbol: 'BTCUSDT', orderId: '3' },
      { id: '2', symbol: 'BTCUSDT', orderId: '7' },
      { id: '3', symbol: 'BTCUSDT', orderId: '9' },
    ],
    orders: async ({ orderId }: { orderId: string }) => listed.filter((row) => Number(row.orderId) >= Number(orderId)),
  };
  const named = () =>
    binanceTrades(lists, { at: 0, id: '1' }, 1_000, (row, clientOrderId) => ({ id: row.id, clientOrderId }) as OwnFill);
  const received = async () => (await named()).map(({ clientOrderId }) => clientOrderId);
  expect(await received()).toEqual(['', 'abc123-1-1', '']);
  listed.push({ orderId: '9', clientOrderId: 'abc123-2-1' });
  expect(await received()).toEqual(['', 'abc123-1-1', 'abc123-2-1']);
});
