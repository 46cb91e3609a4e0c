import { deviceMethods } from '@heron/contract/accounts/deviceMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { devices } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, desc, eq } from 'drizzle-orm';
import { type Answering, forAnyone, forMembers } from '../../gateway/methods.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { forgetDevices } from '../endAccess.ts';
import { demandFreshProof } from '../guards.ts';
import { holdAccount } from '../holdAccount.ts';
import { unixSeconds, userById } from '../users.ts';
import { labelOf, logInByDevice } from './deviceLogin.ts';
import { rememberDevice } from './rememberDevice.ts';

/** What answers the methods of devices that log in by themselves. */
export function answerDevices(accounts: Accounts): Answering[] {
  const { database, sessions } = accounts;
  const { orm } = database;
  return [
    forMembers(deviceMethods.rememberDevice, async (_payload, { session, userAgent }) => {
      // A stolen session must not become a stay of months.
      await demandFreshProof(orm, session);
      const basename = labelOf(await userById(orm, session.userId));
      return { basename, basepass: await rememberDevice(database, sessions, session, userAgent) };
    }),
    forAnyone(deviceMethods.deviceLogin, ({ basepass, session }, caller) =>
      logInByDevice(accounts, basepass, caller, session),
    ),
    forMembers(deviceMethods.listDevices, async (_payload, { session }) => {
      const kept = await orm
        .select()
        .from(devices)
        .where(eq(devices.userId, session.userId))
        .orderBy(desc(devices.rotatedAt));
      return {
        devices: kept.map(({ id, userAgent, madeAt, rotatedAt }) => ({
          id,
          ...programOf(userAgent),
          made: unixSeconds(madeAt),
          used: unixSeconds(rotatedAt),
          current: id === session.deviceId,
        })),
      };
    }),
    forMembers(deviceMethods.forgetDevice, async ({ id }, { session, address }) => {
      const ended = await inTransaction(database, async (tx) => {
        await holdAccount(tx, session.userId);
        const own = and(eq(devices.id, id), eq(devices.userId, session.userId));
        const [device] = await tx.select({ id: devices.id }).from(devices).where(own);
        if (device === undefined) throw new CallError('not_found');
        await writeAudit(tx, { action: 'device.forget', actorUid: session.uid, targetUid: session.uid, address });
        return forgetDevices(sessions, tx, [id], session.id);
      });
      ended.tell();
      return {};
    }),
  ];
}
