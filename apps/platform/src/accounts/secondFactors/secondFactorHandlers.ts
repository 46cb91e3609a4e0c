import { hasRole } from '@heron/contract/accounts/roles.ts';
import { secondFactorMethods } from '@heron/contract/accounts/secondFactorMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { passkeys, totps } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, count, eq, isNotNull } from 'drizzle-orm';
import { forAnyone, forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { requireFreshProof } from '../core/guards.ts';
import { lockAccount } from '../core/lockAccount.ts';
import { getSecondFactors } from '../core/secondFactors.ts';
import { getInstallationSettings } from '../core/settings.ts';
import { getUser } from '../core/users.ts';
import { completeSignIn } from './completeSignIn.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from './recoveryCodes.ts';
import { removeFactor } from './removeFactor.ts';
import { confirmTotp, createTotp } from './totp.ts';

/** Returns the handlers of second factors. */
export function createSecondFactorHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database, keys, sessions, factors, securityAlerts } = accounts;
  const { orm } = database;

  return [
    forAnyone(secondFactorMethods.secondFactor, ({ ticket, session, ...shown }, caller) =>
      completeSignIn(accounts, { ticket, shown, session }, caller),
    ),
    forMembers(secondFactorMethods.secondFactorState, async (_payload, { session }) => {
      const { userId, groupId, secondFactor } = session;
      const kinds = await getSecondFactors(orm, userId);
      const [own] = await orm.select({ number: count() }).from(passkeys).where(eq(passkeys.userId, userId));
      return {
        totp: kinds.includes('totp'),
        passkeys: own?.number ?? 0,
        recoveryCodesLeft: await countRecoveryCodes(orm, userId),
        required: hasRole(groupId, 'editor') && (await getInstallationSettings(orm)).editorsNeedSecondFactor,
        sessionHasSecondFactor: secondFactor,
      };
    }),
    forMembers(secondFactorMethods.beginTotp, async (_payload, { session }) => {
      await requireFreshProof(orm, session);
      const { id, username, email, uid } = await getUser(orm, session.userId);
      return createTotp(orm, keys, id, username ?? email ?? String(uid));
    }),
    forMembers(secondFactorMethods.confirmTotp, async ({ code }, caller) => {
      const { session, address } = caller;
      await requireFreshProof(orm, session);
      const user = await getUser(orm, session.userId);
      const { id, uid } = user;
      const made: string[] = [];
      const right = await factors.withTryLimit(id, () =>
        inTransaction(database, async (tx) => {
          await lockAccount(tx, id);
          if (!(await confirmTotp(tx, keys, id, code))) return false;
          if ((await countRecoveryCodes(tx, id)) === 0) made.push(...(await replaceRecoveryCodes(tx, keys, id)));
          const details = { kind: 'totp' };
          await writeAudit(tx, { action: 'second-factor.add', actorUid: uid, targetUid: uid, address, details });
          return true;
        }),
      );
      if (!right) throw new CallError('totp_wrong');
      await sessions.recordProof(session.id, { second: true });
      securityAlerts.send(user, 'totp-added', caller);
      return { recoveryCodes: made };
    }),
    forMembers(secondFactorMethods.removeTotp, async (_payload, caller) => {
      await removeFactor(accounts, 'totp', caller, async (tx) => {
        const own = and(eq(totps.userId, caller.session.userId), isNotNull(totps.confirmedAt));
        const removed = await tx.delete(totps).where(own).returning({ userId: totps.userId });
        if (removed.length === 0) throw new CallError('not_found');
      });
      return {};
    }),
    forMembers(secondFactorMethods.newRecoveryCodes, async (_payload, caller) => {
      const { session, address } = caller;
      await requireFreshProof(orm, session);
      const user = await getUser(orm, session.userId);
      const { id, uid } = user;
      if ((await getSecondFactors(orm, id)).length === 0) throw new CallError('second_factor_none');
      const recoveryCodes = await inTransaction(database, async (tx) => {
        await lockAccount(tx, id);
        await writeAudit(tx, { action: 'second-factor.codes', actorUid: uid, targetUid: uid, address });
        return replaceRecoveryCodes(tx, keys, id);
      });
      securityAlerts.send(user, 'recovery-renewed', caller);
      return { recoveryCodes };
    }),
  ];
}
