import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { endAccess, forgetDevices } from '../endAccess.ts';
import { holdAccount } from '../holdAccount.ts';

/**
 * Ends a session, and its device logs in by itself no more.
 *
 * @see accounts.md 4, "Logout … deactivates all saved accounts"
 */
export async function logOut({ database, sessions }: Accounts, session: Session): Promise<void> {
  const ended = await inTransaction(database, async (tx) => {
    await holdAccount(tx, session.userId);
    const devices = session.deviceId === null ? [] : [session.deviceId];
    return [await sessions.endWithin(tx, { id: session.id }), await forgetDevices(sessions, tx, devices, null)];
  });
  for (const { tell } of ended) tell();
}

/**
 * Ends all sessions of the caller and forgets all devices, and disables integrations that neither this session nor its device has
 * added.
 *
 * @returns what was disabled
 */
export async function logOutEverywhere(
  { database, sessions, disableIntegrations }: Accounts,
  { session, address }: Caller<Session>,
): Promise<DisabledIntegration[]> {
  const { userId, uid } = session;
  const { ended, disabled } = await inTransaction(database, async (tx) => {
    await holdAccount(tx, userId);
    const ended = await endAccess(sessions, tx, userId, null);
    const disabled = await disableIntegrations(tx, userId, session);
    const details = { everywhere: true, disabled: disabled.integrations.length };
    await writeAudit(tx, { action: 'sessions.end', actorUid: uid, targetUid: uid, address, details });
    return { ended, disabled };
  });
  ended.tell();
  disabled.tell();
  return [...disabled.integrations];
}
