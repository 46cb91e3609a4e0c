import type { Market } from '../market/market.ts';
import type { PairState } from './botState.ts';
import { isBusy } from './pairActivity.ts';

/** A market counts its asset in another unit than the quantities that the bot holds. It must not trade them. */
export class AssetUnitChanged extends RangeError {
  constructor(pair: string, decimals: number, saved: number) {
    super(
      `${pair} is counted in ${decimals} decimals, but this bot holds it in ${saved}: sell it at the exchange, and delete the bot`,
    );
    this.name = 'AssetUnitChanged';
  }
}

/**
 * Sets the market of a pair, whose filters may have changed.
 *
 * @throws AssetUnitChanged when its unit has changed and the pair has quantities, which would become others
 * @see docs/accounting.md#exact-amounts
 */
export function adoptMarket(pair: PairState, market: Market): void {
  const { assetDecimals = market.assetDecimals } = pair.market ?? {};
  const hasQuantities = pair.holding.quantity > 0 || pair.orderPlan !== null || isBusy(pair);
  if (assetDecimals !== market.assetDecimals && hasQuantities) {
    throw new AssetUnitChanged(pair.pair, market.assetDecimals, assetDecimals);
  }
  pair.market = market;
}
