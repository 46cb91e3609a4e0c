import { expect, test, vi } from 'vitest';
import { isOfApp, notificationOf, openInApp } from './pushNotifications.ts';

test('a pushed notification is shown as received, and opens its page', () => {
  const pushed = { title: 'Heron, stop: Grid (paper)', body: 'Sold BTC-USDT.', tag: 'a1', path: '/bot/abc123/', at: 5 };
  expect(notificationOf(JSON.stringify(pushed))).toEqual({
    title: pushed.title,
    options: {
      ...{ body: pushed.body, icon: '/icon-192.png', tag: 'a1', timestamp: 5 },
      data: { open: '/bot/abc123/' },
    },
  });
});

test.each(['', 'no JSON', 'null', '[]', '{"title":5,"path":{}}'])('"%s" shows a default notification', (text) => {
  expect(notificationOf(text)).toEqual({
    title: '苍鹭 Heron',
    options: { body: '', icon: '/icon-192.png', data: { open: '/notify-index/' } },
  });
});

test.each(['https://elsewhere.example/', '//elsewhere.example/', '/\\elsewhere.example', 'javascript:1', '', null])(
  'the path %s is no page of the app',
  (path) => expect(isOfApp(path)).toBe(false),
);

test('a visible window shows the page first, and without a window it is opened', async () => {
  const shown: string[] = [];
  const windowOf = (name: string, visibilityState: string) => ({
    visibilityState,
    postMessage: ({ open }: { open: string }) => void shown.push(`${name} ${open}`),
    focus: async () => void shown.push(`${name} in front`),
  });
  const openWindow = vi.fn(async () => {});
  const message = { open: '/bot/abc123/' };
  const windows = [windowOf('hidden', 'hidden'), windowOf('seen', 'visible')];
  await openInApp({ matchAll: async () => windows, openWindow }, message);
  expect(shown).toEqual(['seen /bot/abc123/', 'seen in front']);
  expect(openWindow).not.toHaveBeenCalled();
  await openInApp({ matchAll: async () => [], openWindow }, message);
  expect(openWindow).toHaveBeenCalledWith('/bot/abc123/');
});
