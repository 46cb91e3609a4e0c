import { inTransaction } from '@heron/database/transaction.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { Accounts } from '../accounts.ts';
import { endAccess, forgetDevices } from '../endAccess.ts';
import { holdAccount } from '../holdAccount.ts';

/**
 * Ends a session, and its device logs in by itself no more; or everywhere.
 *
 * @see accounts.md 4, "Logout … deactivates all saved accounts"
 */
export async function logOut({ database, sessions }: Accounts, session: Session, everywhere: boolean): Promise<void> {
  const ended = await inTransaction(database, async (tx) => {
    await holdAccount(tx, session.userId);
    if (everywhere) return [await endAccess(sessions, tx, session.userId, null)];
    const devices = session.deviceId === null ? [] : [session.deviceId];
    return [await sessions.endWithin(tx, { id: session.id }), await forgetDevices(sessions, tx, devices, null)];
  });
  for (const { tell } of ended) tell();
}
