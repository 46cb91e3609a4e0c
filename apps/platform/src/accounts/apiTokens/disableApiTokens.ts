import { apiTokens } from '@heron/database/schema/accounts.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type DisableIntegrations, isAddedElsewhere, originView } from '../../gateway/integrationOrigin.ts';

/** Disables API tokens that were created elsewhere. Expired ones are disabled too, but not reported. */
export const disableApiTokens: DisableIntegrations = async (tx, userId, kept) => {
  const rows = await tx
    .update(apiTokens)
    .set({ disabledAt: sql`now()` })
    .where(and(eq(apiTokens.userId, userId), isNull(apiTokens.disabledAt), isAddedElsewhere(apiTokens, kept)))
    .returning();
  return {
    integrations: rows
      .filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > Date.now())
      .map((row) => ({
        kind: 'token',
        id: row.id,
        name: row.label,
        added: Math.floor(row.createdAt.getTime() / 1_000),
        ...originView(row),
      })),
    afterCommit() {},
  };
};
