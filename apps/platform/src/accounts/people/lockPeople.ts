import { SUPER_ADMINISTRATOR } from '@heron/contract/accounts/roles.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { eq, or } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import type { User } from '../core/users.ts';

/** Those whom an act concerns, as they are and stay until its transaction ends. */
export type LockedPeople = {
  /** Null when there is nobody of that number, or they are deleted and erased. */
  readonly actor: User | null;
  readonly target: User | null;
  /** The target is the one super administrator that there is. */
  readonly isLastAdministrator: boolean;
};

/**
 * Reads and locks who acts, whom it is done to, and all super administrators, always in the same order, so that two who act on
 * each other at once come one after the other.
 *
 * @param actorId null when nobody who is logged in acts
 */
export async function lockPeople(tx: Queries, actorId: number | null, targetUid: number): Promise<LockedPeople> {
  const rows = await tx
    .select()
    .from(users)
    .where(
      or(
        eq(users.groupId, SUPER_ADMINISTRATOR),
        eq(users.uid, targetUid),
        actorId === null ? undefined : eq(users.id, actorId),
      ),
    )
    .orderBy(users.id)
    .for('no key update');
  const administrators = rows.filter((row) => row.groupId === SUPER_ADMINISTRATOR && row.deletedAt === null);
  return {
    actor: rows.find((row) => row.id === actorId) ?? null,
    target: rows.find((row) => row.uid === targetUid) ?? null,
    isLastAdministrator: administrators.length === 1 && administrators[0]?.uid === targetUid,
  };
}
