import type { Bot } from '../bot/runtime.ts';
import { mulDiv, powerOfTen, type Quote } from '../money/units.ts';
import type { Intent } from '../orders/intent.ts';

/**
 * Free cash: the quote total less what working entries may still spend. Spot fees of a buy are taken in the asset
 * bought, so an order holds its rest times its price, as the exchange does.
 *
 * @param except an intent whose own reservation does not count
 * @see accounting.md 2.1, 2.5; options.md 11 (5)
 */
export function availableQuote(bot: Bot, except?: Intent): Quote {
  let available = bot.state.wallet.quote;
  for (const pair of bot.state.pairs) {
    const intent = pair.entry;
    if (intent === null || intent === except || pair.market === null) continue;
    const price = intent.order?.price || intent.firstPrice;
    available -= mulDiv(intent.target - intent.filled, price, powerOfTen(pair.market.assetDecimals), 'up');
  }
  return Math.max(0, available);
}
