import { sizingMargin } from '../ledger/margin.ts';
import type { Market } from '../market/market.ts';
import { mulDiv, powerOfTen, type Quote } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { type ParentOrder, remainingEntry, waitsForPrice } from '../state/parentOrder.ts';
import { marginAccount } from './marginAccount.ts';
import { planReserve } from './planReserve.ts';

/**
 * Returns the available money for an entry.
 *
 * @param except a parent order whose own reservation does not count
 * @param released a pair whose plan releases its reservation
 * @see docs/accounting.md#cash-for-entries, docs/margin.md#free-margin
 */
export function availableQuote(bot: Bot, except: ParentOrder | null, released: PairState | null = null): Quote {
  return bot.rules.future ? sizingMargin(marginAccount(bot, except, released)) : freeCash(bot, except, released);
}

/**
 * Returns the free cash: the quote total less what working entries may still spend. Spot fees of a buy are paid in the asset,
 * so an order holds its remainder times its price, as at the exchange.
 *
 * @see docs/entries.md#size, docs/accounting.md#spot-balances, docs/accounting.md#cash-for-entries
 */
function freeCash(bot: Bot, except: ParentOrder | null, released: PairState | null): Quote {
  const { wallet, spendable } = bot.state;
  let available = spendable === undefined ? wallet.quote : Math.min(wallet.quote, spendable);
  for (const pair of bot.state.pairs) {
    const parent = pair.entry;
    if (pair.market === null) continue;
    if (pair !== released) available -= planReserve(pair);
    if (parent !== null && parent !== except) available -= restValue(pair, parent);
  }
  return Math.max(0, available);
}

/** Returns the value of the remainder of a parent order at its order's price. */
function restValue(pair: PairState, parent: ParentOrder): Quote {
  // A stop entry may buy above its price; the budget is all that it can cost.
  if (waitsForPrice(parent)) return parent.budget;
  const price = parent.order?.price || parent.firstPrice;
  return mulDiv(remainingEntry(parent), price, powerOfTen((pair.market as Market).assetDecimals), 'up');
}
