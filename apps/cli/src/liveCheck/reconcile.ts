import type { OwnFill, OwnIncome } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { SCALE_DECIMALS } from '@heron/engine/money/units.ts';
import type { Balance } from '@heron/exchanges/trading.ts';
import { type ExactAmount, exactOf, exactOfUnits, exactProduct, exactText } from './exactAmounts.ts';
import type { BalanceLine } from './report.ts';

/** Maximum rounding error of one fill or one fee. */
const ROUNDING = exactOfUnits(1, SCALE_DECIMALS);

/** Balances before and after, and everything that should have changed them. */
export interface Movements {
  readonly market: Market;
  readonly isFuture: boolean;
  readonly before: readonly Balance[];
  readonly after: readonly Balance[];
  readonly fills: readonly OwnFill[];
  /** Funding and the like since the first balance. */
  readonly incomes: readonly OwnIncome[];
}

/** Compares the change of each balance with the fills and fees, to the last digit. */
export function reconcile(movements: Movements): BalanceLine[] {
  const { market, before, after, fills } = movements;
  const expected = expectedChanges(movements);
  const total = (balances: readonly Balance[], asset: string) =>
    balances
      .filter((balance) => balance.asset === asset)
      .reduce((sum, { free, locked }) => sum + exactOf(free) + exactOf(locked), 0n);
  const assets = new Set([market.quote, ...expected.keys()]);
  return [...assets].map((asset) => {
    const should = expected.get(asset) ?? 0n;
    const actual = total(after, asset) - total(before, asset);
    const difference = actual - should;
    // The value of a fill and its fee are rounded separately.
    const tolerance = ROUNDING * BigInt(2 * fills.length);
    const size = difference < 0n ? -difference : difference;
    return {
      asset,
      expected: exactText(should),
      actual: exactText(actual),
      difference: exactText(difference),
      verdict: size === 0n ? 'exact' : size <= tolerance ? 'rounded' : 'differs',
    };
  });
}

function expectedChanges({ market, isFuture, fills, incomes }: Movements): Map<string, ExactAmount> {
  const changes = new Map<string, ExactAmount>();
  const add = (asset: string, amount: ExactAmount) => changes.set(asset, (changes.get(asset) ?? 0n) + amount);
  const { base, quote, assetDecimals } = market;
  for (const { side, price, quantity, fee, feeAsset, pnl = 0 } of fills) {
    const sign = side === 'buy' ? 1n : -1n;
    if (isFuture) add(quote, exactOfUnits(pnl, SCALE_DECIMALS));
    else {
      add(base, sign * exactOfUnits(quantity, assetDecimals));
      add(quote, -sign * exactProduct(price, SCALE_DECIMALS, quantity, assetDecimals));
    }
    add(feeAsset, -exactOfUnits(fee, feeAsset === base ? assetDecimals : SCALE_DECIMALS));
  }
  for (const { amount } of incomes) add(quote, exactOfUnits(amount, SCALE_DECIMALS));
  return changes;
}
