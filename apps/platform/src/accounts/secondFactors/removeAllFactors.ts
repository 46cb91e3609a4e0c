import { CallError } from '@heron/contract/http/errors.ts';
import { passkeys, totps } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import { COMMAND_LINE, writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import { lockAccount } from '../core/lockAccount.ts';
import { removeSignInMethod } from '../core/signInMethods.ts';
import { cleanUpSecondFactors } from './cleanUpSecondFactors.ts';

/**
 * Removes the app, passkeys and recovery codes of a user who has lost them, and ends all access. Only for the command
 * line: the operator must verify the user by other means.
 *
 * @throws CallError `not_found`, `second_factor_none`; `last_way_in` when a passkey is the only sign-in method
 */
export async function removeAllFactors(
  { database, sessions }: Pick<AccountDeps, 'database' | 'sessions'>,
  userId: number,
): Promise<void> {
  const ended = await inTransaction(database, async (tx) => {
    const held = await lockAccount(tx, userId);
    if (held === null || held.deletedAt !== null) throw new CallError('not_found');
    await removeSignInMethod(tx, userId, async () => {
      const apps = await tx.delete(totps).where(eq(totps.userId, userId)).returning({ id: totps.userId });
      const keys = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
      if (apps.length + keys.length === 0) throw new CallError('second_factor_none');
    });
    await cleanUpSecondFactors(tx, userId);
    await writeAudit(tx, {
      action: 'second-factor.remove',
      actorUid: null,
      targetUid: held.uid,
      address: COMMAND_LINE,
      details: { kind: 'all' },
    });
    return endAccess(sessions, tx, userId, null);
  });
  ended.afterCommit();
}
