import { describe, expect, test } from 'vitest';
import { type Market, marketOf } from '../market/market.ts';
import { formatUnits, toUnits } from '../money/units.ts';
import { ReducedBeyondHolding } from './fill.ts';
import { bookFunding } from './funding.ts';
import { bookFuturesFill } from './futures.ts';
import { closeEntryCount, emptyHolding, unrealised } from './holding.ts';
import { setLeverage } from './leverage.ts';
import { marginOf } from './marginOf.ts';
import { openWallet } from './wallet.ts';

const FILTERS = {
  pair: 'BTC-USDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1000,
  minNotional: 5,
};
const market: Market = marketOf(FILTERS);
const asset = (value: number) => toUnits(value, market.assetDecimals);
const fill = (side: 'buy' | 'sell', price: number, quantity: number, fee = 0) =>
  ({ side, price: toUnits(price), quantity: asset(quantity), fee: toUnits(fee), feeAsset: 'USDT' }) as const;

describe('futures ledger', () => {
  test('weights the entry price of a second entry by what is held', () => {
    const money = openWallet(toUnits(10_000));
    const held = { ...emptyHolding(), leverage: 10, isolated: true };
    bookFuturesFill(money, held, market, fill('sell', 60_000, 0.2));
    bookFuturesFill(money, held, market, fill('buy', 59_000, 0.1));
    bookFuturesFill(money, held, market, fill('sell', 61_000, 0.3));
    // (60,000·0.1 + 61,000·0.3)/0.4
    expect(formatUnits(held.entryPrice)).toBe('60750');
    expect(formatUnits(held.margin)).toBe('2430');
    expect(formatUnits(held.realised)).toBe('100');
    expect(formatUnits(unrealised(market, held, toUnits(60_000)))).toBe('300');
    expect(held.side).toBe(-1);
  });

  test('is flat with nothing left over, and begins again on the other side', () => {
    const money = openWallet(toUnits(10_000));
    const held = { ...emptyHolding(), leverage: 5 };
    bookFuturesFill(money, held, market, fill('sell', 60_000, 0.3, 18));
    bookFuturesFill(money, held, market, fill('buy', 60_000, 0.3, 18));
    closeEntryCount(held);
    expect(held).toEqual({
      ...emptyHolding(),
      leverage: 5,
      realised: toUnits(-36),
      fees: toUnits(36),
    });
    expect(formatUnits(money.quote)).toBe('9964');
    bookFuturesFill(money, held, market, fill('buy', 50_000, 0.1));
    expect([held.side, formatUnits(held.entryPrice)]).toEqual([1, '50000']);
  });

  test('refuses to reduce by more than is held, and changes nothing', () => {
    const money = openWallet(toUnits(10_000));
    const held = emptyHolding();
    bookFuturesFill(money, held, market, fill('buy', 60_000, 0.1));
    const before = JSON.stringify([money, held]);
    expect(() => bookFuturesFill(money, held, market, fill('sell', 60_000, 0.2))).toThrow(ReducedBeyondHolding);
    expect(JSON.stringify([money, held])).toBe(before);
  });

  test('books a fee in a third asset in the result and in that wallet, not in quote', () => {
    const money = openWallet(toUnits(10_000));
    const held = emptyHolding();
    bookFuturesFill(money, held, market, {
      ...fill('buy', 60_000, 0.1),
      fee: toUnits(0.01),
      feeAsset: 'BNB',
      thirdFeeValue: toUnits(6),
    });
    expect(formatUnits(money.quote)).toBe('10000');
    expect(formatUnits(held.realised)).toBe('-6');
    expect([money.third.BNB, money.thirdFees]).toEqual([toUnits(-0.01), toUnits(6)]);
  });

  test('rounds half a unit to the mirrored result of a mirrored path', () => {
    const fine = marketOf({ ...FILTERS, pair: 'PEPE-USDT', tickSize: 1e-8, stepSize: 1, minQuantity: 1 });
    const results = [1, -1].map((direction) => {
      const money = openWallet(0);
      const held = emptyHolding();
      const book = (entry: boolean, price: number) =>
        bookFuturesFill(money, held, fine, {
          side: entry === (direction === 1) ? 'buy' : 'sell',
          price: 1_000 + direction * price,
          quantity: fine.step,
          fee: 0,
          feeAsset: 'USDT',
        });
      // The total cost is 2,000 ± 3 units: half of it lies between two units.
      book(true, 1);
      book(true, 2);
      return [book(false, 10).realised, book(false, 20).realised];
    });
    expect(results[0]).toEqual(results[1]);
  });

  test('reduces margin by its share, as left by funding and a new leverage', () => {
    const money = openWallet(toUnits(10_000));
    const held = { ...emptyHolding(), leverage: 10, isolated: true };
    bookFuturesFill(money, held, market, fill('buy', 60_000, 0.4));
    bookFunding(money, held, market, toUnits(60_000), 1_000_000);
    expect(formatUnits(held.margin)).toBe('2160');
    bookFuturesFill(money, held, market, fill('sell', 60_000, 0.1));
    expect(formatUnits(held.margin)).toBe('1620');
    setLeverage(held, 20, true);
    expect(formatUnits(held.margin)).toBe('900');
    bookFuturesFill(money, held, market, fill('sell', 60_000, 0.1));
    expect(formatUnits(held.margin)).toBe('600');
    expect(formatUnits(held.cost)).toBe('12000');
  });

  test('reserves a margin that is rounded up', () => {
    expect([marginOf(20, 10), marginOf(21, 10), marginOf(29, 10)]).toEqual([2, 3, 3]);
  });
});
