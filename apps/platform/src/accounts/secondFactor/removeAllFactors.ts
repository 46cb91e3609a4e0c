import { CallError } from '@heron/contract/http/errors.ts';
import { passkeys, totps } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq } from 'drizzle-orm';
import type { Accounts } from '../accounts.ts';
import { COMMAND_LINE, writeAudit } from '../audit.ts';
import { endAccess } from '../endAccess.ts';
import { holdAccount } from '../holdAccount.ts';
import { removeWayIn } from '../waysIn.ts';
import { dropUnusable } from './dropUnusable.ts';

/**
 * Removes app, passkeys and recovery codes of somebody who has lost them all, and ends whatever is open. Only whoever runs the
 * installation may: they must know by other means who asks for it.
 *
 * @throws CallError `not_found`, `second_factor_none`; `last_way_in` when nothing but a passkey opens the account
 */
export async function removeAllFactors(
  { database, sessions }: Pick<Accounts, 'database' | 'sessions'>,
  userId: number,
): Promise<void> {
  const ended = await inTransaction(database, async (tx) => {
    const held = await holdAccount(tx, userId);
    if (held === null || held.deletedAt !== null) throw new CallError('not_found');
    await removeWayIn(tx, userId, async () => {
      const apps = await tx.delete(totps).where(eq(totps.userId, userId)).returning({ id: totps.userId });
      const keys = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
      if (apps.length + keys.length === 0) throw new CallError('second_factor_none');
    });
    await dropUnusable(tx, userId);
    await writeAudit(tx, {
      action: 'second-factor.remove',
      actorUid: null,
      targetUid: held.uid,
      address: COMMAND_LINE,
      details: { kind: 'all' },
    });
    return endAccess(sessions, tx, userId, null);
  });
  ended.tell();
}
