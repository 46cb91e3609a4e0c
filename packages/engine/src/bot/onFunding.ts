import { bookFunding } from '../ledger/funding.ts';
import { addResult } from '../state/addResult.ts';
import type { MarketEvent } from '../state/botEvents.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Books the funding payment of a position at a funding time.
 *
 * @see docs/accounting.md#funding
 */
export function onFunding(
  { bot, pair, at }: Turn,
  { id, rate, mark }: Pick<Extract<MarketEvent, { type: 'funding' }>, 'id' | 'rate' | 'mark'>,
): void {
  if (pair.market === null || pair.fundingId === id) return;
  pair.fundingId = id;
  if (!bot.rules.future || pair.holding.quantity === 0) return;
  const price = mark || pair.mark;
  const amount = bookFunding(bot.state.wallet, pair.holding, pair.market, price, rate);
  addResult(bot, pair, { net: amount, funding: amount });
  bot.observer.funding(at, pair, amount, rate, price);
}
