import { identityMethods, type Provider } from '@heron/contract/accounts/identityMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { identities } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, min } from 'drizzle-orm';
import { consumePoint, persistentLimiter } from '../../gateway/limits.ts';
import { forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import { requireFreshProof } from '../core/guards.ts';
import { revokeToken } from '../core/revokeTokens.ts';
import { removeSignInMethod } from '../core/signInMethods.ts';
import { unixSeconds } from '../core/unixSeconds.ts';
import { getUser } from '../core/users.ts';
import { identifyByApple, identifyByWechat } from './identify.ts';
import { isOfProvider } from './identities.ts';
import { linkIdentity } from './linkIdentity.ts';

const LINKS = { name: 'provider-link', points: 30, seconds: 900 };
const PROVIDERS: readonly Provider[] = ['wechat', 'apple'];

/** Returns the handlers of providers that are linked to the account of the caller. */
export function createIdentityHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database, sessions, securityAlerts } = accounts;
  const { orm } = database;
  const links = persistentLimiter(database, LINKS);

  return [
    forMembers(identityMethods.listIdentities, async (_payload, { session }) => {
      const linked: { provider: Provider; linkedAt: number }[] = [];
      for (const provider of PROVIDERS) {
        const [row] = await orm
          .select({ since: min(identities.linkedAt) })
          .from(identities)
          .where(and(eq(identities.userId, session.userId), isOfProvider(provider)));
        if (row?.since != null) linked.push({ provider, linkedAt: unixSeconds(row.since) });
      }
      return { identities: linked };
    }),
    forMembers(identityMethods.linkIdentity, async ({ provider, code, state, identityToken, nonce }, caller) => {
      await requireFreshProof(orm, caller.session);
      const user = await getUser(orm, caller.session.userId);
      await consumePoint(links, String(user.id));
      const person =
        provider === 'wechat'
          ? await identifyByWechat(accounts, { code: code ?? '', state: state ?? '' }, caller)
          : await identifyByApple(accounts, { code, identityToken, nonce: nonce ?? '' }, caller);
      await linkIdentity(accounts, user, person, caller.address);
      securityAlerts.send(user, 'provider-linked', caller);
      return {};
    }),
    forMembers(identityMethods.unlinkIdentity, async ({ provider }, caller) => {
      const { session, address } = caller;
      await requireFreshProof(orm, session);
      const user = await getUser(orm, session.userId);
      const { id, uid } = user;
      const ofProvider = and(eq(identities.userId, id), isOfProvider(provider));
      const tokens: (string | null)[] = [];
      const ended = await inTransaction(database, async (tx) => {
        await removeSignInMethod(tx, id, async () => {
          const removed = await tx.delete(identities).where(ofProvider).returning({ token: identities.refreshToken });
          if (removed.length === 0) throw new CallError('not_found');
          tokens.push(...removed.map(({ token }) => token));
        });
        const details = { provider };
        await writeAudit(tx, { action: 'identity.unlink', actorUid: uid, targetUid: uid, address, details });
        return endAccess(sessions, tx, id, session.id);
      });
      ended.afterCommit();
      securityAlerts.send(user, 'provider-unlinked', caller);
      for (const token of tokens) await revokeOrLeave(accounts, id, token);
      return {};
    }),
  ];
}

/** The account is unlinked even when the revocation fails. The owner can also revoke it in the settings of Apple. */
async function revokeOrLeave(accounts: AccountDeps, userId: number, token: string | null): Promise<void> {
  try {
    await revokeToken(accounts, userId, token);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
