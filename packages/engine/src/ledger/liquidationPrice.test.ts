import { describe, expect, test } from 'vitest';
import { type Market, marketOf } from '../market/market.ts';
import { formatUnits, SCALE, toUnits } from '../money/units.ts';
import { bracketsOf, FALLBACK_BRACKETS } from './brackets.ts';
import { bookFunding } from './funding.ts';
import { bookFuturesFill } from './futures.ts';
import { emptyHolding, type Holding } from './holding.ts';
import {
  bankruptcyPrice,
  crossBalance,
  guardPrice,
  hedgeLiquidationPrice,
  isolatedLiquidationPrice,
  liquidationPrice,
} from './liquidationPrice.ts';
import { openWallet } from './wallet.ts';

const market: Market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1000,
  minNotional: 100,
});

function held(side: 'buy' | 'sell', quantity: number, leverage: number, isolated = true): Holding {
  const holding = { ...emptyHolding(), leverage, isolated };
  const size = toUnits(quantity, market.assetDecimals);
  const fill = { side, price: toUnits(60_000), quantity: size, fee: 0, feeAsset: 'USDT' };
  bookFuturesFill(openWallet(toUnits(1_000_000)), holding, market, fill);
  return holding;
}

const isolatedPrice = (holding: Holding) => (isolatedLiquidationPrice(market, holding, FALLBACK_BRACKETS) ?? 0) / SCALE;

describe('liquidation price', () => {
  test.each([
    [5, 48_192.77, 19.68, 71_713.15],
    [10, 54_216.87, 9.64, 65_737.05],
    [20, 57_228.92, 4.62, 62_749.0],
    [25, 57_831.33, 3.61, 62_151.39],
    [50, 59_036.14, 1.61, 60_956.18],
    [125, 59_759.04, 0.4, 60_239.04],
  ])('reproduces the table of docs/margin.md#liquidation-price at %i×', (leverage, long, distance, short) => {
    const price = isolatedPrice(held('buy', 0.1, leverage));
    expect(price).toBeCloseTo(long, 2);
    expect((100 * (60_000 - price)) / 60_000).toBeCloseTo(distance, 2);
    expect(isolatedPrice(held('sell', 0.1, leverage))).toBeCloseTo(short, 2);
  });

  test('reproduces 5 BTC at 20× of docs/margin.md#liquidation-price, in the third level', () => {
    expect(isolatedPrice(held('buy', 5, 20))).toBeCloseTo(57_313.13, 2);
  });

  test('rounds towards the entry, so that a mark found liquid is liquid', () => {
    // 54,216.867469879…
    expect(isolatedLiquidationPrice(market, held('buy', 0.1, 10), FALLBACK_BRACKETS)).toBe(5_421_686_746_988);
    // 65,737.051792828…
    expect(isolatedLiquidationPrice(market, held('sell', 0.1, 10), FALLBACK_BRACKETS)).toBe(6_573_705_179_282);
  });

  test('is found in the bracket in which it lies, not in that of the entry', () => {
    const holding = held('sell', 4.1, 10);
    // The entry is in the bracket up to 250,000, the liquidation in the next one.
    expect(isolatedPrice(holding)).toBeCloseTo((24_600 + 1_300 + 246_000) / (4.1 * 1.01), 5);
  });

  test('does not exist if collateral covers a price of zero, or a short at any price', () => {
    expect(liquidationPrice(market, held('buy', 0.1, 10, false), FALLBACK_BRACKETS, toUnits(6_000))).toBeNull();
    expect(liquidationPrice(market, held('sell', 0.001, 10, false), FALLBACK_BRACKETS, toUnits(8e7))).toBeNull();
    expect(isolatedLiquidationPrice(market, emptyHolding(), FALLBACK_BRACKETS)).toBeNull();
  });

  test('is found where the bracket of the entry alone would leave none', () => {
    const steep = bracketsOf([
      [1_000, 1, 50],
      [1_000_000, 50, 1],
    ]);
    // In the 50 % bracket `cum` is 490, which together with 5,700 exceeds the cost of 0.1 BTC; below 1,000 `cum` is 0.
    const price = liquidationPrice(market, held('buy', 0.1, 1, false), steep, toUnits(5_700));
    expect((price ?? 0) / SCALE).toBeCloseTo(300 / (0.1 * 0.99), 5);
  });

  test('includes the other cross positions of the account, and excludes isolated margins', () => {
    const wallet = openWallet(toUnits(10_000));
    const other = { market, holding: held('sell', 0.1, 10, false), mark: toUnits(59_000), brackets: FALLBACK_BRACKETS };
    const apart = { market, holding: held('buy', 0.1, 10), mark: toUnits(50_000), brackets: FALLBACK_BRACKETS };
    // 10,000 − 600 + 0.1·1,000 − 5,900·0.4 %
    expect(formatUnits(crossBalance(wallet, [other, apart]))).toBe('9476.4');
  });

  test('as in docs/exits.md#liquidation-guard 25× closes at 58,265.06, before a 5 % stop', () => {
    const long = held('buy', 0.1, 25);
    const liquidation = isolatedLiquidationPrice(market, long, FALLBACK_BRACKETS) ?? 0;
    expect(guardPrice(1, long.entryPrice, liquidation) / SCALE).toBeCloseTo(58_265.06, 2);
    const short = held('sell', 0.1, 25);
    const above = isolatedLiquidationPrice(market, short, FALLBACK_BRACKETS) ?? 0;
    expect(guardPrice(-1, short.entryPrice, above) / SCALE).toBeCloseTo(60_000 + 0.8 * 2_151.394, 2);
  });

  test('moves with the funding of an isolated position, as the bankruptcy price does', () => {
    const holding = held('buy', 0.1, 10);
    expect(formatUnits(bankruptcyPrice(market, holding))).toBe('54000');
    bookFunding(openWallet(toUnits(1_000)), holding, market, toUnits(60_000), 1_000_000);
    expect(formatUnits(holding.margin)).toBe('540');
    expect(formatUnits(bankruptcyPrice(market, holding))).toBe('54600');
    expect(isolatedPrice(holding)).toBeCloseTo((6_000 - 540) / (0.1 * 0.996), 5);
  });

  test('is one for both sides of a pair in a hedge account', () => {
    const [long, short] = [held('buy', 0.3, 10, false), held('sell', 0.1, 10, false)];
    const balance = toUnits(3_000);
    const price = hedgeLiquidationPrice(market, long, short, FALLBACK_BRACKETS, balance) ?? 0;
    expect(price / SCALE).toBeCloseTo((3_000 - 18_000 + 6_000) / (0.3 * 0.004 + 0.1 * 0.004 - 0.2), 5);

    const only = hedgeLiquidationPrice(market, long, emptyHolding(), FALLBACK_BRACKETS, balance);
    expect(only).toBe(liquidationPrice(market, long, FALLBACK_BRACKETS, balance));
    const shortOnly = hedgeLiquidationPrice(market, emptyHolding(), short, FALLBACK_BRACKETS, balance);
    expect(shortOnly).toBe(liquidationPrice(market, short, FALLBACK_BRACKETS, balance));
  });
});
