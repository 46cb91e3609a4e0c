import { methodCall } from '@heron/contract/http/methodCall.ts';
import { notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendSubscription } from './sendSubscription.ts';

const subscription = (endpoint: string) =>
  ({
    endpoint,
    options: { applicationServerKey: Uint8Array.of(4, 1).buffer },
    toJSON: () => ({ keys: { p256dh: 'p', auth: 'a' } }),
    // The function uses only these fields.
  }) as unknown as PushSubscription;

let posted: { path: string; body: unknown }[];
let subscribe: ReturnType<typeof vi.fn<PushManager['subscribe']>>;
beforeEach(() => {
  posted = [];
  subscribe = vi.fn(async () => subscription('https://push.example/renewed'));
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    posted.push({ path, body: JSON.parse(body) });
  });
});
afterEach(() => vi.unstubAllGlobals());

const requestWith = (endpoint: string) => [
  {
    path: methodCall(notifyMethods.renewPush).path,
    body: { subscription: { endpoint, p256dh: 'p', auth: 'a' } },
  },
];

test('a subscription that replaces another is sent to the platform', async () => {
  await sendSubscription({ subscribe }, { newSubscription: subscription('https://push.example/new') });
  expect(posted).toEqual(requestWith('https://push.example/new'));
  expect(subscribe).not.toHaveBeenCalled();
});

test('a subscription that the browser has ended is created again with the same key', async () => {
  const oldSubscription = subscription('https://push.example/old');
  await sendSubscription({ subscribe }, { oldSubscription, newSubscription: null });
  expect(posted).toEqual(requestWith('https://push.example/renewed'));
  const { applicationServerKey } = oldSubscription.options;
  expect(subscribe).toHaveBeenCalledExactlyOnceWith({ userVisibleOnly: true, applicationServerKey });
});

test('nothing is sent without a subscription or when the push service fails', async () => {
  await sendSubscription({ subscribe }, {});
  subscribe.mockRejectedValue(new Error('not available'));
  await sendSubscription({ subscribe }, { oldSubscription: subscription('https://push.example/old') });
  expect(posted).toEqual([]);
});
