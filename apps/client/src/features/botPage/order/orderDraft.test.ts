import { describe, expect, test } from 'vitest';
import {
  exitFaults,
  newOrderDraft,
  type OrderDraft,
  type OrderScope,
  orderFaults,
  writtenOrder,
} from './orderDraft.ts';

const BUY: OrderScope = { pair: 'BTC-USDT', side: 'buy', short: false, held: null };
const draft = (more: Partial<OrderDraft>): OrderDraft => ({
  ...newOrderDraft(2),
  amount: { text: '1,000', unit: 'quote', all: false },
  ...more,
});

describe('the order of a draft', () => {
  test('has only the fields of its kind', () => {
    const common = { pair: 'BTC-USDT', side: 'buy', short: false, value: '1000' };
    const price = '59,000.5';
    expect(writtenOrder(draft({ price }), BUY)).toEqual({ ...common, type: 'taker', slippagePercent: 2 });
    expect(writtenOrder(draft({ kind: 'maker', price }), BUY)).toEqual({ ...common, type: 'maker' });
    const limit = { ...common, type: 'limit', price: '59000.5' };
    expect(writtenOrder(draft({ kind: 'limit', price }), BUY)).toEqual(limit);
    expect(writtenOrder(draft({ kind: 'limit', price, postOnly: true }), BUY)).toEqual({ ...limit, type: 'post_only' });
    const stop = { ...limit, type: 'stop', slippagePercent: 2 };
    expect(writtenOrder(draft({ kind: 'stop', price, postOnly: true }), BUY)).toEqual(stop);
  });

  test('without its price is previewed as one at market, and is not sent', () => {
    const without = draft({ kind: 'limit', price: '0' });
    expect(writtenOrder(without, BUY)).toEqual({ pair: 'BTC-USDT', side: 'buy', short: false, type: 'taker' });
    expect(orderFaults(without, BUY, '60000')).toEqual([{ field: 'price', why: 'missing' }]);
  });

  test('has price exits only where it opens a position', () => {
    const given = draft({ protects: true, exits: { stopLoss: '58,000', takeProfit: '' } });
    expect(writtenOrder(given, BUY)).toMatchObject({ stopLoss: '58000' });
    expect(writtenOrder(given, { ...BUY, held: 'long' })).not.toHaveProperty('stopLoss');
    expect(writtenOrder({ ...given, protects: false }, BUY)).not.toHaveProperty('stopLoss');
  });

  test('of a sale has a share and no price', () => {
    const sale = writtenOrder(draft({ percent: '50', price: '1', protects: true }), {
      ...BUY,
      side: 'sell',
      held: 'long',
    });
    expect(sale).toEqual({
      pair: 'BTC-USDT',
      side: 'sell',
      short: false,
      type: 'taker',
      percent: 50,
      slippagePercent: 2,
    });
  });
});

describe('the faults of a draft', () => {
  test('name each field', () => {
    const wrong = draft({
      kind: 'stop',
      amount: { text: '', unit: 'quote', all: false },
      slippage: '99',
      protects: true,
    });
    expect(orderFaults(wrong, BUY, null).map(({ field }) => field)).toEqual([
      'slippage',
      'price',
      'amount',
      'stopLoss',
    ]);
  });

  test('compare price exits with the price of the order, else with the market', () => {
    const protects = { protects: true, exits: { stopLoss: '59500', takeProfit: '' } };
    expect(orderFaults(draft(protects), BUY, '60000')).toEqual([]);
    const limit = draft({ ...protects, kind: 'limit', price: '59000' });
    expect(orderFaults(limit, BUY, '60000')).toEqual([{ field: 'stopLoss', why: 'below', price: '59000' }]);
    // A limit above the market is filled at the market.
    const above = draft({
      protects: true,
      exits: { stopLoss: '60500', takeProfit: '' },
      kind: 'limit',
      price: '61000',
    });
    expect(orderFaults(above, BUY, '60000')).toEqual([{ field: 'stopLoss', why: 'below', price: '60000' }]);
  });

  test('of price exits depend on the direction', () => {
    const exits = { stopLoss: '61000', takeProfit: '58000' };
    expect(exitFaults(exits, 'short', '60000')).toEqual([]);
    expect(exitFaults(exits, 'long', '60000')).toEqual([
      { field: 'stopLoss', why: 'below', price: '60000' },
      { field: 'takeProfit', why: 'above', price: '60000' },
    ]);
    expect(exitFaults({ stopLoss: 'x', takeProfit: '70000' }, 'long', null)).toEqual([
      { field: 'stopLoss', why: 'malformed' },
    ]);
    expect(exitFaults({ stopLoss: '60000', takeProfit: '' }, 'long', '60000')).toHaveLength(1);
  });
});
