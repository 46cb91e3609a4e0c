import { recoveryCodes, sessions } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import { getSecondFactors } from '../core/secondFactors.ts';

/**
 * After the last second factor was removed, deletes the recovery codes and clears the second factor of all sessions.
 */
export async function cleanUpSecondFactors(tx: Queries, userId: number): Promise<void> {
  if ((await getSecondFactors(tx, userId)).length > 0) return;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.update(sessions).set({ secondFactor: false }).where(eq(sessions.userId, userId));
}
