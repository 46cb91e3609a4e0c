import { handle } from '../bot/handle.ts';
import {
  CLEARANCE_FEE,
  coverShortfall,
  isCrossLiquidated,
  type Liquidation,
  liquidateCross,
  liquidateIsolated,
} from '../ledger/liquidation.ts';
import { reachesLiquidation } from '../ledger/liquidationPrice.ts';
import { exact } from '../money/units.ts';
import { marginAccount } from '../sizing/marginAccount.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import type { PairState } from '../state/botState.ts';
import type { BotTurn, Turn } from '../state/turn.ts';

const NONE: readonly PairState[] = [];

/**
 * Liquidates positions as the exchange would at a new mark of the pair. An isolated one at or beyond its liquidation price is closed
 * and its margin lost. When the margin balance of the cross ones is at most their maintenance margin, all are closed at their marks.
 *
 * @returns the pairs that were liquidated; their orders are gone
 * @see docs/margin.md#liquidation
 */
export function liquidateIfDue(turn: Turn): readonly PairState[] {
  const { bot, pair } = turn;
  const { holding, market, mark } = pair;
  if (market === null || holding.quantity === 0 || mark <= 0) return NONE;
  const { wallet, pairs } = bot.state;
  if (holding.isolated) {
    const price = liquidationPriceOf(bot, pair);
    if (price === 0 || !reachesLiquidation(holding.side, mark, price)) return NONE;
    reportLiquidation(turn, pair, liquidateIsolated(wallet, { holding, market }));
    coverShortfall(wallet);
    return [pair];
  }
  const account = marginAccount(bot, null);
  if (!isCrossLiquidated(account)) return NONE;
  const closed = liquidateCross(account, bot.rules.takerFee, CLEARANCE_FEE).map((liquidation) => {
    const hit = pairs.find((candidate) => candidate.pair === liquidation.pair) as PairState;
    reportLiquidation(turn, hit, liquidation);
    return hit;
  });
  coverShortfall(wallet);
  return closed;
}

function reportLiquidation({ bot, at, effects }: BotTurn, { pair }: PairState, liquidation: Liquidation): void {
  const { price, lost, insurance, fee } = liquidation;
  handle(bot, { type: 'liquidated', at, pair, price, realised: exact(-lost), fee, insurance }, effects);
}
