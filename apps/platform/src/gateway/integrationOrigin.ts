import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import type { Database } from '@heron/database/connect.ts';
import { eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Caller } from './methods.ts';
import { programOf } from './programOf.ts';
import { type Session, USER_AGENT_MAX_LENGTH } from './sessions.ts';

/** From where an integration is added, as its row keeps it. A row that is added or enabled again is enabled. */
export function integrationOrigin({ session, address, userAgent }: Caller<Session>) {
  return {
    addedBySession: session.id,
    addedByDevice: session.deviceId,
    addedAddress: address,
    addedUserAgent: userAgent.slice(0, USER_AGENT_MAX_LENGTH),
    disabledAt: null,
  };
}

/** Integrations that a transaction has disabled. */
export type DisabledIntegrations = {
  readonly integrations: readonly DisabledIntegration[];
  /** To be called once the transaction is committed: ends what is open to them. */
  afterCommit(): void;
};

/**
 * Disables, as a part of a transaction, the integrations of somebody that neither the kept session nor its device has added.
 *
 * @param kept null for all of them
 */
export type DisableIntegrations = (
  tx: Pick<Database['orm'], 'select' | 'update' | 'delete'>,
  userId: number,
  kept: CurrentSession | null,
) => Promise<DisabledIntegrations>;

/** Disables the integrations of several features together. */
export function combineDisableIntegrations(...parts: readonly DisableIntegrations[]): DisableIntegrations {
  return async (tx, userId, kept) => {
    const disabled: DisabledIntegrations[] = [];
    // One after another: a transaction has one connection.
    for (const disable of parts) disabled.push(await disable(tx, userId, kept));
    return {
      integrations: disabled.flatMap(({ integrations }) => integrations),
      afterCommit() {
        for (const { afterCommit } of disabled) afterCommit();
      },
    };
  };
}

/** A session that goes on while all others of its owner end. */
export type CurrentSession = Pick<Session, 'id' | 'deviceId'>;

/** Matches integrations that neither a session nor its remembered device has added. @param kept null for none: matches all */
export function isAddedElsewhere(
  table: { readonly addedBySession: PgColumn; readonly addedByDevice: PgColumn },
  kept: CurrentSession | null,
): SQL | undefined {
  if (kept === null) return undefined;
  const bySession = eq(table.addedBySession, kept.id);
  const own = kept.deviceId === null ? bySession : or(bySession, eq(table.addedByDevice, kept.deviceId));
  return sql`(${own}) is not true`;
}

/** Says from where an integration was added, for its owner. */
export function originView({ addedAddress, addedUserAgent }: { addedAddress: string; addedUserAgent: string }) {
  return { address: addedAddress, ...programOf(addedUserAgent) };
}
