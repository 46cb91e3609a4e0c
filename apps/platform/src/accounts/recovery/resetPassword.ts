import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { codeTarget, type Recipient } from '../core/codes.ts';
import { endAccess } from '../core/endAccess.ts';
import { getIdentifiers } from '../core/identifiers.ts';
import { lockAccount } from '../core/lockAccount.ts';
import { hashNewPassword } from '../core/passwords/hashNewPassword.ts';
import type { Queries } from '../core/queries.ts';
import { findOwner, recipientUnknown, requireOwner } from '../core/recipients.ts';
import { issueTicket, redeemTicket, tryTicket } from '../core/tickets.ts';
import type { User } from '../core/users.ts';

const TICKET_SECONDS = 600;
/** Passwords that one ticket may try, because each is hashed. */
const TICKET_TRIES = 20;

/** Proof that the caller owns the account. */
type Evidence = { readonly code: string } | { readonly ticket: string };

/**
 * Verifies a code, which stays valid, and issues a ticket for the reset.
 *
 * @throws CallError `code_wrong`, `too_many_requests`; `email_unknown`, `phone_unknown`, `account_deleted`, which only
 *   the owner learns
 */
export async function checkRecoveryCode(
  { database, codes }: AccountDeps,
  recipient: Recipient,
  code: string,
  caller: Caller,
): Promise<string> {
  const before = await findOwner(database.orm, recipient);
  await codes.check({ purpose: 'recover', recipient }, code, caller);
  const user = await requireOwner(database.orm, recipient);
  return inTransaction(database, async (tx) => {
    const held = await lockAccount(tx, user.id);
    // The code was correct, and another call has reset the password meanwhile.
    if (held?.accessEpoch !== before?.accessEpoch) throw new CallError('code_wrong');
    const data = { target: codeTarget(recipient) };
    return issueTicket(tx, 'reset-password', { userId: user.id, data, seconds: TICKET_SECONDS });
  });
}

/**
 * Sets a new password by a code or a ticket. Ends all sessions and devices, disables all integrations, and uses up the
 * code and all tickets of the account. A rejected password leaves code and ticket valid.
 *
 * @returns how many integrations were disabled
 * @throws CallError `code_wrong`, `ticket_used`, `email_unknown`, `phone_unknown`, `account_deleted`,
 *   `too_many_requests`, or as `checkPassword`
 */
export async function resetPassword(
  accounts: AccountDeps,
  recipient: Recipient,
  evidence: Evidence,
  password: string,
  caller: Caller,
): Promise<number> {
  const { database, sessions, codes, securityAlerts, throttle, disableIntegrations } = accounts;
  const { user, redeem } = await verifyEvidence(accounts, recipient, evidence, caller);
  const passwordHash = await hashNewPassword(database.orm, password, [user.username, user.email, user.phone]);
  const { ended, disabled } = await inTransaction(database, async (tx) => {
    // Concurrent resets by ticket and by code wait here for each other.
    await lockAccount(tx, user.id);
    if ((await requireOwner(tx, recipient)).id !== user.id) throw recipientUnknown(recipient);
    await redeem(tx);
    await codes.discard(tx, { purpose: 'recover', recipient });
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    const ended = await endAccess(sessions, tx, user.id, null);
    const disabled = await disableIntegrations(tx, user.id, null);
    const details = { disabled: disabled.integrations.length };
    const { address } = caller;
    await writeAudit(tx, { action: 'password.reset', actorUid: null, targetUid: user.uid, address, details });
    return { ended, disabled };
  });
  ended.afterCommit();
  disabled.afterCommit();
  securityAlerts.send(user, 'password', caller);
  if (caller.session?.userId === user.id) caller.clearSessionCookie();
  // The owner must not be throttled because of the attempts of others.
  await throttle.rememberAddress(getIdentifiers(user), caller.address);
  return disabled.integrations.length;
}

/** Verifies the proof. @returns the account, and the function that uses up the proof */
async function verifyEvidence(
  { database, codes }: AccountDeps,
  recipient: Recipient,
  evidence: Evidence,
  caller: Caller,
): Promise<{ user: User; redeem(tx: Queries): Promise<void> }> {
  const right = 'code' in evidence ? await codes.check({ purpose: 'recover', recipient }, evidence.code, caller) : null;
  const ticket = 'ticket' in evidence ? evidence.ticket : null;
  if (ticket !== null) {
    const held = await tryTicket(database.orm, 'reset-password', ticket, TICKET_TRIES);
    if (held === null || held.data.target !== codeTarget(recipient)) throw new CallError('ticket_used');
  }
  const user = await requireOwner(database.orm, recipient);
  return {
    user,
    async redeem(tx) {
      await right?.redeem(tx);
      if (ticket === null) return;
      const redeemed = await redeemTicket(tx, 'reset-password', ticket);
      if (redeemed?.userId !== user.id) throw new CallError('ticket_used');
    },
  };
}
