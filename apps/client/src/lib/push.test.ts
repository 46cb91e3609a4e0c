import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PushUnreachable, pushState, renewPush, type Subscription, subscribePush, unsubscribePush } from './push.ts';

const KEY = 'BAEC';
const OTHER_KEY = 'BAED';
const bytes = (key: string) => Uint8Array.from(Buffer.from(key, 'base64url')).buffer;

/** This is the subscription of the browser; null while it is not subscribed. */
let subscription: ReturnType<typeof subscribedWith> | null;
/** The push service rejects subscriptions with this error. */
let unreachable: Error | null;
let subscribed = 0;

function subscribedWith(key: string) {
  return {
    endpoint: `https://push.example/${++subscribed}`,
    options: { applicationServerKey: bytes(key) },
    toJSON: () => ({ keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      subscription = null;
      return true;
    },
  };
}

const pushManager = {
  getSubscription: async () => subscription,
  async subscribe({ applicationServerKey }: { applicationServerKey: Uint8Array }) {
    if (unreachable !== null) throw unreachable;
    subscription = subscribedWith(Buffer.from(applicationServerKey).toString('base64url'));
    return subscription;
  },
};

/** Simulates a browser. @param allowed the state of the notification permission, which a request also returns */
function browser({ userAgent = 'Chrome', touches = 0, pushes = true, allowed = 'granted', secure = true } = {}) {
  const registration = { pushManager };
  vi.stubGlobal('navigator', {
    userAgent,
    maxTouchPoints: touches,
    ...(pushes && {
      serviceWorker: {
        register: async () => registration,
        ready: Promise.resolve(registration),
        getRegistration: async () => registration,
      },
    }),
  });
  vi.stubGlobal('isSecureContext', secure);
  if (!pushes) return;
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission: allowed, requestPermission: async () => allowed });
}

/** Simulates a platform that has or has not stored this browser. */
const registry = (isHere: boolean, key = KEY, isGone = false) => ({
  known: vi.fn(async () => ({ isHere, isGone, key })),
  renew: vi.fn(async (_subscription: Subscription) => isHere),
});

beforeEach(() => {
  subscription = null;
  unreachable = null;
  subscribed = 0;
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['possible', {}],
  ['denied', { allowed: 'denied' }],
  ['absent', { pushes: false }],
  ['absent', { pushes: false, secure: false, userAgent: 'iPhone' }],
  ['install', { pushes: false, userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' }],
  ['install', { pushes: false, userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', touches: 5 }],
  ['absent', { pushes: false, userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' }],
])('the push state is %s in the browser %o', (state, how) => {
  browser(how);
  expect(pushState()).toBe(state);
});

test('a browser subscribes with the key of the installation, and reports failures', async () => {
  browser();
  expect(await subscribePush(KEY)).toEqual({ endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' });
  // A second call returns the same subscription.
  expect((await subscribePush(KEY))?.endpoint).toBe('https://push.example/1');
  expect((await subscribePush(OTHER_KEY))?.endpoint).toBe('https://push.example/2');
  unreachable = new Error('push service not available');
  subscription = null;
  await expect(subscribePush(KEY)).rejects.toThrow(PushUnreachable);
  browser({ allowed: 'denied' });
  expect(await subscribePush(KEY)).toBeNull();
});

test('a browser renews a lost subscription, and one with an older key', async () => {
  browser();
  const before = registry(true);
  await renewPush(before);
  expect(before.renew).toHaveBeenCalledExactlyOnceWith({ endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' });
  const after = registry(true, OTHER_KEY);
  await renewPush(after);
  expect(after.renew.mock.lastCall?.[0]).toMatchObject({ endpoint: 'https://push.example/2' });
  // A subscription that its push service has ended is not sent again.
  const ended = registry(true, OTHER_KEY, true);
  await renewPush(ended);
  expect(ended.renew.mock.lastCall?.[0]).toMatchObject({ endpoint: 'https://push.example/3' });
  expect(subscription).not.toBeNull();
});

test('a browser that was removed elsewhere unsubscribes, a new one requests nothing', async () => {
  browser();
  const removed = registry(false);
  await renewPush(removed);
  expect(removed.renew).not.toHaveBeenCalled();
  subscription = subscribedWith(KEY);
  await renewPush(removed);
  expect(subscription).toBeNull();
  browser({ allowed: 'default' });
  const never = registry(true);
  await renewPush(never);
  expect(never.known).not.toHaveBeenCalled();
});

test('a browser can unsubscribe, even without a worker', async () => {
  browser();
  subscription = subscribedWith(KEY);
  await unsubscribePush();
  expect(subscription).toBeNull();
  browser({ pushes: false });
  await expect(unsubscribePush()).resolves.toBeUndefined();
});
