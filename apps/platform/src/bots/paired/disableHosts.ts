import { pairedHosts } from '@heron/database/schema/accounts.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type DisableIntegrations, isAddedElsewhere, originView } from '../../gateway/integrationOrigin.ts';

/**
 * Disables paired bot hosts that were added elsewhere. Their bots continue, and only the kill switch reaches them.
 *
 * @param changed is called with the owner after the commit, when a host was disabled
 */
export function disableHosts(changed: (userId: number) => void): DisableIntegrations {
  return async (tx, userId, kept) => {
    const rows = await tx
      .update(pairedHosts)
      .set({ disabledAt: sql`now()` })
      .where(and(eq(pairedHosts.userId, userId), isNull(pairedHosts.disabledAt), isAddedElsewhere(pairedHosts, kept)))
      .returning();
    return {
      integrations: rows.map((row) => ({
        kind: 'host',
        id: row.id,
        name: row.name,
        added: Math.floor(row.pairedAt.getTime() / 1_000),
        ...originView(row),
      })),
      afterCommit() {
        if (rows.length > 0) changed(userId);
      },
    };
  };
}
