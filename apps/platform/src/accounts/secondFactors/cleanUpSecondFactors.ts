import { recoveryCodes, sessions } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import { getSecondFactors } from '../core/secondFactors.ts';

/**
 * After a second factor was removed: when it was the last one, the recovery codes stand for nothing any more, and no session
 * counts as begun with a second factor.
 */
export async function cleanUpSecondFactors(tx: Queries, userId: number): Promise<void> {
  if ((await getSecondFactors(tx, userId)).length > 0) return;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.update(sessions).set({ secondFactor: false }).where(eq(sessions.userId, userId));
}
