import { SLIPPAGE } from '../../../entities/bot/display/tradeOptions.ts';
import { readAmount } from '../../../lib/amount.ts';
import { amountFields, type EntryAmount, NO_AMOUNT } from './orderAmount.ts';
import type { ManualOrder } from './orderPreview.ts';

/** Shares of a position that a manual exit offers, in percent. */
export const SHARES = ['25', '50', '75', '100'] as const;

/** How an order gets its price; a limit order is post-only by a choice of its own. */
export type OrderKind = Exclude<ManualOrder['type'], 'post_only'>;

/** A manual order as it is typed: numbers are still text. */
export interface OrderDraft {
  readonly kind: OrderKind;
  /** Price of a limit or stop order. */
  readonly price: string;
  readonly postOnly: boolean;
  readonly direction: 'long' | 'short';
  readonly amount: EntryAmount;
  /** Share of a position to sell, in percent. */
  readonly percent: string;
  readonly slippage: string;
  /** Whether the position gets price exits as it opens. */
  readonly protects: boolean;
  readonly exits: ExitDraft;
}

/** The prices of a price exit as they are typed; empty for none. */
export interface ExitDraft {
  readonly stopLoss: string;
  readonly takeProfit: string;
}

export const NO_EXITS: ExitDraft = { stopLoss: '', takeProfit: '' };

/** Returns the draft of a new order. @param slippage that of the user's options, in percent */
export function newOrderDraft(slippage: number): OrderDraft {
  return {
    kind: 'taker',
    price: '',
    postOnly: false,
    direction: 'long',
    amount: NO_AMOUNT,
    percent: '100',
    slippage: String(slippage),
    protects: false,
    exits: NO_EXITS,
  };
}

/** The facts about an order that its draft does not contain. */
export interface OrderScope {
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  readonly short: boolean;
  /** Direction of the position that is held. */
  readonly held: 'long' | 'short' | null;
}

/** Returns the order of a draft as far as it is typed validly. Its preview then has what can be known already. */
export function writtenOrder(draft: OrderDraft, { pair, side, short, held }: OrderScope): ManualOrder {
  const slippage = usesSlippage(draft.kind) ? slippageField(draft.slippage) : {};
  if (side === 'sell') return { pair, side, type: draft.kind, short, percent: Number(draft.percent), ...slippage };
  const price = readPrice(draft.price);
  const order = { pair, side, short, ...amountFields(draft.amount), ...slippage, ...exitFields(draft, held) };
  if (!needsPrice(draft.kind)) return { ...order, type: draft.kind };
  // Without its price it cannot be previewed; the limits of an order at market are close.
  if (price === null) return { pair, side, short, type: 'taker' };
  return { ...order, price, type: draft.kind === 'limit' && draft.postOnly ? 'post_only' : draft.kind };
}

/** Returns whether a kind of order has a price of the user. */
export function needsPrice(kind: OrderKind): boolean {
  return kind === 'limit' || kind === 'stop';
}

/** Returns whether a kind of order fills at market, within a slippage. */
export function usesSlippage(kind: OrderKind): boolean {
  return kind === 'taker' || kind === 'stop';
}

/** Returns a price as it is sent; null unless it is a number above 0. */
export function readPrice(text: string): string | null {
  const price = readAmount(text);
  return price !== null && /[1-9]/.test(price) ? price : null;
}

/** Returns the prices of a price exit as they are sent. */
export function readExits({ stopLoss, takeProfit }: ExitDraft): Pick<ManualOrder, 'stopLoss' | 'takeProfit'> {
  const [stop, target] = [readPrice(stopLoss), readPrice(takeProfit)];
  return { ...(stop !== null && { stopLoss: stop }), ...(target !== null && { takeProfit: target }) };
}

/** Returns whether a new position may get price exits with its entry: only one that the order opens. */
export function mayProtect(side: 'buy' | 'sell', held: OrderScope['held']): boolean {
  return side === 'buy' && held === null;
}

