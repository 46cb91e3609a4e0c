import { type ApiTokenEntry, apiTokenMethods } from '@heron/contract/accounts/apiTokenMethods.ts';
import { TOKEN_SCOPES } from '@heron/contract/bots/tokenScopes.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { apiTokens, sessions } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { createApiToken } from '../../gateway/apiTokens.ts';
import { integrationOrigin } from '../../gateway/integrationOrigin.ts';
import { type Caller, forMembers, type MethodHandler } from '../../gateway/methods.ts';
import { hashToken } from '../../gateway/secretToken.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { type AuditedAct, writeAudit } from '../core/audit.ts';
import { requireFreshProof } from '../core/guards.ts';
import { lockAccount } from '../core/lockAccount.ts';
import type { Queries } from '../core/queries.ts';
import { unixSeconds } from '../core/unixSeconds.ts';
import { getUser } from '../core/users.ts';

/** Expired and disabled tokens count too, until they are revoked. */
const TOKENS_PER_USER = 20;

/** Returns the handlers of API tokens. */
export function createApiTokenHandlers({ database, securityAlerts }: AccountDeps): MethodHandler[] {
  const { orm } = database;

  async function alert(caller: Caller<Session>): Promise<void> {
    securityAlerts.send(await getUser(orm, caller.session.userId), 'token-created', caller);
  }

  return [
    forMembers(apiTokenMethods.listTokens, async (_payload, { session }) => {
      const rows = await orm
        .select()
        .from(apiTokens)
        .where(eq(apiTokens.userId, session.userId))
        .orderBy(desc(apiTokens.createdAt));
      return { entries: rows.map(entryOf) };
    }),
    forMembers(apiTokenMethods.createToken, async ({ label, scopes, days }, caller) => {
      const { session } = caller;
      await requireFreshProof(orm, session);
      const secret = createApiToken();
      const values = {
        userId: session.userId,
        label,
        tokenHash: hashToken(secret),
        scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
        expiresAt: days === null ? null : sql`now() + make_interval(days => ${days})`,
        ...integrationOrigin(caller),
      };
      const row = await inTransaction(database, async (tx) => {
        const owner = await lockAccount(tx, session.userId);
        const open = await tx
          .select({ id: sessions.tokenHash })
          .from(sessions)
          .where(eq(sessions.tokenHash, session.id));
        // The session may have been ended since, which has disabled the tokens of other sessions.
        if (owner === null || owner.deletedAt !== null || open.length === 0) throw new CallError('not_logged_in');
        if ((await tx.$count(apiTokens, eq(apiTokens.userId, session.userId))) >= TOKENS_PER_USER)
          throw new CallError('tokens_full', { count: TOKENS_PER_USER });
        const [made] = await tx.insert(apiTokens).values(values).returning();
        if (made === undefined) throw new Error('the insert returned no row');
        await auditToken(tx, caller, 'token.create', made);
        return made;
      });
      await alert(caller);
      return { entry: entryOf(row), secret };
    }),
    forMembers(apiTokenMethods.enableToken, async ({ id }, caller) => {
      await requireFreshProof(orm, caller.session);
      const own = ownToken(id, caller);
      const [before] = await orm.select().from(apiTokens).where(own);
      if (before === undefined) throw new CallError('not_found');
      const isEnabled = await inTransaction(database, async (tx) => {
        const [row] = await tx
          .update(apiTokens)
          .set(integrationOrigin(caller))
          .where(and(own, isNotNull(apiTokens.disabledAt)))
          .returning();
        if (row !== undefined) await auditToken(tx, caller, 'token.enable', row);
        return row !== undefined;
      });
      if (isEnabled) await alert(caller);
      return {};
    }),
    forMembers(apiTokenMethods.revokeToken, async ({ id }, caller) => {
      await inTransaction(database, async (tx) => {
        const [row] = await tx.delete(apiTokens).where(ownToken(id, caller)).returning();
        if (row === undefined) throw new CallError('not_found');
        await auditToken(tx, caller, 'token.revoke', row);
      });
      return {};
    }),
  ];
}

type Row = typeof apiTokens.$inferSelect;

function ownToken(id: string, { session }: Caller<Session>) {
  return and(eq(apiTokens.id, id), eq(apiTokens.userId, session.userId));
}

async function auditToken(
  tx: Queries,
  { session, address }: Caller<Session>,
  action: AuditedAct,
  { scopes }: Row,
): Promise<void> {
  const by = { actorUid: session.uid, targetUid: session.uid, address };
  await writeAudit(tx, { ...by, action, details: { scopes: scopes.join(' ') } });
}

function entryOf(row: Row): ApiTokenEntry {
  const time = (at: Date | null) => (at === null ? null : unixSeconds(at));
  return {
    id: row.id,
    label: row.label,
    scopes: row.scopes,
    made: unixSeconds(row.createdAt),
    expires: time(row.expiresAt),
    used: time(row.usedAt),
    address: row.usedAddress,
    disabledSince: time(row.disabledAt),
  };
}
