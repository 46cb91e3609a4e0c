/**
 * This is the state of push notifications in this browser. With `install`, iPhone and iPad need the app on the home
 * screen. With `denied`, the user has blocked notifications, and only they can allow them in the browser's settings.
 */
export type PushState = 'possible' | 'denied' | 'install' | 'absent';

export function pushState(): PushState {
  // An iPad reports as a Mac, but a Mac has no touch screen.
  const isApple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return isApple && globalThis.isSecureContext ? 'install' : 'absent';
  return Notification.permission === 'denied' ? 'denied' : 'possible';
}

/** This part of a subscription is sent to the platform. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** The push service of the browser cannot be reached, or rejects subscriptions. */
export class PushUnreachable extends Error {
  override name = 'PushUnreachable';
}

/**
 * Requests the permission where it is undecided, and subscribes this browser.
 *
 * @param key of the installation, base64url
 * @returns null when they do not allow it
 * @throws PushUnreachable
 */
export async function subscribePush(key: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const { pushManager } = await navigator.serviceWorker.ready;
    return given(await subscribed(pushManager, key));
  } catch {
    throw new PushUnreachable();
  }
}

/** Reads and updates the push subscription that the platform has stored for this browser. */
export interface PushRegistry {
  /**
   * Returns whether the platform has this browser, and whether it has recorded the end of this subscription. `key` is
   * the key of the installation, base64url.
   */
  known(): Promise<{ readonly isHere: boolean; readonly isGone: boolean; readonly key: string }>;
  /** @returns whether the platform has this browser */
  renew(subscription: Subscription): Promise<boolean>;
}

/**
 * Sends a changed subscription of an added browser to the platform. A browser that was removed elsewhere is
 * unsubscribed.
 */
export async function renewPush(registry: PushRegistry): Promise<void> {
  if (pushState() !== 'possible' || Notification.permission !== 'granted') return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  const { isHere, isGone, key } = await registry.known();
  if (before === null && !isHere) return;
  // The browser may not know yet that its push service has ended the subscription.
  if (isGone) await before?.unsubscribe();
  const now = await subscribed(pushManager, key);
  if (!(await registry.renew(given(now)))) await now.unsubscribe();
}

/** Unsubscribes this browser from push notifications. */
export async function unsubscribePush(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe();
  } catch {
    // Without a worker there is no subscription.
  }
}

/**
 * Returns the subscription of this browser under the current key of the installation. Replaces a subscription under
 * another key.
 */
async function subscribed(pushManager: PushManager, key: string): Promise<PushSubscription> {
  const applicationServerKey = bytesOf(key);
  const before = await pushManager.getSubscription();
  const bound = before?.options.applicationServerKey;
  if (before && bound && sameBytes(new Uint8Array(bound), applicationServerKey)) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

function given(subscription: PushSubscription): Subscription {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, p256dh, auth };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
