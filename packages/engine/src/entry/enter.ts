import { effectiveLeverage } from '../ledger/brackets.ts';
import { setLeverage } from '../ledger/leverage.ts';
import type { Direction } from '../market/direction.ts';
import type { Market } from '../market/market.ts';
import { formatUnits, mulDiv, type Price, type Quote, type Ratio, SCALE } from '../money/units.ts';
import { startParentOrder } from '../orders/loop.ts';
import { availableQuote } from '../sizing/availableBalance.ts';
import { entrySize, orderValue } from '../sizing/entrySize.ts';
import { noRoom, positionRoom } from '../sizing/positionRoom.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { bracketsOf } from '../state/pairBrackets.ts';
import { createParentOrder, type Reason } from '../state/parentOrder.ts';
import { makerPrice, middle, worstTakerPrice } from '../state/quotePrices.ts';
import type { Refused } from '../state/refusal.ts';
import { refuse } from '../state/refuse.ts';
import type { Turn } from '../state/turn.ts';
import { buyLossGate, entryGate, entryShare, slippageGate } from './gates.ts';

/**
 * Enters by a signal of the strategy: the gates in order, then the size, then the order loop.
 *
 * @param reason `reverse` for the second half of a reversal, which `max_buy_loss_pct` does not hold back
 * @see docs/entries.md#gates, docs/entries.md#size
 */
export function strategyEntry(turn: Turn, direction: Direction, reason: Extract<Reason, 'signal' | 'reverse'>): void {
  const { bot, pair, at } = turn;
  const refused = tryEntry(turn, direction, reason);
  if (refused) refuse(bot, pair, at, refused);
}

function tryEntry(turn: Turn, direction: Direction, reason: Reason): Refused | null {
  const { bot, pair, at } = turn;
  const refused = entryGate(bot, pair, direction, at);
  if (refused) return refused;
  const { rules } = bot;
  const market = pair.market as Market;
  const first = firstOrderPrice(bot, pair, direction, rules.maker, rules.maxSlippage);
  if (reason !== 'reverse') {
    const dear = buyLossGate(bot, pair, direction, decidedAt(pair, rules.maker, first));
    if (dear) return dear;
  }
  const price = sizedAt(pair, direction, rules.maker, first);
  const available = availableQuote(bot, null);
  const fee = rules.maker ? rules.makerFee : rules.takerFee;
  const share = entryShare(bot, direction);
  const leverage = leverageFor(bot, pair, available, share, fee);
  const room = positionRoom(market, pair.holding, price);
  const max = rules.maxBuy > 0 && rules.maxBuy < room ? rules.maxBuy : room;
  if (max < rules.minBuy || max < market.minNotional) return noRoom(pair.holding);
  const size = entrySize(market, price, { available, share, fee, leverage, min: rules.minBuy, max });
  if (!size.ok) {
    if (size.value === room) return noRoom(pair.holding);
    return {
      gate: size.gate,
      inputs: { available: formatUnits(available), value: formatUnits(size.value), price: formatUnits(price) },
    };
  }
  if (!rules.maker) {
    const slips = slippageGate(bot, pair);
    if (slips) return slips;
  }
  const urgency = rules.maker ? 'maker' : 'taker';
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind: 'entry',
    direction,
    reason,
    openedAt: at,
    target: size.quantity,
    urgency,
  });
  parent.budget = size.budget;
  if (size.value === room) bot.observer.alarm(at, pair, 'size_limited');
  setMargin(turn, direction, leverage);
  startParentOrder(turn, parent, first);
  return null;
}

/**
 * Returns the leverage of a new entry: that of the option, or the maximum of the bracket of the wanted value.
 *
 * @see docs/entries.md#leverage-and-margin-mode
 */
export function leverageFor(bot: Bot, pair: PairState, available: Quote, share: Ratio, fee: Ratio): number {
  const { rules } = bot;
  if (!rules.future) return 1;
  const value = orderValue(mulDiv(available, share, SCALE, 'down'), fee, rules.leverage);
  const wanted = rules.maxBuy > 0 ? Math.min(value, rules.maxBuy) : value;
  return effectiveLeverage(bracketsOf(pair), wanted, rules.leverage);
}

/** Sets leverage and margin mode before an entry; an open position keeps its own. @see docs/entries.md#leverage-and-margin-mode */
export function setMargin(turn: Turn, direction: Direction, leverage: number): void {
  const { bot, pair } = turn;
  const { holding } = pair;
  if (!bot.rules.future || holding.quantity > 0) return;
  holding.side = direction;
  setLeverage(holding, leverage, bot.rules.isolated);
  rememberLowered(turn, leverage);
}

/**
 * Records once that a bracket lowers the leverage, until the wanted or the allowed leverage changes.
 *
 * @see docs/entries.md#leverage-and-margin-mode
 */
function rememberLowered(turn: Turn, leverage: number): void {
  const { bot, pair, at } = turn;
  const requested = bot.rules.leverage;
  if (leverage >= requested) {
    pair.lowered = null;
    return;
  }
  if (pair.lowered?.asked === requested && pair.lowered.leverage === leverage) return;
  pair.lowered = { asked: requested, leverage };
  bot.observer.leverage(at, pair, pair.lowered);
}

/**
 * Returns the price of the first order of an entry, which is its worst price: the maker price or the limit of a taker.
 *
 * @see docs/entries.md#size
 */
function firstOrderPrice(bot: Bot, pair: PairState, direction: Direction, maker: boolean, slippage: Ratio): Price {
  const market = pair.market as Market;
  const quote = pair.quote as NonNullable<PairState['quote']>;
  const side = direction === 1 ? 'buy' : 'sell';
  return maker ? makerPrice(market, side, quote, bot.rules.markdown) : worstTakerPrice(market, side, quote, slippage);
}

/**
 * Returns the price that the loss guard compares: that of the first order, or the reference price of a taker's slippage. The
 * worst price of a taker is limited by `max_slippage_pct` alone.
 *
 * @see docs/orders.md#slippage, docs/fills.md#re-entry-above-the-last-exit
 */
function decidedAt(pair: PairState, maker: boolean, first: Price): Price {
  return maker ? first : middle(pair.quote as NonNullable<PairState['quote']>);
}

/**
 * Returns the price at which an entry is sized.
 *
 * @see docs/entries.md#size, docs/invariants.md#futures, I-18
 */
export function sizingPrice(
  bot: Bot,
  pair: PairState,
  direction: Direction,
  maker: boolean,
  slippage = bot.rules.maxSlippage,
): Price {
  return sizedAt(pair, direction, maker, firstOrderPrice(bot, pair, direction, maker, slippage));
}

/**
 * Returns the price of the first order. A short by a taker needs the most margin at the middle of the book: sized at its worst
 * price it would exceed the available balance.
 */
function sizedAt(pair: PairState, direction: Direction, maker: boolean, first: Price): Price {
  return maker || direction === 1 ? first : middle(pair.quote as NonNullable<PairState['quote']>);
}
