import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { FailedPerson } from './eraseDeleted.ts';

/**
 * Stops bots of deleted accounts. The process that deleted an account may have ended before it stopped a bot that was
 * started at the last moment.
 *
 * @returns accounts whose bots could not be stopped, with the errors
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
        // A user who is restored meanwhile and starts a bot keeps it.
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
