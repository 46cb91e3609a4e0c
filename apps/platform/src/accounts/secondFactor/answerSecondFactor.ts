import { hasRole } from '@heron/contract/accounts/roles.ts';
import { secondFactorMethods } from '@heron/contract/accounts/secondFactorMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { passkeys, totps } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, count, eq, isNotNull } from 'drizzle-orm';
import { type Answering, forAnyone, forMembers } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { secondFactorsOf } from '../entrance.ts';
import { demandFreshProof } from '../guards.ts';
import { holdAccount } from '../holdAccount.ts';
import { installationSettings } from '../settings.ts';
import { userById } from '../users.ts';
import { completeLogin } from './completeLogin.ts';
import { recoveryCodesLeft, replaceRecoveryCodes } from './recoveryCodes.ts';
import { removeFactor } from './removeFactor.ts';
import { beginTotp, confirmTotp } from './totp.ts';

/** What answers the methods of second factors. */
export function answerSecondFactor(accounts: Accounts): Answering[] {
  const { database, keys, sessions, factors, notices } = accounts;
  const { orm } = database;

  return [
    forAnyone(secondFactorMethods.secondFactor, ({ ticket, session, ...shown }, caller) =>
      completeLogin(accounts, { ticket, shown, session }, caller),
    ),
    forMembers(secondFactorMethods.secondFactorState, async (_payload, { session }) => {
      const { userId, groupId, secondFactor } = session;
      const kinds = await secondFactorsOf(orm, userId);
      const [own] = await orm.select({ number: count() }).from(passkeys).where(eq(passkeys.userId, userId));
      return {
        totp: kinds.includes('totp'),
        passkeys: own?.number ?? 0,
        recovery_codes_left: await recoveryCodesLeft(orm, userId),
        required: hasRole(groupId, 'editor') && (await installationSettings(orm)).editorsNeedSecondFactor,
        in_session: secondFactor,
      };
    }),
    forMembers(secondFactorMethods.beginTotp, async (_payload, { session }) => {
      await demandFreshProof(orm, session);
      const { id, username, email, uid } = await userById(orm, session.userId);
      return beginTotp(orm, keys, id, username ?? email ?? String(uid));
    }),
    forMembers(secondFactorMethods.confirmTotp, async ({ code }, caller) => {
      const { session, address } = caller;
      await demandFreshProof(orm, session);
      const user = await userById(orm, session.userId);
      const { id, uid } = user;
      const made: string[] = [];
      const right = await factors.limited(id, () =>
        inTransaction(database, async (tx) => {
          await holdAccount(tx, id);
          if (!(await confirmTotp(tx, keys, id, code))) return false;
          if ((await recoveryCodesLeft(tx, id)) === 0) made.push(...(await replaceRecoveryCodes(tx, keys, id)));
          const details = { kind: 'totp' };
          await writeAudit(tx, { action: 'second-factor.add', actorUid: uid, targetUid: uid, address, details });
          return true;
        }),
      );
      if (!right) throw new CallError('totp_wrong');
      await sessions.noteProof(session.id, { second: true });
      notices.tell(user, 'totp-added', caller);
      return { recovery_codes: made };
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
      await demandFreshProof(orm, session);
      const user = await userById(orm, session.userId);
      const { id, uid } = user;
      if ((await secondFactorsOf(orm, id)).length === 0) throw new CallError('second_factor_none');
      const recovery_codes = await inTransaction(database, async (tx) => {
        await holdAccount(tx, id);
        await writeAudit(tx, { action: 'second-factor.codes', actorUid: uid, targetUid: uid, address });
        return replaceRecoveryCodes(tx, keys, id);
      });
      notices.tell(user, 'recovery-renewed', caller);
      return { recovery_codes };
    }),
  ];
}
