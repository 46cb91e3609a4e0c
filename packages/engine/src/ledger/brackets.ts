import { percentRatio, type Quote, type Ratio, SCALE } from '../money/units.ts';

/** Margin rules of a pair for one range of order values. @see docs/margin.md#leverage-brackets */
export interface Bracket {
  /** Order value above which the bracket applies. */
  readonly floor: Quote;
  /** Order value up to which the bracket applies. */
  readonly cap: Quote;
  /** Maintenance margin as a share of the order value. */
  readonly mmr: Ratio;
  /** Amount by which the smaller rates of the lower brackets reduce the maintenance margin. */
  readonly cum: Quote;
  readonly maxLeverage: number;
}

/** One bracket as exchanges list it: maximum order value in whole quote, maintenance margin in percent, maximum leverage. */
export type BracketLevel = readonly [cap: number, mmrPercent: number, maxLeverage: number];

/** @see docs/margin.md#leverage-brackets */
const BTC_LEVELS: readonly BracketLevel[] = [
  [50_000, 0.4, 125],
  [250_000, 0.5, 100],
  [1_000_000, 1, 50],
  [10_000_000, 2.5, 20],
  [20_000_000, 5, 10],
  [50_000_000, 10, 5],
  [100_000_000, 12.5, 4],
  [200_000_000, 15, 3],
  [300_000_000, 25, 2],
  [500_000_000, 50, 1],
];

/**
 * Computes `cumₙ = cumₙ₋₁ + floorₙ·(mmrₙ − mmrₙ₋₁)`, so that the maintenance margin has no step where a bracket begins.
 *
 * @see docs/margin.md#leverage-brackets
 */
export function bracketsOf(levels: readonly BracketLevel[]): readonly Bracket[] {
  const brackets: Bracket[] = [];
  let floor = 0;
  let cum = 0;
  let below = 0;
  for (const [cap, mmrPercent, maxLeverage] of levels) {
    const mmr = percentRatio(mmrPercent);
    // Whole quote times a ratio of 1e-8 is 1e-8 quote.
    if (floor > 0) cum += floor * (mmr - below);
    // Caps beyond 2^53 units are not exact, which is enough: order values are compared with them and never reach them.
    brackets.push({ floor: floor * SCALE, cap: cap * SCALE, mmr, cum, maxLeverage });
    floor = cap;
    below = mmr;
  }
  return brackets;
}

/** Brackets of the largest pairs while those of the exchange are unknown. @see docs/margin.md#leverage-brackets */
export const FALLBACK_BRACKETS = bracketsOf(BTC_LEVELS);

/**
 * Brackets of other pairs while those of the exchange are unknown: a tenth of the caps, with the rate of the next bracket.
 * The maximum leverage is that of the next bracket too, since the initial margin must stay above the maintenance margin.
 */
const SMALL_FALLBACK_BRACKETS = bracketsOf(
  BTC_LEVELS.map(([cap], level) => {
    const [, mmrPercent, maxLeverage] = BTC_LEVELS[Math.min(level + 1, BTC_LEVELS.length - 1)] as BracketLevel;
    return [cap / 10, mmrPercent, maxLeverage];
  }),
);

/** Returns the fallback brackets of a pair by its base asset. @see docs/margin.md#leverage-brackets */
export function fallbackBrackets(base: string): readonly Bracket[] {
  return base === 'BTC' || base === 'ETH' ? FALLBACK_BRACKETS : SMALL_FALLBACK_BRACKETS;
}

/** Returns the bracket for an order value; the last one beyond the last cap. @see docs/margin.md#leverage-brackets */
export function bracketOf(brackets: readonly Bracket[], value: Quote): Bracket {
  for (const bracket of brackets) if (value <= bracket.cap) return bracket;
  return brackets[brackets.length - 1] as Bracket;
}

/**
 * Returns the leverage of an entry: the option, limited to the maximum of its bracket.
 *
 * @param value requested order value
 * @see docs/entries.md#leverage-and-margin-mode
 */
export function effectiveLeverage(brackets: readonly Bracket[], value: Quote, leverage: number): number {
  return Math.min(leverage, bracketOf(brackets, value).maxLeverage);
}
