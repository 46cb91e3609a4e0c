import { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { passkeys } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, asc, eq } from 'drizzle-orm';
import { persistentLimiter, take } from '../../gateway/limits.ts';
import { type Answering, type Caller, forAnyone, forMembers } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { demandFreshProof } from '../guards.ts';
import { holdAccount } from '../holdAccount.ts';
import { recoveryCodesLeft, replaceRecoveryCodes } from '../secondFactor/recoveryCodes.ts';
import { removeFactor } from '../secondFactor/removeFactor.ts';
import { unixSeconds, userById } from '../users.ts';
import { creationOptions, requestOptions } from './ceremony.ts';
import { relyingParty } from './relyingParty.ts';
import { usePasskey } from './usePasskey.ts';
import { verifyRegistration } from './verifyRegistration.ts';

/** Logins by passkey of one address: each makes a challenge. */
const LOGINS = { name: 'passkey-login', points: 300, seconds: 900 };
const NAME_LONGEST = 30;

/** What answers the methods of passkeys. */
export function answerPasskeys(accounts: Accounts): Answering[] {
  const { database, keys, sessions, entrance, notices, publicUrl } = accounts;
  const { orm } = database;
  const logins = persistentLimiter(database, LOGINS);
  const siteOf = ({ origin }: Caller) => relyingParty(publicUrl, origin);

  return [
    forMembers(passkeyMethods.beginPasskeyRegistration, async (_payload, caller) => {
      await demandFreshProof(orm, caller.session);
      const user = await userById(orm, caller.session.userId);
      return { options: await creationOptions(database, siteOf(caller), user) };
    }),
    forMembers(passkeyMethods.finishPasskeyRegistration, async ({ response, name: typed }, caller) => {
      const { session, address } = caller;
      await demandFreshProof(orm, session);
      const user = await userById(orm, session.userId);
      const { id: userId, uid } = user;
      const made = await verifyRegistration(orm, siteOf(caller), user, response);
      const name = shownName(typed);
      const recovery_codes = await inTransaction(database, async (tx) => {
        await holdAccount(tx, userId);
        const added = await tx
          .insert(passkeys)
          .values({ ...made, name })
          .onConflictDoNothing()
          .returning();
        if (added.length === 0) throw new CallError('passkey_refused');
        const details = { kind: 'passkey' };
        await writeAudit(tx, { action: 'second-factor.add', actorUid: uid, targetUid: uid, address, details });
        return (await recoveryCodesLeft(tx, userId)) === 0 ? replaceRecoveryCodes(tx, keys, userId) : [];
      });
      await sessions.noteProof(session.id, { second: true });
      notices.tell(user, 'passkey-added', caller);
      return { id: made.id, name, recovery_codes };
    }),
    forMembers(passkeyMethods.listPasskeys, async (_payload, { session }) => {
      const own = await orm
        .select()
        .from(passkeys)
        .where(eq(passkeys.userId, session.userId))
        .orderBy(asc(passkeys.madeAt));
      return {
        passkeys: own.map(({ id, name, madeAt, usedAt }) => ({
          id,
          name,
          made_at: unixSeconds(madeAt),
          used_at: usedAt === null ? null : unixSeconds(usedAt),
        })),
      };
    }),
    forMembers(passkeyMethods.renamePasskey, async ({ id, name: typed }, { session }) => {
      const name = shownName(typed);
      const renamed = await orm.update(passkeys).set({ name }).where(ownKey(session.userId, id)).returning();
      if (renamed.length === 0) throw new CallError('not_found');
      return { name };
    }),
    forMembers(passkeyMethods.removePasskey, async ({ id }, caller) => {
      await removeFactor(accounts, 'passkey', caller, async (tx) => {
        const removed = await tx.delete(passkeys).where(ownKey(caller.session.userId, id)).returning();
        if (removed.length === 0) throw new CallError('not_found');
      });
      return {};
    }),
    forAnyone(passkeyMethods.beginPasskeyLogin, async (_payload, caller) => {
      await take(logins, caller.address);
      return { options: await requestOptions(database, siteOf(caller)) };
    }),
    forAnyone(passkeyMethods.finishPasskeyLogin, async ({ response, session }, caller) => {
      const user = await usePasskey(orm, siteOf(caller), response);
      if (user === null) throw new CallError('passkey_refused');
      return entrance.enter(user, caller, session, { secondFactor: true });
    }),
  ];
}

/** @param id as it was sent: the database refuses NUL */
function ownKey(userId: number, id: string) {
  return and(eq(passkeys.userId, userId), eq(passkeys.id, id.replaceAll('\0', '')));
}

/** Without signs that nobody sees; never empty. */
function shownName(typed: string): string {
  const name = [...typed.normalize('NFKC').replace(/\p{C}/gu, '').trim()].slice(0, NAME_LONGEST).join('');
  return name === '' ? 'Passkey' : name;
}
