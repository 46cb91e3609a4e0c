import { notifyChannels, notifyDeliveries } from '@heron/database/schema/accounts.ts';
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { type DisableIntegrations, isAddedElsewhere, originView } from '../gateway/integrationOrigin.ts';
import { type NotifyKeys, shownTarget } from './channels.ts';

/**
 * Disables webhooks and Telegram chats that were added elsewhere, and drops their pending messages. Removes unproven
 * channels, which have received nothing.
 */
export function disableChannels(keys: NotifyKeys): DisableIntegrations {
  return async (tx, userId, kept) => {
    const elsewhere = and(
      eq(notifyChannels.userId, userId),
      inArray(notifyChannels.kind, ['webhook', 'telegram']),
      isAddedElsewhere(notifyChannels, kept),
    );
    await tx.delete(notifyChannels).where(and(elsewhere, isNull(notifyChannels.provenAt)));
    const rows = await tx
      .update(notifyChannels)
      .set({ disabledAt: sql`now()` })
      .where(and(elsewhere, isNotNull(notifyChannels.provenAt), isNull(notifyChannels.disabledAt)))
      .returning();
    rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    await tx
      .update(notifyDeliveries)
      .set({ doneAt: sql`now()` })
      .where(
        and(
          inArray(
            notifyDeliveries.channelId,
            rows.map(({ id }) => id),
          ),
          isNull(notifyDeliveries.doneAt),
        ),
      );
    return {
      integrations: rows.map((row) => ({
        kind: row.kind === 'webhook' ? 'webhook' : 'telegram',
        id: row.id,
        name: shownTarget(keys, { row, email: null }),
        added: Math.floor(row.createdAt.getTime() / 1_000),
        ...originView(row),
      })),
      afterCommit() {},
    };
  };
}
