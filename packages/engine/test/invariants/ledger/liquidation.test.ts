import { type Bracket, effectiveLeverage, fallbackBrackets } from '@heron/engine/ledger/brackets.ts';
import { bookFunding } from '@heron/engine/ledger/funding.ts';
import { bookFuturesFill } from '@heron/engine/ledger/futures.ts';
import { emptyHolding, type Holding } from '@heron/engine/ledger/holding.ts';
import { liquidateIsolated } from '@heron/engine/ledger/liquidation.ts';
import {
  crossBalance,
  isolatedLiquidationPrice,
  liquidationPrice,
  reachesLiquidation,
} from '@heron/engine/ledger/liquidationPrice.ts';
import { type MarginPosition, maintenanceMargin } from '@heron/engine/ledger/margin.ts';
import { openWallet } from '@heron/engine/ledger/wallet.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { type Quote, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Generated } from '../../generated.ts';
import { FUTURES, type Listed, priceOf } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

/** Order values from small ones to beyond the first brackets. */
const value = fc.oneof(
  fc.integer({ min: 50, max: 20_000 }),
  fc.integer({ min: 20_000, max: 2_000_000 }),
  fc.integer({ min: 2_000_000, max: 15_000_000 }),
);

const open = fc.constantFrom(...FUTURES).chain((listed) =>
  fc.record({
    listed: fc.constant(listed),
    price: priceOf(listed),
    /** Mark relative to the entry price, in 1e-4. */
    mark: fc.integer({ min: 9_000, max: 11_000 }),
    value,
    short: fc.boolean(),
    leverage: fc.integer({ min: 1, max: 125 }),
  }),
);

type Open = Generated<typeof open>;

