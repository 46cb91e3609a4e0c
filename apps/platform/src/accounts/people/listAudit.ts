import type { AuditEntry } from '@heron/contract/accounts/peopleMethods.ts';
import { audit } from '@heron/database/schema/accounts.ts';
import { and, desc, eq, like, lt, or } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import { unixSeconds } from '../core/unixSeconds.ts';

/** Filter of the audit log: by user, by act, and before an entry. */
export type AuditQuery = {
  readonly uid?: number | undefined;
  /** An act, or a prefix such as `user`. */
  readonly action?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
};

/** Returns audit entries, newest first. @returns `next`: start of the next page; null on the last page */
export async function listAudit(
  orm: Queries,
  { uid, action, before, limit }: AuditQuery,
): Promise<{ entries: AuditEntry[]; next: number | null }> {
  const rows = await orm
    .select()
    .from(audit)
    .where(
      and(
        uid === undefined ? undefined : or(eq(audit.actorUid, uid), eq(audit.targetUid, uid)),
        action === undefined ? undefined : or(eq(audit.action, action), like(audit.action, `${action}.%`)),
        before === undefined ? undefined : lt(audit.id, before),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(limit + 1);
  const entries = rows.slice(0, limit).map((row) => ({
    id: row.id,
    at: unixSeconds(row.at),
    actorUid: row.actorUid,
    action: row.action,
    targetUid: row.targetUid,
    address: row.address,
    // Only `writeAudit` fills the column.
    details: row.details as AuditEntry['details'],
  }));
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
