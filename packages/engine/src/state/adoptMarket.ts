import type { Market } from '../market/market.ts';
import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import { hasQuantities } from './pairActivity.ts';

/** A market counts its asset in another unit than the quantities that the bot holds. It must not trade them. */
export class AssetUnitChanged extends RangeError {
  readonly pair: string;
  /** Decimals of the unit in which the bot counts the pair. */
  readonly botDecimals: number;
  readonly mode: 'live' | 'paper';

  constructor(pair: string, marketDecimals: number, botDecimals: number, mode: 'live' | 'paper') {
    const nextStep =
      mode === 'live' ? 'sell it at the exchange, and delete the bot' : 'delete the bot, and create a new one';
    super(`${pair} is counted in ${marketDecimals} decimals, but this bot counts it in ${botDecimals}: ${nextStep}`);
    this.name = 'AssetUnitChanged';
    this.pair = pair;
    this.botDecimals = botDecimals;
    this.mode = mode;
  }
}

/**
 * Checks that a market counts the quantities of a pair in the unit in which the bot holds them.
 *
 * @throws AssetUnitChanged when its unit has changed and the pair has quantities, which would become others
 * @see docs/accounting.md#exact-amounts
 */
export function checkAssetUnit({ state }: Bot, pair: PairState, market: Market): void {
  const { assetDecimals = market.assetDecimals } = pair.market ?? {};
  if (assetDecimals !== market.assetDecimals && hasQuantities(pair)) {
    throw new AssetUnitChanged(pair.pair, market.assetDecimals, assetDecimals, state.options.mode);
  }
}

/**
 * Sets the market of a pair, whose filters may have changed.
 *
 * @throws AssetUnitChanged
 */
export function adoptMarket(bot: Bot, pair: PairState, market: Market): void {
  checkAssetUnit(bot, pair, market);
  pair.market = market;
}
