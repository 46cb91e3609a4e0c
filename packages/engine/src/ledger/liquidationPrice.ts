import type { Market } from '../market/market.ts';
import { exact, mulDivNearest, type Price, powerOfTen, type Quote, SCALE } from '../money/units.ts';
import { type Bracket, bracketOf } from './brackets.ts';
import type { Holding } from './holding.ts';
import { crossMaintenance, crossUnrealised, isolatedMargins, type MarginAccount } from './margin.ts';
import { quotient } from './quotient.ts';

/** Rounds of finding the bracket in which the liquidation price lies. @see docs/margin.md#liquidation-price */
const MAX_ROUNDS = 20;

/** Way from entry to liquidation after which the guard closes, in fifths. @see docs/exits.md#liquidation-guard */
const GUARD_FIFTHS = 4;

/**
 * Price at which what stands behind a position is its maintenance margin:
 * `(balance + cum − d·Q·E)/(Q·(mmr − d))`, with the bracket of the position's value at that price. Rounded towards the
 * entry, so that the position is never found liquid at a price at which it is not.
 *
 * @param balance isolated: its margin; cross: see {@link crossBalance}
 * @returns null when there is none: no position, no price above zero, or none that can be held
 * @see docs/margin.md#liquidation-price
 */
export function liquidationPrice(
  market: Market,
  holding: Holding,
  brackets: readonly Bracket[],
  balance: Quote,
): Price | null {
  const { side, quantity, cost } = holding;
  if (quantity === 0) return null;
  let bracket = bracketOf(brackets, cost);
  for (let round = 1; ; round++) {
    // Both of numerator and denominator with the sign of the numerator's long or short.
    const above = exact(cost - side * (balance + bracket.cum));
    const share = SCALE - side * bracket.mmr;
    const value = above <= 0 ? 0 : mulDivNearest(above, SCALE, share);
    const next = bracketOf(brackets, value);
    if (next !== bracket && round < MAX_ROUNDS) {
      bracket = next;
      continue;
    }
    if (above <= 0) return null;
    const unit = powerOfTen(market.assetDecimals);
    // A few coins against a fortune: liquidation lies beyond every price.
    if ((above * unit) / quantity / (share / SCALE) >= Number.MAX_SAFE_INTEGER / 2) return null;
    return quotient(above, unit, SCALE, quantity, share, side === 1 ? 'up' : 'down');
  }
}

/** Liquidation price of an isolated position. @see docs/margin.md#liquidation-price */
export function isolatedLiquidationPrice(market: Market, holding: Holding, brackets: readonly Bracket[]): Price | null {
  return liquidationPrice(market, holding, brackets, holding.margin);
}

/**
 * What stands behind one cross position: wallet less isolated margins, less the maintenance of the other cross positions
 * (TMM), plus their unrealised (TU).
 *
 * @param others every position of the account but the one asked for
 * @see docs/margin.md#liquidation-price
 */
export function crossBalance(wallet: MarginAccount['wallet'], others: MarginAccount['positions']): Quote {
  const account = { positions: others };
  return exact(wallet.quote - isolatedMargins(account) - crossMaintenance(account) + crossUnrealised(account));
}

/**
 * The one liquidation price of a pair that is held on both sides in cross, as a user of a hedge account may hold it.
 * Rounded towards the mark that is still liquid: up when the long side outweighs, else down.
 *
 * @see docs/margin.md#liquidation-price
 */
export function hedgeLiquidationPrice(
  market: Market,
  long: Holding,
  short: Holding,
  brackets: readonly Bracket[],
  balance: Quote,
): Price | null {
  let price = long.entryPrice || short.entryPrice;
  for (let round = 1; ; round++) {
    const [ofLong, ofShort] = [bracketAt(market, long, brackets, price), bracketAt(market, short, brackets, price)];
    const margin = exact(balance + ofLong.cum + ofShort.cum - long.cost + short.cost);
    const share =
      BigInt(long.quantity) * BigInt(ofLong.mmr - SCALE) + BigInt(short.quantity) * BigInt(ofShort.mmr + SCALE);
    if (share === 0n) return null;
    const found = divide(BigInt(margin) * BigInt(powerOfTen(market.assetDecimals)) * BigInt(SCALE), share);
    if (found <= 0 || found > Number.MAX_SAFE_INTEGER) return null;
    const stable =
      bracketAt(market, long, brackets, found) === ofLong && bracketAt(market, short, brackets, found) === ofShort;
    if (stable || round === MAX_ROUNDS) return found;
    price = found;
  }
}

function bracketAt(market: Market, holding: Holding, brackets: readonly Bracket[], price: Price): Bracket {
  // Only compared with caps, which lie far apart.
  return bracketOf(brackets, (price * holding.quantity) / powerOfTen(market.assetDecimals));
}

/** Up for a negative divisor (liquidated below), down for a positive one (liquidated above). */
function divide(dividend: bigint, divisor: bigint): number {
  const quotient = Number(dividend / divisor);
  // Division is towards zero, which for a price above zero is down.
  return divisor < 0n && dividend % divisor !== 0n ? quotient + 1 : quotient;
}

/**
 * Price at which the margin of an isolated position is gone: `E − d·IM_alloc/Q`; 0 when there is none.
 *
 * @see docs/margin.md#liquidation-price
 */
export function bankruptcyPrice(market: Market, holding: Holding): Price {
  const left = holding.cost - holding.side * holding.margin;
  return left <= 0 ? 0 : mulDivNearest(left, powerOfTen(market.assetDecimals), holding.quantity);
}

/**
 * Mark at which the liquidation guard closes: 80 % of the way from entry to liquidation. A long is closed at or below
 * it, a short at or above.
 *
 * @see docs/exits.md#liquidation-guard
 */
export function guardPrice(side: 1 | -1, entry: Price, liquidation: Price): Price {
  const fifths = entry * (5 - GUARD_FIFTHS) + liquidation * GUARD_FIFTHS;
  return side === 1 ? Math.floor(fifths / 5) : Math.ceil(fifths / 5);
}

/** Whether a mark is at the liquidation price or beyond. @see docs/margin.md#liquidation */
export function reachesLiquidation(side: 1 | -1, mark: Price, liquidation: Price): boolean {
  return side === 1 ? mark <= liquidation : mark >= liquidation;
}
