import type { Account } from '../ledger/account.ts';
import { applyLedgerEvent, isApplied, type LedgerEvent } from '../ledger/events.ts';
import { mulDiv } from '../money/units.ts';
import type { Action, OurView, TheirFill, TheirView } from './view.ts';

/**
 * Fills and funding that the account does not have, oldest first. They are applied to `account`, a copy.
 *
 * @see accounting.md 5 (1); options.md 4.1 sync_trade_time (3)
 */
export function reconcileFills(account: Account, { prefix }: OurView, { fills, incomes }: TheirView): Action[] {
  // Fills of the user's own orders are no trades of the bot; what they change shows in quantities and cash.
  const own = fills.filter(({ clientOrderId, forced }) => forced !== undefined || clientOrderId.startsWith(prefix));
  const missing = [
    ...own.map((fill) => ({ event: eventOf(fill, prefix), exit: fill.exit, forced: fill.forced !== undefined })),
    ...incomes.map((event) => ({ event, exit: false, forced: false })),
  ].sort((a, b) => a.event.at - b.event.at);
  const actions: Action[] = [];
  for (const { event: told, exit, forced } of missing) {
    const event = forced && told.type === 'fill' ? ownPart(account, told) : told;
    if (event === null || isApplied(account, event)) continue;
    const reduces = event.type === 'fill' && !forced && (exit || (account.kind === 'spot' && event.side === 'sell'));
    const back = reduces ? takenTooEarly(account, event) : null;
    for (const each of back === null ? [event] : [back, event]) {
      applyLedgerEvent(account, each);
      actions.push({ type: 'book', event: each });
    }
  }
  return actions;
}

type FillEvent = Extract<LedgerEvent, { type: 'fill' }>;

/** What of a forced closing was the account's own position; null when it was none of it. */
function ownPart(account: Account, fill: FillEvent): FillEvent | null {
  const holding = account.holdings[fill.pair];
  if (holding === undefined || holding.quantity === 0) return null;
  if ((fill.side === 'buy') !== (holding.side === -1)) return null;
  if (fill.quantity <= holding.quantity) return fill;
  const { quantity } = holding;
  const { realizedByExchange: pnl, ...rest } = fill;
  const share = (amount: number) => mulDiv(amount, quantity, fill.quantity);
  const part: FillEvent = { ...rest, quantity, fee: share(fill.fee) };
  return pnl === undefined ? part : { ...part, realizedByExchange: share(pnl) };
}

/**
 * An exit whose fill came so late that an adjustment took its quantity away before: what is lacking comes back at the
 * price of the fill, so that the fill itself has its fee for a result, and nothing is closed twice.
 */
export function takenTooEarly(
  account: Account,
  fill: Pick<TheirFill, 'id' | 'at' | 'pair' | 'side' | 'price' | 'quantity' | 'fee' | 'feeAsset'>,
): Extract<LedgerEvent, { type: 'adjust' }> | null {
  const { id, at, pair, price } = fill;
  const holding = account.holdings[pair];
  const direction = fill.side === 'sell' ? 1 : -1;
  // A position that was turned round meanwhile cannot be told apart; the quantities will show it.
  if (holding === undefined || (holding.quantity > 0 && holding.side !== direction)) return null;
  const out = fill.quantity + (fill.feeAsset === account.markets[pair]?.base ? fill.fee : 0);
  const quantityDelta = out - holding.quantity;
  if (quantityDelta <= 0) return null;
  return { type: 'adjust', id: `late-${id}`, at, pair, quantityDelta, side: direction, price, why: 'late_fill' };
}

function eventOf(fill: TheirFill, prefix: string): FillEvent {
  const { id, at, pair, side, price, quantity, liquidity, fee, feeAsset, feePrice, clientOrderId: order } = fill;
  const intent = order.slice(prefix.length, order.lastIndexOf('-'));
  const event = { type: 'fill', id, at, pair, order, intent, side, price, quantity, liquidity, fee, feeAsset } as const;
  return {
    ...event,
    ...(feePrice === undefined ? {} : { feePrice }),
    ...(fill.pnl === undefined ? {} : { realizedByExchange: fill.pnl }),
  };
}
