import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { apiTokens, signalAddresses, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq, sql } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import type { Queries } from '../core/queries.ts';
import type { User } from '../core/users.ts';
import { type LockedPeople, lockPeople } from './lockPeople.ts';

/** The person who deletes an account, and their address. */
export type DeletionActor = {
  /** Null when the command line deletes the account. */
  readonly actorId: number | null;
  readonly address: string;
  readonly language: Language;
};

/**
 * Deletes an account so that it can be restored for 14 days: stops all bots, then ends all access. Deletes nothing when
 * the bots cannot be stopped.
 *
 * @param allow throws when the actor may not delete; called before anything is done, and again under the lock
 * @param spend uses up the proof of the actor in the transaction of the deletion
 * @throws CallError `not_found`, `last_administrator`, `bots_not_stopped`, and errors of `allow`
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
    await tx.delete(apiTokens).where(eq(apiTokens.userId, id));
    await tx.delete(signalAddresses).where(eq(signalAddresses.userId, id));
    return endAccess(sessions, tx, id, null);
  });
  ended.afterCommit();
  try {
    // A bot may have been started while the others stopped. Now nobody can start one.
    await bots.stopAll(id, language);
  } catch (error) {
    await inTransaction(database, async (tx) => {
      await tx.update(users).set({ deletedAt: null }).where(eq(users.id, id));
      await writeAudit(tx, { action: 'user.restore', actorUid: null, targetUid, address, details: { bots: true } });
    });
    throw error;
  }
}
