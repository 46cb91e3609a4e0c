import type { GATEWAY_PATH } from '@heron/contract/http/method.ts';
import type { notifyMethods } from '@heron/contract/notify/notifyMethods.ts';

// Typed by the contract and not taken from it: its schemas would come into the worker.
const PATH: typeof GATEWAY_PATH = '/api.php';
const METHOD: (typeof notifyMethods)['renewPush']['name'] = 'System.Notify.renewPush';

/** What a browser tells of when it has ended or replaced its subscription; some tell neither. */
export interface SubscriptionChange {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/**
 * Brings to the platform what has taken the place of this browser's subscription while the app may be closed. The app does the
 * same whenever it is opened: what cannot be done here waits for that.
 */
export async function bringSubscription(
  pushManager: Pick<PushManager, 'subscribe'>,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  const applicationServerKey = oldSubscription?.options.applicationServerKey;
  if (!newSubscription && !applicationServerKey) return;
  try {
    const now =
      newSubscription ??
      (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: applicationServerKey ?? null }));
    const { p256dh = '', auth = '' } = now.toJSON().keys ?? {};
    await fetch(PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify({ method: METHOD, subscription: { endpoint: now.endpoint, p256dh, auth } }),
    });
  } catch {
    // Offline, or the push service takes nobody at the moment.
  }
}
