import { notional } from '@heron/engine/market/market.ts';
import { percentRatio } from '@heron/engine/money/units.ts';
import { entrySize } from '@heron/engine/sizing/entrySize.ts';
import { makerPrice } from '@heron/engine/state/quotePrices.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { market as anyMarket, feePercent } from '../../arbitraries.ts';
import { RUNS } from '../runs.ts';

describe('prices and sizes', () => {
  test('I-38: a higher markdown never raises a long entry limit or lowers a short one', () => {
    const book = fc.record({
      market: anyMarket,
      bid: fc.integer({ min: 20, max: 10_000_000 }),
      spread: fc.integer({ min: 1, max: 500 }),
      empty: fc.boolean(),
      markdown: fc.integer({ min: -20, max: 20 }),
      more: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(book, ({ market, bid, spread, empty, markdown, more }) => {
        const at = bid * market.tick;
        const sides = empty ? { bid: 0, ask: 0 } : { bid: at, ask: at + spread * market.tick };
        const quote = { at: 0, ...sides, bidSize: 0, askSize: 0, last: at };
        const [less, greater] = [markdown, Math.min(20, markdown + more)].map((tenths) => percentRatio(tenths / 10));
        const prices = (['buy', 'sell'] as const).map((side) =>
          [less, greater].map((ratio) => makerPrice(market, side, quote, ratio as number)),
        );
        const [[long, longer], [short, shorter]] = prices as [[number, number], [number, number]];
        expect(longer).toBeLessThanOrEqual(long);
        expect(shorter).toBeGreaterThanOrEqual(short);
        if (empty) return;
        expect(long).toBeLessThan(quote.ask);
        expect(short).toBeGreaterThan(quote.bid);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-40: below its maximum a size grows with cash and percent, shrinks with the fee', () => {
    const sizing = fc.record({
      market: anyMarket,
      available: fc.integer({ min: 0, max: 1e14 }),
      percent: fc.integer({ min: 0, max: 100 }),
      price: fc.integer({ min: 1, max: 1e7 }),
      fee: feePercent,
      leverage: fc.constantFrom(1, 2, 10, 25, 125),
      least: fc.constantFrom(0, 10, 100),
      most: fc.constantFrom(0, 100, 500, 10_000),
    });
    fc.assert(
      fc.property(sizing, fc.nat(1e12), fc.nat(100), feePercent, (given, moreCash, morePercent, moreFee) => {
        const sizeOf = ({ market, available, percent, price, fee, leverage, least, most }: typeof given) => {
          const limits = { min: least * 1e8, max: most * 1e8 };
          const rates = { share: percentRatio(percent), fee: percentRatio(fee), leverage };
          const size = entrySize(market, price * market.tick, { available, ...rates, ...limits });
          return size.ok ? size.quantity : 0;
        };
        const size = sizeOf(given);
        expect(sizeOf({ ...given, available: given.available + moreCash })).toBeGreaterThanOrEqual(size);
        expect(sizeOf({ ...given, percent: Math.min(100, given.percent + morePercent) })).toBeGreaterThanOrEqual(size);
        expect(sizeOf({ ...given, fee: given.fee + moreFee })).toBeLessThanOrEqual(size);
        if (given.most > 0) {
          expect(notional(given.market, given.price * given.market.tick, size)).toBeLessThanOrEqual(given.most * 1e8);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
