/**
 * Whether this browser can be told what bots do while the app is closed. `install`: on iPhone and iPad only once the app is on
 * the home screen. `denied`: the person has forbidden it, and only they can allow it again, in the settings of the browser.
 */
export type PushState = 'possible' | 'denied' | 'install' | 'absent';

export function pushState(): PushState {
  // An iPad says that it is a Mac, which has no touch screen.
  const isApple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return isApple && globalThis.isSecureContext ? 'install' : 'absent';
  return Notification.permission === 'denied' ? 'denied' : 'possible';
}

/** The part of a subscription that is sent to the platform. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** The push service of the browser cannot be reached, or takes nobody. */
export class PushUnreachable extends Error {
  override name = 'PushUnreachable';
}

/**
 * Asks the person, where they have not said yet, and subscribes this browser.
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

/** What the platform knows of the browsers of a person, and is told of this one. */
export interface PushKeeper {
  /**
   * Whether this browser is one of them, and takes no more messages as the platform knows it; and the key of the installation,
   * base64url.
   */
  known(): Promise<{ readonly isHere: boolean; readonly isGone: boolean; readonly key: string }>;
  /** @returns whether this browser is one of them */
  renew(subscription: Subscription): Promise<boolean>;
}

/** Brings to the platform what is new of a browser that was added; one that was removed elsewhere is subscribed no longer. */
export async function renewPush(keeper: PushKeeper): Promise<void> {
  if (pushState() !== 'possible' || Notification.permission !== 'granted') return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  const { isHere, isGone, key } = await keeper.known();
  if (before === null && !isHere) return;
  // The browser may not know yet that its push service has ended it.
  if (isGone) await before?.unsubscribe();
  const now = await subscribed(pushManager, key);
  if (!(await keeper.renew(given(now)))) await now.unsubscribe();
}

/** This browser takes no messages any more. */
export async function leavePush(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe();
  } catch {
    // Where there is no worker there is no subscription.
  }
}

/** The subscription of this browser with the key that the installation has now. */
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
