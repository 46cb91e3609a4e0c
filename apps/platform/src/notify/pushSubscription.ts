import type { Database } from '@heron/database/connect.ts';
import { notifyChannels } from '@heron/database/schema/accounts.ts';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { Caller } from '../gateway/methods.ts';
import type { Session } from '../gateway/sessions.ts';
import { type NotifyKeys, sealTarget, targetHmac } from './channels.ts';
import { loadWebPush } from './webPush.ts';

/** Bytes of the secret that browsers generate (RFC 8291 3.2). */
const AUTH_BYTES = 16;

/** Push subscription of a browser. */
export interface Subscription {
  readonly endpoint: string;
  /** Public key of the browser, base64url. */
  readonly p256dh: string;
  /** Secret of the browser, base64url. */
  readonly auth: string;
}

/** Returns whether messages can be encrypted for a subscription: its key is a point of the curve and its secret has 16 bytes. */
export async function canEncryptFor({ p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>): Promise<boolean> {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false;
  const webPush = await loadWebPush();
  try {
    webPush.encrypt(p256dh, auth, 'x', 'aes128gcm');
    return true;
  } catch {
    return false;
  }
}

/** The database within a transaction. */
export type Transaction = Pick<Database['orm'], 'select' | 'insert' | 'update' | 'delete'>;

/**
 * Stores the current subscription of a browser in its channel. A browser has one channel, found by its session or, when
 * that has expired, by the endpoint. Removes channels of other users with this endpoint.
 *
 * @param fresh id of a channel that was just created for it
 * @returns id of the channel; null when the browser has none
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
  // A browser that lost its session and subscribed again may have two channels.
  for (const other of others) await tx.delete(notifyChannels).where(eq(id, other));
  await tx
    .update(notifyChannels)
    .set({
      sealedTarget: sealTarget(keys, first, { endpoint, p256dh, auth, userAgent: userAgent.slice(0, 300), origin }),
      placeHmac: targetHmac(keys, 'push', endpoint),
      sessionId: session.id,
      // The current language of the browser.
      language,
      failingSince: sql`case when ${notifyChannels.failureReason} = 'gone' then null else ${notifyChannels.failingSince} end`,
      failureReason: null,
      provenAt: sql`coalesce(${notifyChannels.provenAt}, now())`,
    })
    .where(eq(id, first));
  return first;
}
