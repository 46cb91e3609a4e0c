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
 * Gives an account an e-mail address or a phone number, instead of the one before, by the code that was sent there.
 *
 * @returns the account as it is now
 * @throws CallError `code_wrong`, and `email_taken` or `phone_taken`: who has proven to have it may know
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
      // What was begun by way of the old one, such as a recovery.
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
