import { expect, test } from 'vitest';
import { Line } from './line.ts';

test('why the exchange has expired an order is in the journal, once, and nothing where it gives no reason', () => {
  const line = new Line({ maker: false, share: null, stop: 'market' });
  line.settle();
  const expired = (expiry?: 'price_range') => {
    line.buy(100);
    const [request] = line.outgoing.splice(0);
    if (request?.type !== 'place') throw new Error('no order');
    const { clientOrderId, pair, side, type, price, quantity, decidedAt: at } = request.ticket;
    const order = { clientOrderId, pair, side, type, price, quantity, at, filled: 0 };
    const report = { ...order, status: 'expired' as const, ...(expiry !== undefined && { expiry }) };
    line.feed({ type: 'reported', at, report });
    line.feed({ type: 'reported', at, report });
    return clientOrderId;
  };
  const told = () => line.journal.filter(({ data }) => data.what === 'order_expired').map(({ data }) => data);
  expired();
  expect(told()).toEqual([]);
  const clientOrderId = expired('price_range');
  expect(told()).toEqual([{ what: 'order_expired', clientOrderId, why: 'price_range' }]);
});
