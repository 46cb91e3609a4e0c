import type { Effect } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import { type Market, meetsMinimums, quantityFor } from '../market/market.ts';
import { formatUnits, mulDiv, type Price, type Quote, SCALE } from '../money/units.ts';
import { newIntent } from '../orders/intent.ts';
import { beginIntent } from '../orders/loop.ts';
import { makerPrice, worstEntryPrice } from '../orders/prices.ts';
import { availableQuote } from './available.ts';
import { buyLossGate, entryGate, quoteGate, slippageGate } from './gates.ts';
import type { Refused } from './refusal.ts';
import { refuse } from './refuse.ts';
import { entrySize } from './size.ts';

/** Entry asked for by the strategy: the gates in order, then size, then the order loop. @see options.md 3 */
export function strategyEntry(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  const refused = tryEntry(bot, pair, at, effects);
  if (refused) refuse(bot, pair, at, refused);
}

function tryEntry(bot: Bot, pair: PairState, at: number, effects: Effect[]): Refused | null {
  const refused = entryGate(bot, pair, at);
  if (refused) return refused;
  const { rules } = bot;
  const price = firstEntryPrice(bot, pair, rules.maker);
  const dear = buyLossGate(bot, pair, price);
  if (dear) return dear;
  const available = availableQuote(bot);
  const fee = rules.maker ? rules.makerFee : rules.takerFee;
  const size = entrySize(pair.market as Market, available, rules.buyShare, price, fee, rules.minBuy, rules.maxBuy);
  if (!size.ok) {
    return {
      gate: size.gate,
      inputs: { available: formatUnits(available), value: formatUnits(size.value), price: formatUnits(price) },
    };
  }
  if (!rules.maker) {
    const slips = slippageGate(bot, pair);
    if (slips) return slips;
  }
  const intent = newIntent({
    id: `${bot.state.nextIntent++}`,
    kind: 'entry',
    side: 'buy',
    reason: 'signal',
    openedAt: at,
    target: size.quantity,
    budget: size.budget,
    urgency: rules.maker ? 'maker' : 'taker',
  });
  beginIntent(bot, pair, intent, at, effects);
  return null;
}

/**
 * Entry by hand for `value` of the quote currency, fee inside. Not limited by pair count, quarantine or loss guard.
 *
 * @returns the intent's id, or why not
 * @see options.md 5.5
 */
export function manualEntry(
  bot: Bot,
  pair: PairState,
  value: Quote,
  order: 'maker' | 'taker',
  at: number,
  effects: Effect[],
): { ok: true; intentId: string } | ({ ok: false } & Refused) {
  if (bot.state.status !== 'working' || pair.market === null || pair.flag !== null) {
    return { ok: false, gate: 'not_ready', inputs: { status: bot.state.status } };
  }
  const working = pair.entry ?? pair.exit;
  if (working !== null) return { ok: false, gate: 'already_open', inputs: { intent: working.id, kind: working.kind } };
  const unquoted = quoteGate(bot, pair, at);
  if (unquoted) return { ok: false, ...unquoted };
  const price = firstEntryPrice(bot, pair, order === 'maker');
  const available = availableQuote(bot);
  if (value > available) {
    return {
      ok: false,
      gate: 'insufficient_balance',
      inputs: { available: formatUnits(available), value: formatUnits(value) },
    };
  }
  const fee = order === 'maker' ? bot.rules.makerFee : bot.rules.takerFee;
  const quantity = quantityFor(pair.market, mulDiv(value, SCALE, SCALE + fee, 'down'), price);
  if (!meetsMinimums(pair.market, price, quantity)) {
    return {
      ok: false,
      gate: 'below_minimum',
      inputs: { value: formatUnits(value), least: formatUnits(pair.market.minNotional) },
    };
  }
  const intent = newIntent({
    id: `${bot.state.nextIntent++}`,
    kind: 'entry',
    side: 'buy',
    reason: 'manual',
    openedAt: at,
    target: quantity,
    budget: value,
    urgency: order,
  });
  beginIntent(bot, pair, intent, at, effects);
  return { ok: true, intentId: intent.id };
}

/** First order price of a maker, worst accepted price of a taker. @see options.md 3.3 */
function firstEntryPrice(bot: Bot, pair: PairState, maker: boolean): Price {
  const market = pair.market as Market;
  const quote = pair.quote as NonNullable<PairState['quote']>;
  return maker
    ? makerPrice(market, 'buy', quote, bot.rules.markdown)
    : worstEntryPrice(market, quote, bot.rules.maxSlippage);
}
