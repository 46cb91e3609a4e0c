import { handle } from '../bot/handle.ts';
import { type ManualLimits, manualGate, manualLimits } from '../entry/manualEntry.ts';
import type { PricedEntry } from '../entry/manualPrice.ts';
import { marginOf } from '../ledger/marginOf.ts';
import { floorStep, type Market } from '../market/market.ts';
import { exact, formatUnits, mulDiv, powerOfTen } from '../money/units.ts';
import { releaseStopEntry } from '../orders/loop.ts';
import type { BotSession } from '../session/botSession.ts';
import { feeDecimals } from '../session/journal.ts';
import { positionLevels } from '../session/positionLevels.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import { type Bot, createBot } from '../state/bot.ts';
import type { Command, Effect } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import type { LiveOrder, ParentOrder } from '../state/parentOrder.ts';
import type { Refused } from '../state/refusal.ts';
import { silentObserver } from '../state/silentObserver.ts';
import type { Turn } from '../state/turn.ts';
import { simulateFills } from './simulateFills.ts';

/** A manual order that may lack its amount, as long as its owner has entered none. */
export type PreviewedOrder = OrderCommand | WithoutAmount<EntryCommand>;

type EntryCommand = Extract<Command, { type: 'buy' }>;
type WithoutAmount<Entry> = Entry extends unknown ? Omit<Entry, 'value' | 'quantity'> : never;
type OrderCommand = Extract<Command, { type: 'buy' | 'sell' }>;

/** Estimate of an order that would be placed now; amounts are exact decimals as text. */
export interface OrderEstimate {
  /** Type and limit of its first child order; a limit of null is none. */
  readonly type: LiveOrder['type'];
  readonly limitPrice: string | null;
  /** Average price; null when nothing would be filled. */
  readonly price: string | null;
  readonly quantity: string;
  /** Order value in the quote currency. */
  readonly value: string;
  /** Futures entries: margin of the order. */
  readonly margin: string | null;
  readonly fee: string;
  readonly feeAsset: string;
  readonly feeQuote: string;
  /** Entries: value and fee; on futures margin and fee. */
  readonly cost: string | null;
  /** Exits: net result. */
  readonly realised: string | null;
  /** Futures entries: liquidation price of the position afterwards; null for none. */
  readonly liquidationPrice: string | null;
  /** Entries: the nearest stop-loss of the position afterwards; null for none. */
  readonly stopLossPrice: string | null;
}

/** Result that a manual order would have now. */
export interface OrderPreview {
  readonly side: 'buy' | 'sell';
  readonly direction: 'long' | 'short';
  /** Leverage of the order; null on spot. */
  readonly leverage: number | null;
  readonly marginMode: 'isolated' | 'cross' | null;
  /** Entries: what the order may cost at most. */
  readonly available: string | null;
  /** Largest quantity of the order; of an exit the position. */
  readonly availableQuantity: string | null;
  /** Entries: the least that an order may cost. */
  readonly minimum: string | null;
  readonly minimumQuantity: string | null;
  /** Why the order would be refused; null while it would not. */
  readonly refused: Refused | null;
  /** Null when it would be refused, and without an amount. */
  readonly estimate: OrderEstimate | null;
}

/**
 * Returns what a manual order would do at `at`. It executes the order on a copy of the bot, with the handlers of the real order, and
 * fills it from the newest quote. The bot itself does not change, and nothing is sent or recorded.
 *
 * @returns null when the bot does not have the pair
 * @see docs/orders.md#order-preview
 */
export function previewOrder(session: PreviewedSession, order: PreviewedOrder, at: number): OrderPreview | null {
  const bot = copyOf(session);
  const pair = bot.state.pairs.find((candidate) => candidate.pair === order.pair);
  if (pair === undefined) return null;
  const limits = limitsOf(bot, pair, order);
  const terms = termsOf(bot, pair, order, limits);
  if (session.synced === false) {
    return { ...terms, refused: { gate: 'not_ready', inputs: { flag: 'loading' } }, estimate: null };
  }
  if (!hasAmount(order)) {
    const refused = manualGate({ bot, pair, at, effects: [] }, pricedEntry(order));
    return { ...terms, refused, estimate: null };
  }
  const effects: Effect[] = [];
  const result = handle(bot, { type: 'command', at, command: order }, effects);
  if (!result.ok)
    return { ...terms, refused: { gate: result.gate as Refused['gate'], inputs: result.inputs }, estimate: null };
  const parent = order.type === 'buy' ? pair.entry : pair.exit;
  const leverage = terms.leverage === null ? null : pair.holding.leverage;
  if (parent === null) return { ...terms, leverage, refused: null, estimate: null };
  if (order.type === 'buy') reachStopEntry({ bot, pair, at, effects }, parent);
  // A working exit that this one joins has fills already.
  const before = { ...parent };
  const first = simulateFills(bot, parent, effects, at);
  return {
    ...terms,
    leverage,
    refused: null,
    estimate: first && estimateOf(bot, pair, filledSince(before, parent), first),
  };
}

