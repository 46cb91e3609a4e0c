import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import { writeAudit } from '../core/audit.ts';

/**
 * Restores a deleted account that is not erased yet. Its bots stay stopped.
 *
 * @param by.actorUid null for the command line
 * @throws CallError `not_found`
 */
export async function restorePerson(
  database: Database,
  targetUid: number,
  by: { actorUid: number | null; address: string },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const restored = await tx
      .update(users)
      .set({ deletedAt: null })
      .where(and(eq(users.uid, targetUid), isNotNull(users.deletedAt)))
      .returning({ id: users.id });
    if (restored.length === 0) throw new CallError('not_found');
    await writeAudit(tx, { action: 'user.restore', targetUid, ...by });
  });
}
