import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { expect, test, vi } from 'vitest';
import { saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
import { updateSession } from './beginSession.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
});

test('a changed e-mail address is offered at the next sign-in of a remembered device', () => {
  saveAccount({ uid: 1, name: 'old@example.org', nickname: 'Ada', basepass: 'token' });
  updateSession({
    uid: 1,
    username: null,
    email: 'new@example.org',
    phone: null,
    nickName: 'Ada',
  } as CurrentUser);
  expect(savedAccounts()).toEqual([
    { uid: 1, name: 'new@example.org', nickname: 'Ada', email: 'new****', basepass: 'token', active: true },
  ]);
});

test('the phone for codes is stored only while an account has no password', () => {
  const bo = { uid: 2, username: null, email: null, phone: '13800138000', nickName: 'Bo' };
  updateSession({ ...bo, hasPassword: false } as CurrentUser);
  expect(savedAccounts()[0]?.codePhone).toBe('13800138000');
  updateSession({ ...bo, hasPassword: true } as CurrentUser);
  expect(savedAccounts()[0]).not.toHaveProperty('codePhone');
});

test('addresses and numbers are stored masked, as on screen', () => {
  updateSession({
    uid: 3,
    username: 'cy',
    email: 'cyrus@example.org',
    phone: '13800138000',
    nickName: 'Cy',
    hasPassword: true,
  } as CurrentUser);
  expect(savedAccounts()[0]).toMatchObject({ name: 'cy', email: 'cyr****', tel: '138****8000' });
  expect(JSON.stringify(savedAccounts()[0])).not.toMatch(/cyrus@|13800138000/);
});

test('the last sign-in method is kept when the device signs in by itself afterwards', () => {
  const dee = { uid: 4, username: null, email: null, phone: null, nickName: 'Dee' } as CurrentUser;
  updateSession(dee, { by: 'wechat', basepass: 'token' });
  updateSession(dee);
  expect(savedAccounts()[0]).toMatchObject({ logintype: 'wechat', basepass: 'token' });
  updateSession(dee, { by: 'passkey' });
  expect(savedAccounts()[0]?.logintype).toBe('passkey');
});
