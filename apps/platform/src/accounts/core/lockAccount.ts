import { users } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { Queries } from './queries.ts';
import type { User } from './users.ts';

/**
 * Lets nothing else open or end access to an account until the transaction ends. Comes before its sessions, devices, tickets
 * and factors are touched: so no two transactions wait for each other, and what was looked at afterwards stays as it is.
 *
 * @param tx a transaction
 * @returns the account as it is and stays, also one that is deleted; null when it is erased
 */
export async function lockAccount(tx: Queries, userId: number): Promise<User | null> {
  // Rows that merely refer to the account do not wait for it.
  const [held] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update');
  return held ?? null;
}
