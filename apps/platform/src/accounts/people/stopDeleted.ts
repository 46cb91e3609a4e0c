import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { FailedPerson } from './eraseDeleted.ts';

/**
 * Stops what runs of those who are deleted: the process that deleted them may have ended before it had stopped a bot that they
 * started in the last moment, and they cannot log in to do it.
 *
 * @returns those whose bots could not be stopped this time, and why
 */
export async function stopDeleted({ database, bots }: Pick<AccountDeps, 'database' | 'bots'>): Promise<FailedPerson[]> {
  const failed: FailedPerson[] = [];
  const deleted = await database.orm
    .select({ id: users.id, uid: users.uid })
    .from(users)
    .where(isNotNull(users.deletedAt));
  for (const { id, uid } of deleted) {
    try {
      await inTransaction(database, async (tx) => {
        // Whoever is brought back meanwhile, and starts a bot, keeps it.
        const [still] = await tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.id, id), isNotNull(users.deletedAt)))
          .for('update', { skipLocked: true });
        if (still !== undefined) await bots.stopAll(id, 'en');
      });
    } catch (error) {
      failed.push({ uid, error });
    }
  }
  return failed;
}
