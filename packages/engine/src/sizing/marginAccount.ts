import { type MarginAccount, type MarginPosition, orderMargin } from '../ledger/margin.ts';
import { marginOf } from '../ledger/marginOf.ts';
import { mulDivUp, type Quote, SCALE } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { bracketsOf } from '../state/pairBrackets.ts';
import { type ParentOrder, remainingEntry, waitsForPrice } from '../state/parentOrder.ts';
import { planReserve } from './planReserve.ts';

/** Returns every position of a futures bot at its mark, except that of `except`. @see docs/margin.md#margin-of-positions-and-orders */
export function marginPositions({ state }: Bot, except: PairState | null): MarginPosition[] {
  const positions: MarginPosition[] = [];
  for (const pair of state.pairs) {
    const { holding, market, mark } = pair;
    if (pair === except || market === null || holding.quantity === 0) continue;
    positions.push({ holding, market, mark, brackets: bracketsOf(pair) });
  }
  return positions;
}

/**
 * Returns the margin account of a futures bot: wallet, positions at their marks, margin of working entries.
 *
 * @param except a parent order whose own order does not count
 * @param released a pair whose plan releases its reservation
 * @see docs/margin.md#free-margin
 */
export function marginAccount(bot: Bot, except: ParentOrder | null, released: PairState | null = null): MarginAccount {
  let orderMargins = 0;
  for (const pair of bot.state.pairs) {
    if (pair.entry !== null && pair.entry !== except) orderMargins += entryMargin(bot, pair, pair.entry);
    if (pair !== released) orderMargins += planMargin(bot, pair);
  }
  return { wallet: bot.state.wallet, positions: marginPositions(bot, null), orderMargins };
}

/**
 * Returns the margin that a plan reserves for its remaining entries, with or without open orders.
 *
 * @see docs/margin.md#margin-of-positions-and-orders
 */
function planMargin({ rules }: Bot, pair: PairState): Quote {
  const value = planReserve(pair);
  return value === 0 ? 0 : marginOf(value, pair.holding.leverage) + mulDivUp(value, rules.makerFee, SCALE);
}

/** Returns the margin that the remainder of a working entry needs. @see docs/margin.md#margin-of-positions-and-orders */
function entryMargin({ rules }: Bot, pair: PairState, parent: ParentOrder): Quote {
  const { market, quote, mark, holding } = pair;
  if (market === null) return 0;
  const fee = parent.urgency === 'maker' ? rules.makerFee : rules.takerFee;
  const price = parent.order?.price || parent.firstPrice;
  // The exchange does not hold it yet. Once it is sent, the market is at its price.
  if (waitsForPrice(parent)) return marginOf(parent.budget, holding.leverage) + mulDivUp(parent.budget, fee, SCALE);
  return orderMargin({
    market,
    side: parent.side,
    price,
    rest: remainingEntry(parent),
    last: quote?.last || mark,
    mark,
    leverage: holding.leverage,
    fee,
  });
}