/** A session; a live one knows whether it has its account. */
type PreviewedSession = BotSession & { readonly synced?: boolean };

function hasAmount(order: PreviewedOrder): order is OrderCommand {
  return order.type === 'sell' || 'value' in order || 'quantity' in order;
}

function copyOf({ bot }: BotSession): Bot {
  return createBot(structuredClone(bot.state), silentObserver);
}

function limitsOf(bot: Bot, pair: PairState, order: PreviewedOrder): ManualLimits | null {
  if (order.type === 'sell') return null;
  return manualLimits(bot, pair, pricedEntry(order));
}

function pricedEntry(order: EntryCommand | WithoutAmount<EntryCommand>): PricedEntry {
  return { direction: order.short === true ? -1 : 1, pricing: order, exits: order.exits };
}

/** Moves the market of a copy to the price of a stop entry, and sends its order. */
function reachStopEntry(turn: Turn, entry: ParentOrder): void {
  const { pair } = turn;
  const { stopEntry, side } = entry;
  if (stopEntry === undefined || pair.quote === null) return;
  const moved = stopEntry.price - (side === 'buy' ? pair.quote.ask : pair.quote.bid);
  const { bid, ask } = pair.quote;
  pair.quote = { ...pair.quote, bid: Math.max(0, bid + moved), ask: Math.max(0, ask + moved), last: stopEntry.price };
  releaseStopEntry(turn, entry);
}

function termsOf(bot: Bot, pair: PairState, order: PreviewedOrder, limits: ManualLimits | null) {
  const { market, position, holding } = pair;
  const short = order.type === 'buy' ? order.short === true : position?.direction === -1;
  const buys = (order.type === 'buy') !== short;
  const asset = (units: number) => formatUnits(units, (market as Market).assetDecimals);
  const held = market === null || order.type === 'buy' ? null : asset(floorStep(market, holding.quantity));
  const keeps = order.type === 'sell' || holding.quantity > 0;
  const isolated = keeps ? holding.isolated : bot.rules.isolated;
  const future = bot.rules.future;
  return {
    side: buys ? ('buy' as const) : ('sell' as const),
    direction: short ? ('short' as const) : ('long' as const),
    leverage: future ? (keeps || limits === null ? holding.leverage : limits.leverage) : null,
    marginMode: future ? (isolated ? ('isolated' as const) : ('cross' as const)) : null,
    available: limits && formatUnits(limits.available),
    availableQuantity: limits ? asset(limits.availableQuantity) : held,
    minimum: limits && formatUnits(limits.minimum),
    minimumQuantity: limits && asset(limits.minimumQuantity),
  };
}

/** Returns a parent order with only the fills after `before`. */
function filledSince(before: ParentOrder, after: ParentOrder): ParentOrder {
  return {
    ...after,
    filled: exact(after.filled - before.filled),
    notional: exact(after.notional - before.notional),
    fee: exact(after.fee - before.fee),
    feeQuote: exact(after.feeQuote - before.feeQuote),
    realised: exact(after.realised - before.realised),
  };
}

function estimateOf(bot: Bot, pair: PairState, parent: ParentOrder, first: LiveOrder): OrderEstimate {
  const market = pair.market as Market;
  const { filled, notional, fee, feeAsset, feeQuote, kind } = parent;
  const enters = kind === 'entry';
  const margin = bot.rules.future && enters ? marginOf(notional, pair.holding.leverage) : null;
  const liquidation = enters ? liquidationPriceOf(bot, pair) : 0;
  const stop = enters ? nearestStop(bot, pair) : null;
  const average = filled === 0 ? null : mulDiv(notional, powerOfTen(market.assetDecimals), filled);
  return {
    type: first.type,
    limitPrice: first.price === 0 ? null : formatUnits(first.price),
    price: average === null ? null : formatUnits(average),
    quantity: formatUnits(filled, market.assetDecimals),
    value: formatUnits(notional),
    margin: margin === null ? null : formatUnits(margin),
    fee: formatUnits(fee, feeDecimals(market, feeAsset)),
    feeAsset: feeAsset || market.quote,
    feeQuote: formatUnits(feeQuote),
    cost: enters ? formatUnits(exact((margin ?? notional) + feeQuote)) : null,
    realised: enters ? null : formatUnits(parent.realised),
    liquidationPrice: liquidation > 0 ? formatUnits(liquidation) : null,
    stopLossPrice: stop,
  };
}

/** Returns the price of the stop-loss that triggers first; null without one. */
function nearestStop(bot: Bot, pair: PairState): string | null {
  const { position, market } = pair;
  if (position === null || market === null) return null;
  const stops = positionLevels(bot, pair, position, market).filter(({ kind }) => kind === 'stop');
  if (stops.length === 0) return null;
  const prices = stops.map(({ price }) => price);
  return formatUnits(position.direction === 1 ? Math.max(...prices) : Math.min(...prices));
}
