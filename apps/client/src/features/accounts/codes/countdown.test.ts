import { beforeEach, expect, test, vi } from 'vitest';
import { sentCode, storeSentCode } from './countdown.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

const SENT = { target: 'ada@example.org', until: 120_000 };

test('a screen that is opened again shows the sent code until its countdown ends', () => {
  storeSentCode('register-email', SENT);
  expect(sentCode('register-email', 119_999)).toEqual(SENT);
  expect(sentCode('register-email', 120_000)).toBeNull();
});

test('each purpose has its own countdown', () => {
  storeSentCode('register-email', SENT);
  storeSentCode('login', { target: '13800138000', until: 60_000 });
  storeSentCode('login', null);
  expect(sentCode('login', 0)).toBeNull();
  expect(sentCode('register-email', 0)).toEqual(SENT);
});

test('unreadable storage counts as empty', () => {
  sessionStorage.setItem('heron.codes', '{broken');
  expect(sentCode('login', 0)).toBeNull();
});
