import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import { requireFreshProof, requireSecondFactor } from '../core/guards.ts';
import { hashNewPassword } from '../core/passwords/hashNewPassword.ts';
import { verifyOwnPassword } from '../core/passwords/verifyOwnPassword.ts';
import { getUser } from '../core/users.ts';

/**
 * Changes the password of the caller, or sets one where there is none. Setting one, and changing one of an account with
 * a second factor, needs a fresh proof. Ends all other sessions and devices and disables integrations that they have
 * added. One of several concurrent changes succeeds.
 *
 * @throws CallError `password_empty`, `password_wrong`, `proof_needed`, `too_many_requests`, or as `checkPassword`
 */
export async function changePassword(
  accounts: AccountDeps,
  typed: { old: string | undefined; new: string },
  caller: Caller<Session>,
): Promise<DisabledIntegration[]> {
  const { database, sessions, securityAlerts, disableIntegrations } = accounts;
  const user = await getUser(database.orm, caller.session.userId);
  const demand = user.passwordHash === null ? requireFreshProof : requireSecondFactor;
  await demand(database.orm, caller.session);
  if (user.passwordHash !== null) await verifyOwnPassword(accounts, user, typed.old ?? '', caller.address);
  const passwordHash = await hashNewPassword(database.orm, typed.new, [user.username, user.email, user.phone]);
  const { ended, disabled } = await inTransaction(database, async (tx) => {
    const unchanged =
      user.passwordHash === null ? isNull(users.passwordHash) : eq(users.passwordHash, user.passwordHash);
    const changed = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, user.id), unchanged))
      .returning();
    if (changed.length === 0) throw new CallError('password_wrong');
    const ended = await endAccess(sessions, tx, user.id, caller.session.id);
    const disabled = await disableIntegrations(tx, user.id, caller.session);
    await writeAudit(tx, {
      action: 'password.change',
      actorUid: user.uid,
      targetUid: user.uid,
      address: caller.address,
      details: { disabled: disabled.integrations.length },
    });
    return { ended, disabled };
  });
  ended.afterCommit();
  disabled.afterCommit();
  securityAlerts.send(user, 'password', caller);
  return [...disabled.integrations];
}
