import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { market as anyMarket, MARKETS } from '../../test/arbitraries.ts';
import { type Market, marketOf, notional } from '../market/market.ts';
import { formatUnits, mulDiv, type Price, SCALE, toUnits } from '../money/units.ts';
import { type LedgerFill, ReducedBeyondHolding } from './fill.ts';
import { emptyHolding, type Holding, unrealised } from './holding.ts';
import { bookSpotFill } from './spot.ts';
import { openWallet, type Wallet } from './wallet.ts';

describe('spot ledger', () => {
  test('reproduces the worked example of docs/accounting.md#example-spot', () => {
    const market = marketOf({
      pair: 'BTC-USDT',
      tickSize: 0.01,
      stepSize: 0.0001,
      minQuantity: 0.0001,
      maxQuantity: 9000,
      minNotional: 5,
    });
    const asset = (value: number) => toUnits(value, market.assetDecimals);
    const money = openWallet(toUnits(10_000));
    const held = emptyHolding();
    bookSpotFill(money, held, market, {
      side: 'buy',
      price: toUnits(60_000),
      quantity: asset(0.0333),
      fee: asset(0.0000333),
      feeAsset: 'BTC',
    });
    expect(formatUnits(money.quote)).toBe('8002');
    expect(formatUnits(held.quantity, market.assetDecimals)).toBe('0.0332667');
    expect(formatUnits(held.cost)).toBe('1998');
    expect(formatUnits(held.entryPrice)).toBe('60000');
    const first = bookSpotFill(money, held, market, {
      side: 'sell',
      price: toUnits(72_000),
      quantity: asset(0.0166),
      fee: toUnits(1.1952),
      feeAsset: 'USDT',
    });
    expect(Number(formatUnits(first.realised))).toBeCloseTo(197.008, 3);
    bookSpotFill(money, held, market, {
      side: 'sell',
      price: toUnits(70_800),
      quantity: asset(0.0166),
      fee: toUnits(1.17528),
      feeAsset: 'USDT',
    });
    expect(formatUnits(held.quantity, market.assetDecimals)).toBe('0.0000667');
    expect(formatUnits(money.quote)).toBe('10370.10952');
  });

  test('books a fee in a third asset in the result and in that wallet, not in quote', () => {
    const market = marketOf({
      pair: 'ETH-USDT',
      tickSize: 0.01,
      stepSize: 0.0001,
      minQuantity: 0.0001,
      maxQuantity: 9000,
      minNotional: 5,
    });
    const money = openWallet(toUnits(1_000));
    const held = emptyHolding();
    bookSpotFill(money, held, market, {
      side: 'buy',
      price: toUnits(2_000),
      quantity: toUnits(0.1, market.assetDecimals),
      fee: toUnits(0.0003),
      feeAsset: 'BNB',
      thirdFeeValue: toUnits(0.18),
    });
    expect(formatUnits(money.quote)).toBe('800');
    expect(formatUnits(held.cost)).toBe('200.18');
    expect(money.third.BNB).toBe(-toUnits(0.0003));
    expect(formatUnits(money.thirdFees)).toBe('0.18');
  });

  test('counts the entries of a position that is never flat without end', () => {
    const market = MARKETS[0] as Market;
    const money = openWallet(2e15);
    const held = emptyHolding();
    const fill = { price: toUnits(60_000), quantity: 100 * 10 ** market.assetDecimals, fee: 0, feeAsset: 'USDT' };
    for (let i = 0; i < 100; i++) {
      bookSpotFill(money, held, market, { ...fill, side: 'buy', price: i % 2 === 0 ? fill.price : toUnits(50_000) });
      if (i > 0) bookSpotFill(money, held, market, { ...fill, side: 'sell' });
    }
    // Half of the entries fill at each price, although their total cost is outside the exact range.
    expect(held.entryPrice / 1e8).toBeCloseTo(55_000, -3);
    expect(Number.isSafeInteger(held.entryNotional)).toBe(true);
  });

  test('refuses to sell more than the holding, and changes nothing', () => {
    const [market] = MARKETS as [Market];
    const money = openWallet(toUnits(1_000));
    const held = emptyHolding();
    const step = { price: toUnits(100), fee: 0, feeAsset: 'USDT' };
    bookSpotFill(money, held, market, { ...step, side: 'buy', quantity: 5 * market.step });
    const before = JSON.stringify([money, held]);
    expect(() => bookSpotFill(money, held, market, { ...step, side: 'sell', quantity: 6 * market.step })).toThrow(
      ReducedBeyondHolding,
    );
    expect(JSON.stringify([money, held])).toBe(before);
  });

  /** Random fills that never sell more than the held quantity. */
  const history = fc.record({
    market: anyMarket,
    feeRate: fc.integer({ min: 10_000, max: 500_000 }),
    feeIn: fc.constantFrom('base', 'quote', 'BNB'),
    steps: fc.array(
      fc.record({
        buy: fc.boolean(),
        price: fc.integer({ min: 100, max: 1e6 }),
        part: fc.integer({ min: 1, max: 100 }),
      }),
      { minLength: 1, maxLength: 40 },
    ),
    mark: fc.integer({ min: 100, max: 1e6 }),
  });

  test('I-1, I-4, I-7: cash, holding and results balance exactly at every fill and mark', () => {
    let fills = 0;
    fc.assert(
      fc.property(history, ({ market, feeRate, feeIn, steps, mark }) => {
        const money = openWallet(1e14);
        const held = emptyHolding();
        const sums = { cash: 1e14, quantity: 0, realised: 0 };
        for (const step of steps) {
          const fill = fillOf(market, step, held.quantity, feeRate, feeIn);
          if (fill === null) continue;
          fills += 1;
          const { realised } = bookSpotFill(money, held, market, fill);
          addFill(sums, market, { ...fill, realised });
          expectSums(money, held, sums);
          expectExactEquity(money, held, market, mark * market.tick);
          expectNoCostWithoutQuantity(held);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(fills).toBeGreaterThan(500);
  });

  test('I-10: a round trip at one price loses exactly both fees', () => {
    fc.assert(
      fc.property(
        anyMarket,
        fc.integer({ min: 100, max: 1e6 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1e9 }),
        (market, ticks, steps, fee) => {
          const money = openWallet(1e14);
          const held = emptyHolding();
          const price = ticks * market.tick;
          const quantity = steps * market.step;
          bookSpotFill(money, held, market, { side: 'buy', price, quantity, fee, feeAsset: market.quote });
          const { realised } = bookSpotFill(money, held, market, {
            side: 'sell',
            price,
            quantity,
            fee,
            feeAsset: market.quote,
          });
          expect(realised).toBe(-2 * fee);
          expect(money.quote).toBe(1e14 - 2 * fee);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

function fillOf(
  market: Market,
  step: { buy: boolean; price: number; part: number },
  held: number,
  feeRate: number,
  feeIn: string,
) {
  const price = step.price * market.tick;
  const quantity = step.buy ? step.part * market.step : Math.floor((held * step.part) / 100);
  const buyFeeInBase = feeIn === 'base' && step.buy;
  const value = notional(market, price, quantity);
  const fee = buyFeeInBase ? mulDiv(quantity, feeRate, SCALE, 'up') : mulDiv(value, feeRate, SCALE, 'up');
  if (quantity <= 0) return null;
  const side = step.buy ? ('buy' as const) : ('sell' as const);
  if (buyFeeInBase) return { side, price, quantity, fee, feeAsset: market.base };
  if (feeIn === 'BNB') return { side, price, quantity, fee: 1_000, feeAsset: 'BNB', thirdFeeValue: fee };
  return { side, price, quantity, fee, feeAsset: market.quote };
}

/** Cash, quantity and result, summed from fills without the ledger. */
interface FillSums {
  cash: number;
  quantity: number;
  realised: number;
}

function addFill(sums: FillSums, market: Market, { realised, ...fill }: LedgerFill & { realised: number }): void {
  const sign = fill.side === 'buy' ? 1 : -1;
  const value = notional(market, fill.price, fill.quantity);
  sums.cash -= sign * value + (fill.feeAsset === market.quote ? fill.fee : 0);
  sums.quantity += sign * fill.quantity - (fill.feeAsset === market.base ? fill.fee : 0);
  sums.realised += realised;
}

function expectSums(wallet: Wallet, holding: Holding, { cash, quantity, realised }: FillSums): void {
  expect(wallet.quote).toBe(cash);
  expect(holding.quantity).toBe(quantity);
  expect(holding.realised).toBe(realised);
}

/** Expects the change of equity at a price to be the realised and unrealised PnL and the fees in third assets. */
function expectExactEquity(wallet: Wallet, holding: Holding, market: Market, price: Price): void {
  const equity = wallet.quote + notional(market, price, holding.quantity);
  expect(equity - wallet.start).toBe(holding.realised + unrealised(market, holding, price) + wallet.thirdFees);
}

/** Expects a cost of at least 0, and none without a quantity. */
function expectNoCostWithoutQuantity({ cost, quantity }: Holding): void {
  expect(cost).toBeGreaterThanOrEqual(0);
  if (quantity === 0) expect(cost).toBe(0);
}
