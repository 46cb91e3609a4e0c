import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { market as anyMarket, feePercent } from '../../test/arbitraries.ts';
import { percentRatio } from '../money/units.ts';
import { addMarket, arrive, createPaperExchange, feeOf, paperQuote, paperTrade, sendOrder } from './paperExchange.ts';

describe('a simulated exchange', () => {
  test('charges the same fee for the parts of an order as for the whole', () => {
    const arbitrary = fc.record({
      market: anyMarket,
      price: fc.integer({ min: 2, max: 1e7 }),
      parts: fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 8 }),
      fee: feePercent,
      side: fc.constantFrom('buy' as const, 'sell' as const),
      future: fc.boolean(),
    });
    fc.assert(
      fc.property(arbitrary, ({ market, price, parts, fee, side, future }) => {
        const exchange = createPaperExchange();
        const rate = percentRatio(fee);
        const rules = { future, takerFee: rate, makerFee: rate, slippage: 0, scanMs: 3_000 };
        const at = price * market.tick;
        const quantity = parts.reduce((sum, part) => sum + part * market.step, 0);
        addMarket(exchange, market);
        // The order improves the best price of its side, so its queue is empty.
        const [bid, ask] = [at - market.tick, at + market.tick];
        paperQuote(exchange, rules, market.pair, { at: 0, bid, bidSize: 0, ask, askSize: 0, last: bid });
        sendOrder(
          exchange,
          { clientOrderId: 'a-1-1', pair: market.pair, side, order: 'limit_maker', price: at, quantity },
          0,
        );
        arrive(exchange, rules, 100);
        const fills = parts.flatMap((part) =>
          paperTrade(exchange, rules, { pair: market.pair, price: at, quantity: part * market.step, at: 200 }).filter(
            ({ type }) => type === 'filled',
          ),
        );
        const paid = fills.reduce((sum, fill) => sum + (fill.type === 'filled' ? fill.fee : 0), 0);
        expect(fills).toHaveLength(parts.length);
        expect(paid).toBe(feeOf(market, side === 'buy' && !future, at, quantity, rate));
        expect(exchange.orders).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
