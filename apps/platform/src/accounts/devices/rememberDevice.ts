import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { devices, sessions as sessionTable } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, desc, eq, lt, notInArray, or, sql } from 'drizzle-orm';
import { createToken, hashToken } from '../../gateway/secretToken.ts';
import { type Session, type Sessions, USER_AGENT_MAX_LENGTH } from '../../gateway/sessions.ts';
import { forgetDevices } from '../core/endAccess.ts';
import { lockAccount } from '../core/lockAccount.ts';
import { rotateDevice } from './rotateDevice.ts';

/** A device that has not signed in for this long is forgotten. */
export const DEVICE_IDLE_DAYS = 90;
/** A further device replaces the device used longest ago. */
const DEVICES_PER_USER = 20;

/**
 * Remembers the device of a session and returns a token by which it signs in. A remembered device gets a new token.
 *
 * @returns the token, which is not stored
 * @throws CallError `not_logged_in` when the session has ended meanwhile
 */
export async function rememberDevice(
  database: Database,
  sessions: Sessions,
  session: Session,
  userAgent: string,
): Promise<string> {
  const token = createToken();
  const { token: fresh, ended } = await inTransaction(database, async (tx) => {
    await lockAccount(tx, session.userId);
    const isSame = eq(sessionTable.tokenHash, session.id);
    const open = await tx.select({ id: sessionTable.tokenHash }).from(sessionTable).where(isSame);
    if (open.length === 0) throw new CallError('not_logged_in');
    const { deviceId, secondFactor } = session;
    const isAgain = deviceId !== null && (await rotateDevice(tx, deviceId, { token, secondFactor }));
    if (isAgain) return { token, ended: null };
    const [made] = await tx
      .insert(devices)
      .values({
        userId: session.userId,
        tokenHash: hashToken(token),
        secondFactor: session.secondFactor,
        userAgent: userAgent.slice(0, USER_AGENT_MAX_LENGTH),
      })
      .returning({ id: devices.id });
    if (made === undefined) throw new Error('the device was not kept');
    await tx.update(sessionTable).set({ deviceId: made.id }).where(isSame);
    const newest = tx
      .select({ id: devices.id })
      .from(devices)
      .where(eq(devices.userId, session.userId))
      .orderBy(desc(devices.rotatedAt))
      .limit(DEVICES_PER_USER);
    const old = await tx
      .select({ id: devices.id })
      .from(devices)
      .where(
        and(
          eq(devices.userId, session.userId),
          or(
            notInArray(devices.id, newest),
            lt(devices.rotatedAt, sql`now() - make_interval(days => ${DEVICE_IDLE_DAYS})`),
          ),
        ),
      );
    return {
      token,
      ended: await forgetDevices(
        sessions,
        tx,
        old.map(({ id }) => id),
        session.id,
      ),
    };
  });
  ended?.afterCommit();
  return fresh;
}
