import { devices, sessions as sessionTable, tickets, users } from '@heron/database/schema/accounts.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { EndedSessions, Sessions } from '../../gateway/sessions.ts';
import type { Queries } from './queries.ts';

/**
 * Ends all access to an account: sessions, remembered devices, and tickets of sign-ins and recoveries in progress.
 *
 * Sign-ins that have already proven something create no session either. Password changes, role changes and deletions
 * call it.
 *
 * @param tx a transaction that has locked the account with `lockAccount` and touched nothing else before
 * @param exceptSession the session of the caller, which continues without its device; null for none
 */
export async function endAccess(
  sessions: Sessions,
  tx: Queries,
  userId: number,
  exceptSession: string | null,
): Promise<EndedSessions> {
  await tx
    .update(users)
    .set({ accessEpoch: sql`${users.accessEpoch} + 1` })
    .where(eq(users.id, userId));
  await tx.delete(tickets).where(eq(tickets.userId, userId));
  // Deleting the devices first would delete their sessions without a call of the listeners.
  const ended = await sessions.endWithin(tx, { userId, except: exceptSession });
  await tx.update(sessionTable).set({ deviceId: null }).where(eq(sessionTable.userId, userId));
  await tx.delete(devices).where(eq(devices.userId, userId));
  return ended;
}

/**
 * Forgets remembered devices and ends their sessions.
 *
 * @param exceptSession continues even when it belongs to one of the devices
 */
export async function forgetDevices(
  sessions: Sessions,
  tx: Queries,
  ids: readonly string[],
  exceptSession: string | null,
): Promise<EndedSessions> {
  const deviceIds = [...ids];
  const ended = await sessions.endWithin(tx, { deviceIds, except: exceptSession });
  if (exceptSession !== null) {
    await tx
      .update(sessionTable)
      .set({ deviceId: null })
      .where(and(eq(sessionTable.tokenHash, exceptSession), inArray(sessionTable.deviceId, deviceIds)));
  }
  await tx.delete(devices).where(inArray(devices.id, deviceIds));
  return ended;
}
