import { crossBalance, isolatedLiquidationPrice, liquidationPrice } from '../ledger/liquidationPrice.ts';
import type { Price } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { bracketsOf } from '../state/pairBrackets.ts';
import { marginPositions } from './marginAccount.ts';

/**
 * Returns the liquidation price of a futures position; 0 for none. That of a cross position changes with the prices of the
 * other positions.
 *
 * @see docs/margin.md#liquidation-price
 */
export function liquidationPriceOf(bot: Bot, pair: PairState): Price {
  const { holding, market } = pair;
  if (!bot.rules.future || market === null || holding.quantity === 0) return 0;
  const brackets = bracketsOf(pair);
  if (holding.isolated) return isolatedLiquidationPrice(market, holding, brackets) ?? 0;
  const balance = crossBalance(bot.state.wallet, marginPositions(bot, pair));
  return liquidationPrice(market, holding, brackets, balance) ?? 0;
}
