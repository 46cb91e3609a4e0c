import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq, sql } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import type { Queries } from '../core/queries.ts';
import type { User } from '../core/users.ts';
import { type LockedPeople, lockPeople } from './lockPeople.ts';

/** Who deletes, and where from. */
export type DeletionActor = {
  /** Null: whoever runs the installation, by the command line. */
  readonly actorId: number | null;
  readonly address: string;
  readonly language: Language;
};

/**
 * Deletes somebody, for 14 days in such a way that it can be undone: first all bots stop; then nobody can log in, and all that
 * is open ends. When bots cannot be stopped, nothing is deleted.
 *
 * @param allow throws when the deleter may not; asked before anything is done, and again when nothing can change any more
 * @param spend uses up, in the transaction of the deletion, what has proven who deletes
 * @throws CallError `not_found`, `last_administrator`, `bots_not_stopped`, and what `allow` throws
 * @see findings-identity.md, "account deletion"
 */
export async function deletePerson(
  accounts: Pick<AccountDeps, 'database' | 'sessions' | 'bots'>,
  targetUid: number,
  { actorId, address, language }: DeletionActor,
  allow: (locked: LockedPeople) => void,
  spend: (tx: Queries) => Promise<void> = async () => {},
): Promise<void> {
  const { database, sessions, bots } = accounts;

  function decide(locked: LockedPeople): User {
    if (locked.target === null || locked.target.deletedAt !== null) throw new CallError('not_found');
    allow(locked);
    if (locked.isLastAdministrator) throw new CallError('last_administrator');
    return locked.target;
  }

  const { id } = decide(await lockPeople(database.orm, actorId, targetUid));
  await bots.stopAll(id, language);
  const ended = await inTransaction(database, async (tx) => {
    const locked = await lockPeople(tx, actorId, targetUid);
    decide(locked);
    await spend(tx);
    await tx.update(users).set({ deletedAt: sql`now()` }).where(eq(users.id, id));
    const by = { actorUid: locked.actor?.uid ?? null, targetUid, address };
    await writeAudit(tx, { ...by, action: 'user.delete', details: { own: locked.actor?.id === id } });
    return endAccess(sessions, tx, id, null);
  });
  ended.afterCommit();
  try {
    // One may have been started while the others stopped. From here on nobody can.
    await bots.stopAll(id, language);
  } catch (error) {
    await inTransaction(database, async (tx) => {
      await tx.update(users).set({ deletedAt: null }).where(eq(users.id, id));
      await writeAudit(tx, { action: 'user.restore', actorUid: null, targetUid, address, details: { bots: true } });
    });
    throw error;
  }
}