function exitFields({ protects, exits }: OrderDraft, held: OrderScope['held']) {
  return protects && mayProtect('buy', held) ? readExits(exits) : {};
}

function slippageField(text: string): Pick<ManualOrder, 'slippagePercent'> {
  const percent = percentOf(text);
  const [min, max] = SLIPPAGE;
  return percent >= min && percent <= max ? { slippagePercent: percent } : {};
}

/** Returns a typed percentage; NaN where it is none. */
export function percentOf(text: string): number {
  return Number(readAmount(text) ?? Number.NaN);
}

/** A field of an order that is wrong, and how. */
export type OrderFault =
  | { readonly field: 'amount'; readonly why: 'missing' }
  | { readonly field: 'slippage'; readonly why: 'range' }
  | { readonly field: 'price'; readonly why: 'missing' }
  | ExitFault;

/** A fault of a price exit: no price is given, one is no number, or it is reached already. */
export type ExitFault =
  | { readonly field: 'stopLoss' | 'takeProfit'; readonly why: 'missing' | 'malformed' }
  | { readonly field: 'stopLoss' | 'takeProfit'; readonly why: 'below' | 'above'; readonly price: string };

/**
 * Returns what is wrong with a draft before it is sent.
 *
 * @param reference price at which the exits of a position would be compared now; null while unknown
 */
export function orderFaults(draft: OrderDraft, scope: OrderScope, reference: string | null): OrderFault[] {
  const faults: OrderFault[] = [];
  const { kind } = draft;
  if (usesSlippage(kind) && slippageField(draft.slippage).slippagePercent === undefined) {
    faults.push({ field: 'slippage', why: 'range' });
  }
  if (scope.side === 'sell') return faults;
  const price = readPrice(draft.price);
  if (needsPrice(kind) && price === null) faults.push({ field: 'price', why: 'missing' });
  if (Object.keys(amountFields(draft.amount)).length === 0) faults.push({ field: 'amount', why: 'missing' });
  if (!draft.protects || !mayProtect(scope.side, scope.held)) return faults;
  const at = expectedEntry(draft, scope.short, reference);
  return [...faults, ...exitFaults(draft.exits, scope.short ? 'short' : 'long', at)];
}

/** Returns the price with which the price exits of an entry are compared: a limit that the market improves on is filled at the market. */
export function expectedEntry(
  { kind, price: text }: OrderDraft,
  short: boolean,
  reference: string | null,
): string | null {
  const price = readPrice(text);
  if (!needsPrice(kind)) return reference;
  if (kind === 'stop' || price === null || reference === null) return price;
  return Number(price) < Number(reference) === short ? reference : price;
}

/** Returns what is wrong with the prices of a price exit of a position. @param reference see {@link orderFaults} */
export function exitFaults(exits: ExitDraft, direction: 'long' | 'short', reference: string | null): ExitFault[] {
  const { stopLoss, takeProfit } = exits;
  if (stopLoss.trim() === '' && takeProfit.trim() === '') return [{ field: 'stopLoss', why: 'missing' }];
  const long = direction === 'long';
  return [
    ...exitFault('stopLoss', stopLoss, long ? 'below' : 'above', reference),
    ...exitFault('takeProfit', takeProfit, long ? 'above' : 'below', reference),
  ];
}

/** @param side on which the price must lie */
function exitFault(
  field: ExitFault['field'],
  text: string,
  side: 'below' | 'above',
  reference: string | null,
): ExitFault[] {
  if (text.trim() === '') return [];
  const price = readPrice(text);
  if (price === null) return [{ field, why: 'malformed' }];
  if (reference === null) return [];
  const isRight = side === 'below' ? Number(price) < Number(reference) : Number(price) > Number(reference);
  return isRight ? [] : [{ field, why: side, price: reference }];
}
