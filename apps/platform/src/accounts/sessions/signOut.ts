import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess, forgetDevices } from '../core/endAccess.ts';
import { lockAccount } from '../core/lockAccount.ts';

/** Ends a session and forgets its device. */
export async function signOut({ database, sessions }: AccountDeps, session: Session): Promise<void> {
  const ended = await inTransaction(database, async (tx) => {
    await lockAccount(tx, session.userId);
    const devices = session.deviceId === null ? [] : [session.deviceId];
    return [await sessions.endWithin(tx, { id: session.id }), await forgetDevices(sessions, tx, devices, null)];
  });
  for (const { afterCommit } of ended) afterCommit();
}

/**
 * Ends all sessions of the caller, forgets all devices, and disables integrations that neither this session nor its
 * device has added.
 *
 * @returns the disabled integrations
 */
export async function signOutEverywhere(
  { database, sessions, disableIntegrations }: AccountDeps,
  { session, address }: Caller<Session>,
): Promise<DisabledIntegration[]> {
  const { userId, uid } = session;
  const { ended, disabled } = await inTransaction(database, async (tx) => {
    await lockAccount(tx, userId);
    const ended = await endAccess(sessions, tx, userId, null);
    const disabled = await disableIntegrations(tx, userId, session);
    const details = { everywhere: true, disabled: disabled.integrations.length };
    await writeAudit(tx, { action: 'sessions.end', actorUid: uid, targetUid: uid, address, details });
    return { ended, disabled };
  });
  ended.afterCommit();
  disabled.afterCommit();
  return [...disabled.integrations];
}
