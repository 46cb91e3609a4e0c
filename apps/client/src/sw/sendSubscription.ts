/** The path of `renewPush`. An import of the contract would add its schemas to the worker. */
const PATH = '/api/notify/renewPush';

/** A browser passes this event when it has ended or replaced its subscription. Some browsers omit both fields. */
export interface SubscriptionChange {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/**
 * Sends the replacement of this browser's subscription to the platform while the app may be closed. The app does the
 * same at each start, so a failure here is repaired then.
 */
export async function sendSubscription(
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
      body: JSON.stringify({ subscription: { endpoint: now.endpoint, p256dh, auth } }),
    });
  } catch {
    // The device is offline, or the push service currently rejects subscriptions.
  }
}
