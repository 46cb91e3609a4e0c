import type { Database } from '@heron/database/connect.ts';
import { notifyChannels } from '@heron/database/schema/accounts.ts';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { Caller } from '../gateway/methods.ts';
import type { Session } from '../gateway/sessions.ts';
import { type NotifyKeys, sealTarget, targetHmac } from './channels.ts';
import type { PushReader } from './pushEncryption.ts';

/** What a browser gives to be told through its push service. */
export interface Subscription extends PushReader {
  readonly endpoint: string;
}

/** A part of the database within a transaction. */
export type Transaction = Pick<Database['orm'], 'select' | 'insert' | 'update' | 'delete'>;

/**
 * Brings the present subscription of a browser to its way, with what its owner chose. A browser is one way: known by the session
 * that it is logged in by or, after that has run out, by where it is reached. One that somebody else has logged in by is theirs.
 *
 * @param fresh id of a way that was just made for it
 * @returns id of the way; null when the browser has none
 */
export async function attachSubscription(
  tx: Transaction,
  keys: NotifyKeys,
  { session, userAgent, origin, language }: Pick<Caller<Session>, 'session' | 'userAgent' | 'origin' | 'language'>,
  { endpoint, p256dh, auth }: Subscription,
  fresh: string | null = null,
): Promise<string | null> {
  const { id, userId, kind } = notifyChannels;
  const place = eq(notifyChannels.placeHmac, targetHmac(keys, 'push', endpoint));
  await tx.delete(notifyChannels).where(and(eq(kind, 'push'), place, ne(userId, session.userId)));
  const known = fresh === null ? or(eq(notifyChannels.sessionId, session.id), place) : eq(id, fresh);
  const found = await tx
    .select({ id })
    .from(notifyChannels)
    .where(and(eq(userId, session.userId), eq(kind, 'push'), known));
  const [first, ...others] = found.map((row) => row.id);
  if (first === undefined) return null;
  // A browser that forgot its session and subscribed again meets its former self.
  for (const other of others) await tx.delete(notifyChannels).where(eq(id, other));
  await tx
    .update(notifyChannels)
    .set({
      sealedTarget: sealTarget(keys, first, { endpoint, p256dh, auth, userAgent: userAgent.slice(0, 300), origin }),
      placeHmac: targetHmac(keys, 'push', endpoint),
      sessionId: session.id,
      // As its owner reads there now.
      language,
      failingSince: sql`case when ${notifyChannels.failingWhy} = 'gone' then null else ${notifyChannels.failingSince} end`,
      failingWhy: null,
      provenAt: sql`coalesce(${notifyChannels.provenAt}, now())`,
    })
    .where(eq(id, first));
  return first;
}
