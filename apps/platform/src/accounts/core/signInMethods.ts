import { CallError } from '@heron/contract/http/errors.ts';
import { identities, passkeys } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import { lockAccount } from './lockAccount.ts';
import type { Queries } from './queries.ts';

/**
 * Removes a way into an account, unless it is the last one. The account is locked until the transaction ends, so that of two
 * removals at once neither takes the other for what is left.
 *
 * @param tx a transaction, to be rolled back when this throws
 * @throws CallError `last_way_in`, and what `remove` throws
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
  // By a code to e-mail or phone a new password can be set.
  const known = [user?.passwordHash, user?.email, user?.phone].some((way) => way !== null && way !== undefined);
  if (!known && keys.length + linked.length === 0) throw new CallError('last_way_in');
}
