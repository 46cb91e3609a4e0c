import { recoveryCodes, sessions } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import { secondFactorsOf } from '../entrance.ts';
import type { Queries } from '../users.ts';

/**
 * After a second factor was removed: when it was the last one, the recovery codes stand for nothing any more, and no session
 * counts as begun with a second factor.
 */
export async function dropUnusable(tx: Queries, userId: number): Promise<void> {
  if ((await secondFactorsOf(tx, userId)).length > 0) return;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.update(sessions).set({ secondFactor: false }).where(eq(sessions.userId, userId));
}
