import { signalAddresses } from '@heron/database/schema/accounts.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type DisableIntegrations, isAddedElsewhere, originView } from '../../gateway/integrationOrigin.ts';

/** Disables signal addresses that were created elsewhere. Signals to them are rejected as if they did not exist. */
export const disableSignals: DisableIntegrations = async (tx, userId, kept) => {
  const rows = await tx
    .update(signalAddresses)
    .set({ disabledAt: sql`now()` })
    .where(
      and(
        eq(signalAddresses.userId, userId),
        isNull(signalAddresses.disabledAt),
        isAddedElsewhere(signalAddresses, kept),
      ),
    )
    .returning();
  return {
    integrations: rows.map((row) => ({
      kind: 'signal',
      id: row.id,
      name: row.botName,
      added: Math.floor(row.createdAt.getTime() / 1_000),
      ...originView(row),
    })),
    afterCommit() {},
  };
};
