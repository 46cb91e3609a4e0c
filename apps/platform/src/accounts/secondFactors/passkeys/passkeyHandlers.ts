import { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { passkeys } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, asc, eq } from 'drizzle-orm';
import { consumePoint, persistentLimiter } from '../../../gateway/limits.ts';
import { type Caller, forAnyone, forMembers, type MethodHandler } from '../../../gateway/methods.ts';
import type { AccountDeps } from '../../core/accountDeps.ts';
import { writeAudit } from '../../core/audit.ts';
import { requireFreshProof } from '../../core/guards.ts';
import { lockAccount } from '../../core/lockAccount.ts';
import { unixSeconds } from '../../core/unixSeconds.ts';
import { getUser } from '../../core/users.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../recoveryCodes.ts';
import { removeFactor } from '../removeFactor.ts';
import { creationOptions, requestOptions } from './ceremony.ts';
import { relyingParty } from './relyingParty.ts';
import { verifyPasskey } from './verifyPasskey.ts';
import { verifyRegistration } from './verifyRegistration.ts';

/** Limits sign-ins by passkey per address, because each creates a challenge. */
const LOGINS = { name: 'passkey-login', points: 300, seconds: 900 };
const NAME_LONGEST = 30;

/** Returns the handlers of passkeys. */
export function createPasskeyHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database, keys, sessions, signIn, securityAlerts, publicUrl } = accounts;
  const { orm } = database;
  const logins = persistentLimiter(database, LOGINS);
  const siteOf = ({ origin }: Caller) => relyingParty(publicUrl, origin);

  return [
    forMembers(passkeyMethods.beginPasskeyRegistration, async (_payload, caller) => {
      await requireFreshProof(orm, caller.session);
      const user = await getUser(orm, caller.session.userId);
      return { options: await creationOptions(database, siteOf(caller), user) };
    }),
    forMembers(passkeyMethods.finishPasskeyRegistration, async ({ response, name: typed }, caller) => {
      const { session, address } = caller;
      await requireFreshProof(orm, session);
      const user = await getUser(orm, session.userId);
      const { id: userId, uid } = user;
      const made = await verifyRegistration(orm, siteOf(caller), user, response);
      const name = shownName(typed);
      const recoveryCodes = await inTransaction(database, async (tx) => {
        await lockAccount(tx, userId);
        const added = await tx
          .insert(passkeys)
          .values({ ...made, name })
          .onConflictDoNothing()
          .returning();
        if (added.length === 0) throw new CallError('passkey_refused');
        const details = { kind: 'passkey' };
        await writeAudit(tx, { action: 'second-factor.add', actorUid: uid, targetUid: uid, address, details });
        return (await countRecoveryCodes(tx, userId)) === 0 ? replaceRecoveryCodes(tx, keys, userId) : [];
      });
      await sessions.recordProof(session.id, { second: true });
      securityAlerts.send(user, 'passkey-added', caller);
      return { id: made.id, name, recoveryCodes };
    }),
    forMembers(passkeyMethods.listPasskeys, async (_payload, { session }) => {
      const own = await orm
        .select()
        .from(passkeys)
        .where(eq(passkeys.userId, session.userId))
        .orderBy(asc(passkeys.createdAt));
      return {
        passkeys: own.map(({ id, name, createdAt, usedAt }) => ({
          id,
          name,
          createdAt: unixSeconds(createdAt),
          usedAt: usedAt === null ? null : unixSeconds(usedAt),
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
      await consumePoint(logins, caller.address);
      return { options: await requestOptions(database, siteOf(caller)) };
    }),
    forAnyone(passkeyMethods.finishPasskeyLogin, async ({ response, session }, caller) => {
      const user = await verifyPasskey(orm, siteOf(caller), response);
      if (user === null) throw new CallError('passkey_refused');
      return signIn.createSession(user, caller, session, { secondFactor: true });
    }),
  ];
}

/** @param id as it was sent; the database rejects NUL */
function ownKey(userId: number, id: string) {
  return and(eq(passkeys.userId, userId), eq(passkeys.id, id.replaceAll('\0', '')));
}

/** Removes invisible characters. Never returns an empty name. */
function shownName(typed: string): string {
  const name = [...typed.normalize('NFKC').replace(/\p{C}/gu, '').trim()].slice(0, NAME_LONGEST).join('');
  return name === '' ? 'Passkey' : name;
}
