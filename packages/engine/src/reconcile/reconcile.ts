import type { Account } from '../ledger/account.ts';
import type { Quote } from '../money/units.ts';
import { reconcileCash } from './cash.ts';
import { reconcileFills } from './fills.ts';
import { othersHold, reconcileOrders } from './orders.ts';
import { reconcileQuantity } from './quantities.ts';
import { reconcileSettings } from './settings.ts';
import { type Action, type Memory, noMemory, type OurView, type TheirView } from './view.ts';

/** Result of a reconciliation. */
export interface Reconciliation {
  /** Actions to apply in this order. */
  readonly actions: readonly Action[];
  /** Memory for the next reconciliation. */
  readonly memory: Memory;
  /** Amount of the currency that orders of the user lock; it reduces A. */
  readonly othersHold: Quote;
}

/**
 * Compares the books of the bot with the exchange, every `sync_trade_time` and at the start. The exchange is the authority for
 * quantities and cash, the bot's log for reasons, cost and results. Differences become events, never silent changes. The inputs
 * are not changed.
 *
 * @see docs/accounting.md#ledger-events, docs/accounting.md#reconciliation
 */
export function reconcile(ours: OurView, theirs: TheirView, memory: Memory): Reconciliation {
  const account = copyOf(ours.account);
  const after = noMemory();
  const orders = reconcileOrders(ours, theirs);
  const actions = [...reconcileFills(account, ours, theirs), ...orders];
  const queried = orders.flatMap((action) => (action.type === 'query' ? [action.pair] : []));
  const unsettled = new Set([...ours.unbooked, ...queried]);
  for (const pair of theirs.pairs) {
    const mark = ours.marks[pair.pair] ?? 0;
    const settled = !unsettled.has(pair.pair);
    actions.push(
      ...reconcileSettings(account, pair, ours.brackets[pair.pair] ?? [], theirs.askedAt),
      ...reconcileQuantity({ account, theirs: pair, mark, settled, before: memory, after, at: theirs.askedAt }),
    );
  }
  actions.push(...reconcileCash(account, ours, theirs, unsettled.size === 0, [memory, after]));
  return { actions, memory: after, othersHold: othersHold(ours, theirs) };
}

function copyOf(account: Account): Account {
  const { wallet, holdings, applied } = account;
  return {
    ...account,
    wallet: { ...wallet, third: { ...wallet.third } },
    holdings: Object.fromEntries(Object.entries(holdings).map(([pair, holding]) => [pair, { ...holding }])),
    applied: { ...applied },
  };
}
