import type { Account } from '../ledger/account.ts';
import { applyLedgerEvent, isApplied, type LedgerEvent } from '../ledger/events.ts';
import { forcedPart } from '../ledger/forcedPart.ts';
import { recordHeldSince } from '../ledger/heldSince.ts';
import { emptyHolding } from '../ledger/holding.ts';
import type { Action, OurView, TheirFill, TheirView } from './view.ts';

/**
 * Returns the fills and funding that the account lacks, oldest first, and applies them to `account`, a copy.
 *
 * @see docs/bot-lifecycle.md#reconciliation, docs/accounting.md#missing-fills
 */
export function reconcileFills(account: Account, ours: OurView, { fills, incomes }: TheirView): Action[] {
  const { prefix } = ours;
  const heldSince = { ...ours.heldSince };
  // Fills of the user's own orders are no trades of the bot; they show in quantities and cash.
  const own = fills.filter(({ clientOrderId, forced }) => forced !== undefined || clientOrderId.startsWith(prefix));
  const missing = [
    ...own.map((fill) => ({ at: fill.at, fill, income: null })),
    ...incomes.map((income) => ({ at: income.at, fill: null, income })),
  ].sort((a, b) => a.at - b.at);
  const actions: Action[] = [];
  const record = (event: LedgerEvent) => {
    applyLedgerEvent(account, event);
    actions.push({ type: 'book', event });
  };
  for (const { fill: reported, income } of missing) {
    if (reported === null) {
      if (!isApplied(account, income)) record(income);
      continue;
    }
    const { pair } = reported;
    const holding = account.holdings[pair] ?? emptyHolding();
    const fill = reported.forced === undefined ? reported : forcedPart(holding, heldSince[pair] ?? 0, reported);
    if (fill === null) continue;
    const before = { ...holding };
    for (const event of missingEvents(account, fill, prefix)) record(event);
    recordHeldSince(heldSince, pair, before, holding, fill.at);
  }
  return actions;
}

/** Returns the event of a fill, after the adjustment that a late fill needs; none when the fill is booked already. */
function missingEvents(account: Account, fill: TheirFill, prefix: string): LedgerEvent[] {
  const event = eventOf(fill, prefix);
  if (isApplied(account, event)) return [];
  const reduces = fill.forced === undefined && (fill.exit || (account.kind === 'spot' && fill.side === 'sell'));
  const adjustment = reduces ? adjustedTooEarly(account, fill) : null;
  return adjustment === null ? [event] : [adjustment, event];
}

/**
 * Returns an adjustment for a late fill of an exit whose quantity a reconciliation removed before. It restores the missing
 * quantity at the price of the fill. The result of the fill is then its fee, and nothing is closed twice.
 */
export function adjustedTooEarly(
  account: Account,
  fill: Pick<TheirFill, 'id' | 'at' | 'pair' | 'side' | 'price' | 'quantity' | 'fee' | 'feeAsset'>,
): Extract<LedgerEvent, { type: 'adjust' }> | null {
  const { id, at, pair, price } = fill;
  const holding = account.holdings[pair];
  const direction = fill.side === 'sell' ? 1 : -1;
  // A position that was reversed meanwhile is left to the comparison of quantities.
  if (holding === undefined || (holding.quantity > 0 && holding.side !== direction)) return null;
  const out = fill.quantity + (fill.feeAsset === account.markets[pair]?.base ? fill.fee : 0);
  const quantityDelta = out - holding.quantity;
  if (quantityDelta <= 0) return null;
  return { type: 'adjust', id: `late-${id}`, at, pair, quantityDelta, side: direction, price, why: 'late_fill' };
}

function eventOf(fill: TheirFill, prefix: string): Extract<LedgerEvent, { type: 'fill' }> {
  const { id, at, pair, side, price, quantity, liquidity, fee, feeAsset, feePrice, clientOrderId: order } = fill;
  const parent = order.slice(prefix.length, order.lastIndexOf('-'));
  const event = {
    type: 'fill',
    id,
    at,
    pair,
    order,
    intent: parent,
    side,
    price,
    quantity,
    liquidity,
    fee,
    feeAsset,
  } as const;
  return {
    ...event,
    ...(feePrice === undefined ? {} : { feePrice }),
    ...(fill.pnl === undefined ? {} : { realizedByExchange: fill.pnl }),
  };
}
