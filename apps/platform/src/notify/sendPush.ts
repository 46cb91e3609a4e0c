import { createHash } from 'node:crypto';
import type { Database } from '@heron/database/connect.ts';
import { type ChannelRow, type NotifyKeys, targetOf } from './channels.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import type { NotificationText } from './notificationText.ts';
import type { Outgoing } from './outgoing.ts';
import { getPushKey } from './pushKey.ts';
import { loadWebPush } from './webPush.ts';

/** Seconds for which a push service stores a message for a device that is off. */
const STORAGE_SECONDS = 86_400;
/** Lines shown on a lock screen; the app shows all lines. */
const MAX_LINES = 4;
/** Characters of the title and of the text. JSON needs at most six bytes each, so that both fit into the 3,993 bytes of a message. */
const MAX_LENGTH = 300;
/** Contact for push services when the installation has no address. It lies on this machine, where nobody can be reached. */
const NO_CONTACT = 'mailto:heron@localhost';

export interface PushDeps {
  readonly database: Database;
  readonly keys: NotifyKeys;
  readonly outgoing: Outgoing;
  /** Address that people type; null when it is not configured. */
  readonly publicUrl: string | null;
  /** Contact for operators of push services; null when it is not configured. */
  readonly contact: string | null;
  now(): number;
}

/** The message that the app's service worker receives. */
interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** A new message replaces a shown message with the same tag. */
  readonly tag: string;
  /** Page that a click opens. */
  readonly path: string;
  readonly at: number;
}

/**
 * Sends an encrypted message to a browser through its push service.
 *
 * @param message.path page of the app
 * @param key the same for each try of one message
 * @throws DeliveryFailed; `gone` when the subscription has expired
 * @see RFC 8030, RFC 8291, RFC 8292
 */
export async function sendPush(
  deps: PushDeps,
  row: ChannelRow,
  message: NotificationText & { readonly path: string; readonly urgent: boolean },
  key: string,
): Promise<void> {
  const target = targetOf(deps.keys, row, 'push');
  if (target === null) throw new DeliveryFailed('its subscription cannot be read');
  const { endpoint, p256dh, auth } = target;
  const tag = createHash('sha256').update(`${row.id} ${key}`).digest('base64url').slice(0, 32);
  const text = JSON.stringify(pushMessageOf(message, tag, deps.now()));
  const { privateKey, publicKey } = await getPushKey(deps.database, deps.keys);
  const webPush = await loadWebPush();
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    vapidDetails: { subject: contactOf(deps, target.origin), publicKey, privateKey },
    TTL: STORAGE_SECONDS,
    urgency: message.urgent ? 'high' : 'normal',
    // A later try replaces the message that the push service still stores.
    topic: tag,
  });
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const { status, retryAfterS } = await deps.outgoing
    .post(endpoint, Object.fromEntries(sent), body)
    .catch((error: unknown) => {
      throw DeliveryFailed.from(error);
    });
  if (status === 404 || status === 410) throw new DeliveryFailed('the browser takes no more messages', { gone: true });
  // Only 201 proves that a push service has accepted the message (RFC 8030 5).
  if (status !== 201) throw new DeliveryFailed(`answered ${status}`, { retryAfterS });
}

function pushMessageOf(
  { title, lines, path }: NotificationText & { path: string },
  tag: string,
  at: number,
): PushMessage {
  const more = lines.length - MAX_LINES;
  const shown = more > 1 ? [...lines.slice(0, MAX_LINES), `+${more}`] : lines;
  return { title: cut(title), body: cut(shown.join('\n')), tag, path, at };
}

/** Returns the contact that a push service requires. Apple accepts only an address that leads somewhere. */
function contactOf({ contact, publicUrl }: PushDeps, origin: string): string {
  return contact ?? [publicUrl, origin].find((url) => url?.startsWith('https:')) ?? NO_CONTACT;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : text;
}
