import { deviceMethods } from '@heron/contract/accounts/deviceMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { devices } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, desc, eq } from 'drizzle-orm';
import { forAnyone, forMembers, type MethodHandler } from '../../gateway/methods.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { forgetDevices } from '../core/endAccess.ts';
import { requireFreshProof } from '../core/guards.ts';
import { lockAccount } from '../core/lockAccount.ts';
import { unixSeconds } from '../core/unixSeconds.ts';
import { getUser } from '../core/users.ts';
import { rememberDevice } from './rememberDevice.ts';
import { deviceLabel, signInByDevice } from './signInByDevice.ts';

/** Returns the handlers of remembered devices. */
export function createDeviceHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database, sessions } = accounts;
  const { orm } = database;
  return [
    forMembers(deviceMethods.rememberDevice, async (_payload, { session, userAgent }) => {
      // Otherwise a stolen session would give access for months.
      await requireFreshProof(orm, session);
      const basename = deviceLabel(await getUser(orm, session.userId));
      return { basename, basepass: await rememberDevice(database, sessions, session, userAgent) };
    }),
    forAnyone(deviceMethods.deviceLogin, ({ basepass, session }, caller) =>
      signInByDevice(accounts, basepass, caller, session),
    ),
    forMembers(deviceMethods.listDevices, async (_payload, { session }) => {
      const kept = await orm
        .select()
        .from(devices)
        .where(eq(devices.userId, session.userId))
        .orderBy(desc(devices.rotatedAt));
      return {
        devices: kept.map(({ id, userAgent, createdAt, rotatedAt }) => ({
          id,
          ...programOf(userAgent),
          made: unixSeconds(createdAt),
          used: unixSeconds(rotatedAt),
          current: id === session.deviceId,
        })),
      };
    }),
    forMembers(deviceMethods.forgetDevice, async ({ id }, { session, address }) => {
      const ended = await inTransaction(database, async (tx) => {
        await lockAccount(tx, session.userId);
        const own = and(eq(devices.id, id), eq(devices.userId, session.userId));
        const [device] = await tx.select({ id: devices.id }).from(devices).where(own);
        if (device === undefined) throw new CallError('not_found');
        await writeAudit(tx, { action: 'device.forget', actorUid: session.uid, targetUid: session.uid, address });
        return forgetDevices(sessions, tx, [id], session.id);
      });
      ended.afterCommit();
      return {};
    }),
  ];
}
