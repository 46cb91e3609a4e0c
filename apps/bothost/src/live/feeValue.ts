import type { OwnFill } from '@heron/engine/live/report.ts';
import { mulDivNearest, type Price, SCALE } from '@heron/engine/money/units.ts';
import type { Ticker } from '@heron/exchanges/exchange.ts';

/** A price of a fee asset is valid for this time. */
const GOOD_FOR_MS = 60_000;

/**
 * Creates a function that values fees in a third asset at its last price. Without a price the fee has no quote value, but the
 * fill is still booked.
 *
 * @see docs/accounting.md#fees
 */
export function createFeeValuer(
  tickers: (pairs: readonly string[]) => Promise<readonly Ticker[]>,
  now: () => number,
): (fill: OwnFill) => Promise<OwnFill> {
  const prices = new Map<string, { price: Price | null; at: number }>();

  async function priceOf(pair: string): Promise<Price | null> {
    const known = prices.get(pair);
    if (known !== undefined && now() - known.at < GOOD_FOR_MS) return known.price;
    const [ticker] = await tickers([pair]).catch(() => []);
    const price = ticker?.last ?? known?.price ?? null;
    prices.set(pair, { price, at: now() });
    return price;
  }

  return async (fill) => {
    const [base, quote] = fill.pair.split('-');
    if (fill.feeAsset === base || fill.feeAsset === quote) return fill;
    const price = await priceOf(`${fill.feeAsset}-${quote}`);
    return price === null ? fill : { ...fill, thirdFeeValue: mulDivNearest(fill.fee, price, SCALE) };
  };
}
