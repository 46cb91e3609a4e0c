import type { Market } from '../market/market.ts';
import { exact, mulDivNearest, type Price, powerOfTen, type Quote, SCALE } from '../money/units.ts';
import { type Bracket, bracketOf } from './brackets.ts';
import type { Holding } from './holding.ts';
import { crossMaintenance, crossUnrealised, isolatedMargins, type MarginAccount } from './margin.ts';
import { quotientDown, quotientUp } from './quotient.ts';

/** Maximum number of rounds to find the bracket of the liquidation price. @see docs/margin.md#liquidation-price */
const MAX_ROUNDS = 20;

/** Distance from entry to liquidation at which the guard closes, in fifths. @see docs/exits.md#liquidation-guard */
const GUARD_FIFTHS = 4;

/**
 * Returns the price at which the margin balance of a position equals its maintenance margin:
 * `(balance + cum − d·Q·E)/(Q·(mmr − d))`. The bracket is that of the position's value at that price. The result rounds towards
 * the entry, so that no price beyond liquidation counts as safe.
 *
 * @param balance isolated: its margin; cross: see {@link crossBalance}
 * @returns null without a position, or when the price is not above zero or outside the exact range
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
    // The numerator and the denominator are both multiplied by −side.
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
    // The balance is so much larger than the position that no representable price liquidates it.
    if ((above * unit) / quantity / (share / SCALE) >= Number.MAX_SAFE_INTEGER / 2) return null;
    return side === 1
      ? quotientUp(above, unit, SCALE, quantity, share)
      : quotientDown(above, unit, SCALE, quantity, share);
  }
}

/** Returns the liquidation price of an isolated position. @see docs/margin.md#liquidation-price */
export function isolatedLiquidationPrice(market: Market, holding: Holding, brackets: readonly Bracket[]): Price | null {
  return liquidationPrice(market, holding, brackets, holding.margin);
}

/**
 * Returns the balance that covers one cross position: wallet less isolated margins, less TMM, plus TU. TMM is the maintenance
 * margin of the other cross positions, TU their unrealised PnL.
 *
 * @param others every other position of the account
 * @see docs/margin.md#liquidation-price
 */
export function crossBalance(wallet: MarginAccount['wallet'], others: MarginAccount['positions']): Quote {
  const account = { positions: others };
  return exact(wallet.quote - isolatedMargins(account) - crossMaintenance(account) + crossUnrealised(account));
}

/**
 * Returns the single liquidation price of a pair with cross positions on both sides, which a hedge account may have. It rounds
 * towards prices without liquidation: up when the long side is larger, else down.
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
  // The value need not be exact: it is only compared with caps, which are far apart.
  return bracketOf(brackets, (price * holding.quantity) / powerOfTen(market.assetDecimals));
}

/** Divides and rounds up for a negative divisor (liquidated below), down for a positive one (liquidated above). */
function divide(dividend: bigint, divisor: bigint): number {
  const quotient = Number(dividend / divisor);
  // BigInt division rounds towards zero, which is down for a price above zero.
  return divisor < 0n && dividend % divisor !== 0n ? quotient + 1 : quotient;
}

/**
 * Returns the price at which an isolated position has lost its margin: `E − d·IM_alloc/Q`; 0 when there is no such price.
 *
 * @see docs/margin.md#liquidation-price
 */
export function bankruptcyPrice(market: Market, holding: Holding): Price {
  const left = holding.cost - holding.side * holding.margin;
  return left <= 0 ? 0 : mulDivNearest(left, powerOfTen(market.assetDecimals), holding.quantity);
}

/**
 * Returns the mark at which the liquidation guard closes: 80 % of the distance from entry to liquidation. A long closes at or
 * below it, a short at or above it.
 *
 * @see docs/exits.md#liquidation-guard
 */
export function guardPrice(side: 1 | -1, entry: Price, liquidation: Price): Price {
  const fifths = entry * (5 - GUARD_FIFTHS) + liquidation * GUARD_FIFTHS;
  return side === 1 ? Math.floor(fifths / 5) : Math.ceil(fifths / 5);
}

/** Returns whether a mark is at the liquidation price or beyond. @see docs/margin.md#liquidation */
export function reachesLiquidation(side: 1 | -1, mark: Price, liquidation: Price): boolean {
  return side === 1 ? mark <= liquidation : mark >= liquidation;
}