describe('liquidation price', () => {
  test('I-12: of an isolated position the margin balance there is the maintenance margin', () => {
    fc.assert(
      fc.property(open, fc.integer({ min: -1_000_000, max: 1_000_000 }), (given, rate) => {
        const { market, holding, brackets, mark } = positionOf(given, true);
        bookFunding(openWallet(0), holding, market, mark, rate);
        const price = isolatedLiquidationPrice(market, holding, brackets);
        expectAtLiquidation(market, holding, brackets, holding.margin, price);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-12: the same holds for each of three cross positions, the others at marks', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(open, { minLength: 1, maxLength: 3, selector: ({ listed }) => listed.market.pair }),
        fc.integer({ min: 10, max: 20_000_000 }),
        fc.option(open),
        (given, capital, isolated) => {
          const wallet = openWallet(toUnits(capital));
          const cross = given.map((one) => positionOf(one, false));
          const aside = isolated ? [positionOf(isolated, true)] : [];
          for (const position of cross) {
            const others = cross.filter((other) => other !== position);
            const balance = crossBalance(wallet, [...others, ...aside]);
            const apart = aside.reduce((sum, { holding }) => sum + holding.margin, 0);
            expect(balance).toBe(
              others.reduce(
                (sum, other) =>
                  sum +
                  other.holding.side *
                    (notional(other.market, other.mark, other.holding.quantity) - other.holding.cost) -
                  maintenanceMargin(other),
                wallet.quote - apart,
              ),
            );
            const price = liquidationPrice(position.market, position.holding, position.brackets, balance);
            expectAtLiquidation(position.market, position.holding, position.brackets, balance, price);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('I-13: of an isolated position it is on the losing side of the entry', () => {
    fc.assert(
      fc.property(open, (given) => {
        const { market, holding, brackets } = positionOf(given, true);
        const price = isolatedLiquidationPrice(market, holding, brackets);
        // A long without borrowed money has no price at which it is liquidated.
        if (holding.side === 1 && holding.leverage === 1) {
          expect(price).toBeNull();
          return;
        }
        if (price === null) throw new Error('every short, and every long at two times or more, has one');
        const entry = BigInt(holding.cost) * BigInt(10 ** market.assetDecimals);
        const there = BigInt(price) * BigInt(holding.quantity);
        expect(holding.side === 1 ? there < entry : there > entry).toBe(true);
        expect(reachesLiquidation(holding.side, holding.entryPrice, price)).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-13: it is strictly nearer to the entry with higher leverage', () => {
    fc.assert(
      fc.property(open, fc.integer({ min: 2, max: 125 }), (given, other) => {
        const most = positionOf({ ...given, leverage: 125 }, true).holding.leverage;
        const [low, high] = [Math.min(given.leverage, other), Math.max(given.leverage, other)];
        fc.pre(low < high && high <= most);
        // Smaller prices are too coarse for the comparison.
        fc.pre(given.price >= 1_000_000);
        const [far, near] = [low, high].map((leverage) => {
          const { market, holding, brackets } = positionOf({ ...given, leverage }, true);
          return { side: holding.side, price: isolatedLiquidationPrice(market, holding, brackets) as number };
        });
        if (!far || !near) throw new Error('two');
        expect(far.side * (near.price - far.price)).toBeGreaterThan(0);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('liquidation of an isolated position', () => {
  test('I-16: takes its margin, funding included, and nothing of the others', () => {
    fc.assert(
      fc.property(open, open, fc.integer({ min: -1_000_000, max: 1_000_000 }), (given, another, rate) => {
        const { market, holding, mark } = positionOf(given, true);
        const other = positionOf(another, true);
        const wallet = openWallet(toUnits(20_000_000));
        bookFunding(wallet, holding, market, mark, rate);
        const before = { quote: wallet.quote, margin: holding.margin, realised: holding.realised };
        const untouched = JSON.stringify(other.holding);
        const liquidation = liquidateIsolated(wallet, { market, holding });
        const fell = before.quote - wallet.quote;
        expect(fell).toBe(Math.max(0, before.margin));
        expect(liquidation.lost).toBe(fell);
        expect(holding.realised).toBe(before.realised - fell);
        expect([holding.quantity, holding.cost, holding.margin]).toEqual([0, 0, 0]);
        expect(JSON.stringify(other.holding)).toBe(untouched);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Creates a position of one fill, with the leverage that its bracket allows. */
function positionOf({ listed, price, mark, value: worth, short, leverage }: Open, isolated: boolean): MarginPosition {
  const { market } = listed as Listed;
  const brackets = fallbackBrackets(market.base);
  const quantity =
    Math.max(1, Math.floor((toUnits(worth) * 10 ** market.assetDecimals) / price / market.step)) * market.step;
  const holding = emptyHolding();
  holding.leverage = effectiveLeverage(brackets, notional(market, price, quantity), leverage);
  holding.isolated = isolated;
  const fill = { side: short ? 'sell' : 'buy', price, quantity, fee: 0, feeAsset: 'USDT' } as const;
  bookFuturesFill(openWallet(toUnits(20_000_000)), holding, market, fill);
  const ticks = Math.max(1, Math.round((price * mark) / 10_000 / market.tick));
  return { market, holding, brackets, mark: ticks * market.tick };
}

/**
 * Expects the price to be the exact one rounded towards the mark. At the exact price margin balance and maintenance margin are
 * equal. The search tries every bracket with unlimited fractions.
 */
function expectAtLiquidation(
  market: Market,
  { side, quantity, cost }: Holding,
  brackets: readonly Bracket[],
  balance: Quote,
  price: number | null,
): void {
  const [d, q, unit, scale] = [BigInt(side), BigInt(quantity), BigInt(10 ** market.assetDecimals), BigInt(SCALE)];
  // For the price n/m this is margin balance less maintenance margin, times m · unit · scale.
  const excess = (n: bigint, m: bigint, { mmr, cum }: Bracket) =>
    (BigInt(balance) * unit * m + d * (q * n - BigInt(cost) * unit * m)) * scale -
    (q * n * BigInt(mmr) - BigInt(cum) * unit * scale * m);
  const roots = brackets.flatMap((bracket, level) => {
    let n = (BigInt(balance) + BigInt(bracket.cum) - d * BigInt(cost)) * unit * scale;
    let m = q * (BigInt(bracket.mmr) - d * scale);
    if (m < 0n) [n, m] = [-n, -m];
    expect(excess(n, m, bracket)).toBe(0n);
    // The order value at that price is in the bracket: floor < n·q/(m·unit) ≤ cap.
    const above = level === 0 ? n > 0n : n * q > BigInt(bracket.floor) * m * unit;
    const below = level === brackets.length - 1 || n * q <= BigInt(bracket.cap) * m * unit;
    return above && below ? [{ n, m }] : [];
  });
  const [root] = roots;
  if (price === null) {
    // There is no price above zero, or it is outside the exact range.
    expect(root === undefined || root.n / root.m >= 2n ** 51n).toBe(true);
    return;
  }
  expect(roots).toHaveLength(1);
  if (root === undefined) throw new Error('one root');
  const rounded = side === 1 ? (root.n + root.m - 1n) / root.m : root.n / root.m;
  expect(BigInt(price)).toBe(rounded);
}
