import { createHash } from 'node:crypto';
import type { Database } from '@heron/database/connect.ts';
import { SignJWT } from 'jose';
import { type ChannelRow, type NotifyKeys, targetOf } from './channels.ts';
import { DeliveryFailed } from './deliveryFailed.ts';
import type { NotificationText } from './notificationText.ts';
import type { Outgoing } from './outgoing.ts';
import { encryptPush } from './pushEncryption.ts';
import { getPushKey } from './pushKey.ts';

/** A device that is off is told so long afterwards. */
const KEPT_S = 86_400;
/** Push services take signatures for a day at most. */
const SIGNED_S = 43_200;
/** Lines on a lock screen; the app has all of them. */
const MOST_LINES = 4;
/** Of title and text, each, in characters, of which JSON makes six bytes at most: both fit into a message. */
const LONGEST = 300;

/** What pushing needs. */
export interface PushDeps {
  readonly database: Database;
  readonly keys: NotifyKeys;
  readonly outgoing: Outgoing;
  /** Address that people type; null when it is not known. */
  readonly publicUrl: string | null;
  /** Whom push services write to; null when it is not known. */
  readonly contact: string | null;
  now(): number;
}

/** What the app's worker is told. */
interface Pushed {
  readonly title: string;
  readonly body: string;
  /** One that is shown is replaced by another of the same tag. */
  readonly tag: string;
  /** What a click opens. */
  readonly path: string;
  readonly at: number;
}

/**
 * Pushes words to a browser, through the push service that it has chosen, which cannot read them.
 *
 * @param message.path of the app
 * @param key the same for the same message
 * @throws NotSent; `gone` when the browser takes no more messages
 * @see RFC 8030, RFC 8291, RFC 8292
 */
export async function sendPush(
  ground: PushDeps,
  row: ChannelRow,
  message: NotificationText & { readonly path: string; readonly urgent: boolean },
  key: string,
): Promise<void> {
  const target = targetOf(ground.keys, row, 'push');
  if (target === null) throw new DeliveryFailed('its subscription cannot be read');
  const tag = createHash('sha256').update(`${row.id} ${key}`).digest('base64url').slice(0, 32);
  const more = message.lines.length - MOST_LINES;
  const shown = more > 1 ? [...message.lines.slice(0, MOST_LINES), `+${more}`] : message.lines;
  const pushed: Pushed = {
    title: cut(message.title),
    body: cut(shown.join('\n')),
    tag,
    path: message.path,
    at: ground.now(),
  };
  const { privateKey, publicPoint } = await getPushKey(ground.database, ground.keys);
  const { endpoint } = target;
  const now = Math.floor(ground.now() / 1_000);
  const contact = contactOf(ground, target.origin);
  const token = await new SignJWT(contact === null ? {} : { sub: contact })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(now + SIGNED_S)
    .sign(privateKey);
  const { status, retryAfterS } = await ground.outgoing
    .post(
      endpoint,
      {
        authorization: `vapid t=${token}, k=${publicPoint}`,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(KEPT_S),
        urgency: message.urgent ? 'high' : 'normal',
        // One that waits for the device is replaced by the same sent again.
        topic: tag,
      },
      encryptPush(Buffer.from(JSON.stringify(pushed)), target),
    )
    .catch((error: unknown) => {
      throw DeliveryFailed.from(error);
    });
  if (status === 404 || status === 410) throw new DeliveryFailed('the browser takes no more messages', { gone: true });
  // RFC 8030 5. What answers otherwise is no push service, though it may take whatever is posted.
  if (status !== 201) throw new DeliveryFailed(`answered ${status}`, { retryAfterS });
}

/** Push services of browsers may refuse who cannot be written to: Apple asks for a name that leads somewhere. */
function contactOf({ contact, publicUrl }: PushDeps, origin: string): string | null {
  if (contact !== null) return contact;
  return [publicUrl, origin].find((url) => url?.startsWith('https:')) ?? null;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text;
}
