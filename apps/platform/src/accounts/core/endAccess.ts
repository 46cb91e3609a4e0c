import { devices, sessions as sessionTable, tickets, users } from '@heron/database/schema/accounts.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { EndedSessions, Sessions } from '../../gateway/sessions.ts';
import type { Queries } from './queries.ts';

/**
 * Ends every way that is open into an account: sessions, devices that log in by themselves, and tickets of logins and resets
 * that have begun, also those that are on their way: whoever has proven something before is not let in any more. What changes
 * who may enter calls it: change and reset of the password, a new role, deletion.
 *
 * @param tx a transaction in which nothing but the account was touched before, by `holdAccount` or as it does
 * @param keptSession the session of who asks for it, which goes on without its device; null for none
 * @see findings-identity.md, "session life"
 */
export async function endAccess(
  sessions: Sessions,
  tx: Queries,
  userId: number,
  keptSession: string | null,
): Promise<EndedSessions> {
  await tx
    .update(users)
    .set({ accessEpoch: sql`${users.accessEpoch} + 1` })
    .where(eq(users.id, userId));
  await tx.delete(tickets).where(eq(tickets.userId, userId));
  // Before the devices, with which they would vanish unheard.
  const ended = await sessions.endWithin(tx, { userId, except: keptSession });
  await tx.update(sessionTable).set({ deviceId: null }).where(eq(sessionTable.userId, userId));
  await tx.delete(devices).where(eq(devices.userId, userId));
  return ended;
}

/**
 * Devices no longer log in by themselves, and their sessions end.
 *
 * @param keptSession goes on even if it is of one of them
 */
export async function forgetDevices(
  sessions: Sessions,
  tx: Queries,
  ids: readonly string[],
  keptSession: string | null,
): Promise<EndedSessions> {
  const deviceIds = [...ids];
  const ended = await sessions.endWithin(tx, { deviceIds, except: keptSession });
  if (keptSession !== null) {
    await tx
      .update(sessionTable)
      .set({ deviceId: null })
      .where(and(eq(sessionTable.tokenHash, keptSession), inArray(sessionTable.deviceId, deviceIds)));
  }
  await tx.delete(devices).where(inArray(devices.id, deviceIds));
  return ended;
}
