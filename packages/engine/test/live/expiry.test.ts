import { expect, test } from 'vitest';
import { LiveHarness } from './liveHarness.ts';

test('the reason why the exchange expired an order is in the journal once, if given', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
  harness.settle();
  const expired = (expiry?: 'price_range') => {
    harness.buy(100);
    const [request] = harness.outgoing.splice(0);
    if (request?.type !== 'place') throw new Error('no order');
    const { clientOrderId, pair, side, type, price, quantity, decidedAt: at } = request.order;
    const order = { clientOrderId, pair, side, type, price, quantity, at, filled: 0 };
    const report = { ...order, status: 'expired' as const, ...(expiry !== undefined && { expiry }) };
    harness.feed({ type: 'order_report', at, report });
    harness.feed({ type: 'order_report', at, report });
    return clientOrderId;
  };
  const expiries = () => harness.journal.filter(({ data }) => data.what === 'order_expired').map(({ data }) => data);
  expired();
  expect(expiries()).toEqual([]);
  const clientOrderId = expired('price_range');
  expect(expiries()).toEqual([{ what: 'order_expired', clientOrderId, why: 'price_range' }]);
});
