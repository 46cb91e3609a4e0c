import { beforeEach, expect, test, vi } from 'vitest';
import { invitationOf, takeErrand } from './roundTrip.ts';

const kept = new Map<string, string>();
const KEY = 'heron.provider';

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
  });
});

test('a user who returns from a provider continues the stored request once', () => {
  const errand = { what: 'login', next: '/user-login/?to=%2Fbots%2F', remember: true };
  kept.set(KEY, JSON.stringify(errand));
  expect(takeErrand()).toEqual(errand);
  expect(takeErrand()).toEqual({ what: 'login', next: '/bots/', remember: false });
});

test('an unreadable stored request is a sign-in that does not remember the device', () => {
  for (const text of ['{broken', 'null', '{"what":"other","remember":"yes"}']) {
    kept.set(KEY, text);
    expect(takeErrand()).toEqual({ what: 'login', next: '/bots/', remember: false });
  }
});

test('an invited user is registered as invited by a provider too', () => {
  kept.set(
    KEY,
    JSON.stringify({ what: 'login', next: '/user-login/?source_uid=123456789&to=%2Fbots%2F', remember: false }),
  );
  expect(invitationOf(takeErrand())).toEqual({ source_uid: 123_456_789 });
  expect(invitationOf(takeErrand())).toEqual({});
});
