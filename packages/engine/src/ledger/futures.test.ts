import { describe, expect, it } from 'vitest';
import { type Market, marketOf } from '../market/market.ts';
import { formatUnits, toUnits } from '../money/units.ts';
import { ReducedBeyondHolding } from './fill.ts';
import { bookFuturesFill } from './futures.ts';
import { closeEntryCount, emptyHolding, unrealised } from './holding.ts';
import { openWallet } from './wallet.ts';

const market: Market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1000,
  minNotional: 5,
});
const asset = (value: number) => toUnits(value, market.assetDecimals);
const fill = (side: 'buy' | 'sell', price: number, quantity: number, fee = 0) =>
  ({ side, price: toUnits(price), quantity: asset(quantity), fee: toUnits(fee), feeAsset: 'USDT' }) as const;

describe('futures ledger', () => {
  it('weights the entry price of a second entry by what is held', () => {
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

  it('is flat with nothing left over, and begins again on the other side', () => {
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

  it('refuses to reduce by more than is held, and changes nothing', () => {
    const money = openWallet(toUnits(10_000));
    const held = emptyHolding();
    bookFuturesFill(money, held, market, fill('buy', 60_000, 0.1));
    const before = JSON.stringify([money, held]);
    expect(() => bookFuturesFill(money, held, market, fill('sell', 60_000, 0.2))).toThrow(ReducedBeyondHolding);
    expect(JSON.stringify([money, held])).toBe(before);
  });

  it('books a fee in a third asset in the result and in that wallet, not in quote', () => {
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
});
