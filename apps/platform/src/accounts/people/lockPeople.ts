import { SUPER_ADMINISTRATOR } from '@heron/contract/accounts/roles.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { eq, or } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import type { User } from '../core/users.ts';

/** The people whom an act concerns, locked until its transaction ends. */
export type LockedPeople = {
  /** Null when no account has this id, or it was erased. */
  readonly actor: User | null;
  readonly target: User | null;
  /** Whether the target is the only super administrator. */
  readonly isLastAdministrator: boolean;
};

/**
 * Locks the actor, the target and all super administrators, always in the same order, so that two concurrent acts
 * cannot deadlock.
 *
 * @param actorId null for the command line
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
