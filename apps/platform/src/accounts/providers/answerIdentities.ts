import { identityMethods, type Provider } from '@heron/contract/accounts/identityMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { identities } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, min } from 'drizzle-orm';
import { persistentLimiter, take } from '../../gateway/limits.ts';
import { type Answering, forMembers } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { endAccess } from '../endAccess.ts';
import { demandFreshProof } from '../guards.ts';
import { unixSeconds, userById } from '../users.ts';
import { removeWayIn } from '../waysIn.ts';
import { identifyByApple, identifyByWechat } from './identify.ts';
import { isOf } from './identity.ts';
import { linkIdentity } from './linkIdentity.ts';
import { revokeToken } from './revoke.ts';

const LINKS = { name: 'provider-link', points: 30, seconds: 900 };
const PROVIDERS: readonly Provider[] = ['wechat', 'apple'];

/** What answers the methods of providers that are linked to the own account. */
export function answerIdentities(accounts: Accounts): Answering[] {
  const { database, sessions, notices } = accounts;
  const { orm } = database;
  const links = persistentLimiter(database, LINKS);

  return [
    forMembers(identityMethods.listIdentities, async (_payload, { session }) => {
      const linked: { provider: Provider; linked_at: number }[] = [];
      for (const provider of PROVIDERS) {
        const [row] = await orm
          .select({ since: min(identities.linkedAt) })
          .from(identities)
          .where(and(eq(identities.userId, session.userId), isOf(provider)));
        if (row?.since != null) linked.push({ provider, linked_at: unixSeconds(row.since) });
      }
      return { identities: linked };
    }),
    forMembers(identityMethods.linkIdentity, async ({ provider, code, state, identity_token, nonce }, caller) => {
      await demandFreshProof(orm, caller.session);
      const user = await userById(orm, caller.session.userId);
      await take(links, String(user.id));
      const person =
        provider === 'wechat'
          ? await identifyByWechat(accounts, { code: code ?? '', state: state ?? '' }, caller)
          : await identifyByApple(accounts, { code, identity_token, nonce: nonce ?? '' }, caller);
      await linkIdentity(accounts, user, person, caller.address);
      notices.tell(user, 'provider-linked', caller);
      return {};
    }),
    forMembers(identityMethods.unlinkIdentity, async ({ provider }, caller) => {
      const { session, address } = caller;
      await demandFreshProof(orm, session);
      const user = await userById(orm, session.userId);
      const { id, uid } = user;
      const ofProvider = and(eq(identities.userId, id), isOf(provider));
      const tokens: (string | null)[] = [];
      const ended = await inTransaction(database, async (tx) => {
        await removeWayIn(tx, id, async () => {
          const removed = await tx.delete(identities).where(ofProvider).returning({ token: identities.refreshToken });
          if (removed.length === 0) throw new CallError('not_found');
          tokens.push(...removed.map(({ token }) => token));
        });
        const details = { provider };
        await writeAudit(tx, { action: 'identity.unlink', actorUid: uid, targetUid: uid, address, details });
        return endAccess(sessions, tx, id, session.id);
      });
      ended.tell();
      notices.tell(user, 'provider-unlinked', caller);
      for (const token of tokens) await revokeOrLeave(accounts, id, token);
      return {};
    }),
  ];
}

/** It is unlinked here either way; in the settings of the own Apple account its owner can take the permission back too. */
async function revokeOrLeave(accounts: Accounts, userId: number, token: string | null): Promise<void> {
  try {
    await revokeToken(accounts, userId, token);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
