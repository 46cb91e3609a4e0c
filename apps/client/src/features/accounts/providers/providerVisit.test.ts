import { beforeEach, expect, test, vi } from 'vitest';
import { consumeProviderVisit, invitationOf } from './providerVisit.ts';

const stored = new Map<string, string>();
const KEY = 'heron.provider';

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  });
});

test('a user who returns from a provider continues the stored request once', () => {
  const visit = { what: 'login', next: '/user-login/?to=%2Fbots%2F', remember: true };
  stored.set(KEY, JSON.stringify(visit));
  expect(consumeProviderVisit()).toEqual(visit);
  expect(consumeProviderVisit()).toEqual({ what: 'login', next: '/bots/', remember: false });
});

test('an unreadable stored request is a sign-in that does not remember the device', () => {
  for (const text of ['{broken', 'null', '{"what":"other","remember":"yes"}']) {
    stored.set(KEY, text);
    expect(consumeProviderVisit()).toEqual({ what: 'login', next: '/bots/', remember: false });
  }
});

test('an invited user is registered as invited by a provider too', () => {
  stored.set(
    KEY,
    JSON.stringify({ what: 'login', next: '/user-login/?source_uid=123456789&to=%2Fbots%2F', remember: false }),
  );
  expect(invitationOf(consumeProviderVisit())).toEqual({ referrerUid: 123_456_789 });
  expect(invitationOf(consumeProviderVisit())).toEqual({});
});
