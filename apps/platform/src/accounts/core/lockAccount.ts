import { users } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { Queries } from './queries.ts';
import type { User } from './users.ts';

/**
 * Locks an account until the transaction ends, so that no other transaction opens or ends access to it.
 *
 * Call it before touching sessions, devices, tickets or factors, so that transactions do not deadlock.
 *
 * @param tx a transaction
 * @returns the locked account, also when it is deleted; null when it is erased
 */
export async function lockAccount(tx: Queries, userId: number): Promise<User | null> {
  // This lock does not block inserts of rows that refer to the account.
  const [held] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update');
  return held ?? null;
}
