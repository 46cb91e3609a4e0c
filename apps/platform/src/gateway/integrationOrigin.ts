import type { DisabledIntegration } from '@heron/contract/accounts/integrations.ts';
import type { Database } from '@heron/database/connect.ts';
import { eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Caller } from './methods.ts';
import { programOf } from './programOf.ts';
import { type Session, USER_AGENT_MAX_LENGTH } from './sessions.ts';

/** Returns the columns with the origin of an integration. They also enable a disabled integration. */
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
  /** Call it after the commit. Ends the connections of the integrations. */
  afterCommit(): void;
};

/**
 * Disables, in a transaction, the integrations of a user that neither the given session nor its device has added.
 *
 * @param kept null disables all
 */
export type DisableIntegrations = (
  tx: Pick<Database['orm'], 'select' | 'update' | 'delete'>,
  userId: number,
  kept: CurrentSession | null,
) => Promise<DisabledIntegrations>;

/** Combines the functions of several features. */
export function combineDisableIntegrations(...parts: readonly DisableIntegrations[]): DisableIntegrations {
  return async (tx, userId, kept) => {
    const disabled: DisabledIntegrations[] = [];
    // Runs one after another, because a transaction has one connection.
    for (const disable of parts) disabled.push(await disable(tx, userId, kept));
    return {
      integrations: disabled.flatMap(({ integrations }) => integrations),
      afterCommit() {
        for (const { afterCommit } of disabled) afterCommit();
      },
    };
  };
}

/** A session that continues while the owner's other sessions end. */
export type CurrentSession = Pick<Session, 'id' | 'deviceId'>;

/** Matches integrations that neither a session nor its device has added. @param except null matches all */
export function isAddedElsewhere(
  table: { readonly addedBySession: PgColumn; readonly addedByDevice: PgColumn },
  except: CurrentSession | null,
): SQL | undefined {
  if (except === null) return undefined;
  const bySession = eq(table.addedBySession, except.id);
  const own = except.deviceId === null ? bySession : or(bySession, eq(table.addedByDevice, except.deviceId));
  return sql`(${own}) is not true`;
}

/** Returns the origin of an integration for its owner. */
export function originView({ addedAddress, addedUserAgent }: { addedAddress: string; addedUserAgent: string }) {
  return { address: addedAddress, ...programOf(addedUserAgent) };
}
