import { emailKey } from '@heron/contract/accounts/email.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { tickets, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import type { Recipient } from '../core/codes.ts';
import { isConstraintViolation } from '../core/constraintViolation.ts';
import { getUser, type User } from '../core/users.ts';

/**
 * Replaces the e-mail address or phone number of an account, confirmed by a code sent to the new one.
 *
 * @returns the changed account
 * @throws CallError `code_wrong`; `email_taken` or `phone_taken`, which only the owner of the address or number learns
 */
export async function changeContact(
  { database, codes, securityAlerts }: AccountDeps,
  recipient: Recipient,
  typedCode: string,
  caller: Caller<Session>,
): Promise<User> {
  const { userId } = caller.session;
  const code = await codes.check({ purpose: 'change', recipient, userId }, typedCode, caller);
  const before = await getUser(database.orm, userId);
  const { uid } = before;
  const byEmail = 'email' in recipient;
  try {
    await inTransaction(database, async (tx) => {
      await code.redeem(tx);
      await tx
        .update(users)
        .set(byEmail ? { email: recipient.email, emailKey: emailKey(recipient.email) } : { phone: recipient.phone })
        .where(eq(users.id, userId));
      // Tickets of the old address, such as those of a recovery, become invalid.
      await tx.delete(tickets).where(eq(tickets.userId, userId));
      await writeAudit(tx, {
        action: 'contact.change',
        actorUid: uid,
        targetUid: uid,
        address: caller.address,
        details: { kind: byEmail ? 'email' : 'phone' },
      });
    });
  } catch (error) {
    if (isConstraintViolation(error, 'not unique')) throw new CallError(byEmail ? 'email_taken' : 'phone_taken');
    throw error;
  }
  securityAlerts.send(before, byEmail ? 'email' : 'phone', caller);
  return getUser(database.orm, userId);
}
