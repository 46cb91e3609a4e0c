import { fallbackBrackets } from '../ledger/brackets.ts';
import { type MarginAccount, type MarginPosition, orderMargin } from '../ledger/margin.ts';
import type { Quote } from '../money/units.ts';
import type { Intent } from '../orders/intent.ts';
import type { Bot } from './runtime.ts';
import type { PairState } from './state.ts';

/** Every position of a future's bot at its mark, but that of `except`. @see accounting.md 3.5 */
export function marginPositions({ state }: Bot, except: PairState | null): MarginPosition[] {
  const positions: MarginPosition[] = [];
  for (const pair of state.pairs) {
    const { holding, market, mark } = pair;
    if (pair === except || market === null || holding.quantity === 0) continue;
    positions.push({ holding, market, mark, brackets: fallbackBrackets(market.base) });
  }
  return positions;
}

/**
 * A future's bot as margin sees it: wallet, positions at their marks, what working entries keep.
 *
 * @param except an intent whose own order does not count
 * @see accounting.md 3.6
 */
export function marginAccount(bot: Bot, except: Intent | null): MarginAccount {
  let orderMargins = 0;
  for (const pair of bot.state.pairs) {
    if (pair.entry !== null && pair.entry !== except) orderMargins += entryMargin(bot, pair, pair.entry);
  }
  return { wallet: bot.state.wallet, positions: marginPositions(bot, null), orderMargins };
}

/** Margin that the rest of a working entry keeps. @see accounting.md 3.5 */
function entryMargin({ rules }: Bot, pair: PairState, intent: Intent): Quote {
  const { market, quote, mark, holding } = pair;
  if (market === null) return 0;
  const fee = intent.urgency === 'maker' ? rules.makerFee : rules.takerFee;
  const price = intent.order?.price || intent.firstPrice;
  const rest = intent.target - intent.filled;
  return orderMargin(market, intent.side, price, rest, quote?.last || mark, mark, holding.leverage, fee);
}
