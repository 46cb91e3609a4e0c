import { CallError } from '@heron/contract/http/errors.ts';
import { identities, passkeys } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import { lockAccount } from './lockAccount.ts';
import type { Queries } from './queries.ts';

/**
 * Removes a sign-in method of an account unless it is the last one. Locks the account until the transaction ends, so
 * that two concurrent removals cannot remove the last two methods.
 *
 * @param tx a transaction, to be rolled back when this throws
 * @throws CallError `last_way_in`, and errors of `remove`
 */
export async function removeSignInMethod(tx: Queries, userId: number, remove: () => Promise<void>): Promise<void> {
  const user = await lockAccount(tx, userId);
  await remove();
  const keys = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1);
  const linked = await tx
    .select({ provider: identities.provider })
    .from(identities)
    .where(eq(identities.userId, userId))
    .limit(1);
  // A code sent to the e-mail address or phone can set a new password.
  const known = [user?.passwordHash, user?.email, user?.phone].some((way) => way !== null && way !== undefined);
  if (!known && keys.length + linked.length === 0) throw new CallError('last_way_in');
}
