import type { Account } from '../ledger/account.ts';
import type { Bracket } from '../ledger/brackets.ts';
import { applyLedgerEvent, type LedgerEvent } from '../ledger/events.ts';
import type { Action, TheirPair } from './view.ts';

/**
 * Returns the changes of leverage, margin mode, brackets and filters by the exchange, applied to `account`, a copy.
 *
 * @param known present brackets
 * @see docs/accounting.md#exchange-settings
 */
export function reconcileSettings(
  account: Account,
  theirs: TheirPair,
  known: readonly Bracket[],
  at: number,
): Action[] {
  const { pair, leverage, isolated, market } = theirs;
  const actions: Action[] = [];
  const holding = account.holdings[pair];
  const before = account.markets[pair];
  if (holding === undefined || before === undefined) return actions;
  if (account.kind === 'futures' && (holding.leverage !== leverage || holding.isolated !== isolated)) {
    const event: LedgerEvent = { type: 'leverage', id: `sync-${at}`, at, pair, leverage, isolated };
    applyLedgerEvent(account, event);
    actions.push({ type: 'book', event });
  }
  // The margin is compared only when the bot holds the whole position. It differs by changes of the user and by rounding.
  const { margin } = theirs;
  const whole = holding.quantity > 0 && theirs.quantity === holding.side * holding.quantity;
  if (whole && holding.isolated && margin !== undefined && margin !== holding.margin) {
    const event: LedgerEvent = { type: 'margin', id: `sync-${at}`, at, pair, margin };
    applyLedgerEvent(account, event);
    actions.push({ type: 'book', event });
  }
  const brackets = theirs.brackets.length > 0 ? theirs.brackets : known;
  if (!sameFields(before, market) || !sameBrackets(known, brackets)) {
    actions.push({ type: 'settings', pair, market, brackets });
  }
  return actions;
}

function sameBrackets(a: readonly Bracket[], b: readonly Bracket[]): boolean {
  return a.length === b.length && a.every((one, level) => sameFields(one, b[level] as Bracket));
}

function sameFields<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((key) => a[key] === b[key]);
}
