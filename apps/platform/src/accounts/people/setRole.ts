import { type GroupId, SUPER_ADMINISTRATOR } from '@heron/contract/accounts/roles.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import { lockPeople } from './lockPeople.ts';

/**
 * Changes the role of a user and ends all their access, so that no session keeps the old role.
 *
 * @param groupId null for a member
 * @param by.actorId null for the command line
 * @throws CallError `not_found`, `last_administrator`, `admins_only` when the actor has lost the role
 */
export async function setRole(
  { database, sessions }: Pick<AccountDeps, 'database' | 'sessions'>,
  targetUid: number,
  groupId: GroupId | null,
  by: { actorId: number | null; address: string },
): Promise<void> {
  const ended = await inTransaction(database, async (tx) => {
    const { actor, target, isLastAdministrator } = await lockPeople(tx, by.actorId, targetUid);
    const mayAct = by.actorId === null || (actor?.groupId === SUPER_ADMINISTRATOR && actor.deletedAt === null);
    if (!mayAct) throw new CallError('admins_only');
    if (target === null || target.deletedAt !== null) throw new CallError('not_found');
    if (target.groupId === groupId) return null;
    if (isLastAdministrator) throw new CallError('last_administrator');
    await tx.update(users).set({ groupId }).where(eq(users.id, target.id));
    await writeAudit(tx, {
      action: 'user.role',
      actorUid: actor?.uid ?? null,
      targetUid,
      address: by.address,
      details: { from: target.groupId, to: groupId },
    });
    return endAccess(sessions, tx, target.id, null);
  });
  ended?.afterCommit();
}
