import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { devices, sessions as sessionTable } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, ne } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { forgetDevices } from '../core/endAccess.ts';
import { lockAccount } from '../core/lockAccount.ts';

/**
 * Ends one session of the caller and forgets its device, which would otherwise sign in again.
 *
 * @param publicId from the list
 * @returns id of the session
 * @throws CallError `not_found`
 */
export async function endSession(
  { database, sessions }: AccountDeps,
  publicId: string,
  { session, address }: Caller<Session>,
): Promise<string> {
  const { id, ended } = await inTransaction(database, async (tx) => {
    await lockAccount(tx, session.userId);
    const [found] = await tx
      .select({ id: sessionTable.tokenHash, deviceId: sessionTable.deviceId })
      .from(sessionTable)
      .where(and(eq(sessionTable.publicId, publicId), eq(sessionTable.userId, session.userId)));
    if (found === undefined) throw new CallError('not_found');
    await writeAudit(tx, { action: 'sessions.end', actorUid: session.uid, targetUid: session.uid, address });
    const alone = await sessions.endWithin(tx, { id: found.id });
    const withDevice = await forgetDevices(sessions, tx, found.deviceId === null ? [] : [found.deviceId], null);
    return { id: found.id, ended: [alone, withDevice] };
  });
  for (const { afterCommit } of ended) afterCommit();
  return id;
}

/**
 * Ends all other sessions of the caller and disables integrations that were added by them, so that other places lose
 * all access to the account.
 */
export async function endOtherSessions(
  { database, sessions, disableIntegrations }: AccountDeps,
  { session, address }: Caller<Session>,
): Promise<{ ended: number; disabled: DisabledIntegration[] }> {
  const { userId, uid } = session;
  const { others, disabled } = await inTransaction(database, async (tx) => {
    await lockAccount(tx, userId);
    const others = await sessions.endWithin(tx, { userId, except: session.id });
    const ownDevice = session.deviceId === null ? undefined : ne(devices.id, session.deviceId);
    await tx.delete(devices).where(and(eq(devices.userId, userId), ownDevice));
    const disabled = await disableIntegrations(tx, userId, session);
    const details = { others: true, disabled: disabled.integrations.length };
    await writeAudit(tx, { action: 'sessions.end', actorUid: uid, targetUid: uid, address, details });
    return { others, disabled };
  });
  others.afterCommit();
  disabled.afterCommit();
  return { ended: others.count, disabled: [...disabled.integrations] };
}
