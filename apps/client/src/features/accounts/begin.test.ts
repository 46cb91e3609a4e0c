import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { expect, test, vi } from 'vitest';
import { saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
import { goOnAs } from './begin.ts';

const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});

test('whoever changes the address that they log in by finds the new one at the next login, on a device that stays remembered', () => {
  saveAccount({ uid: 1, name: 'old@example.org', nickname: 'Ada', basepass: 'token' });
  goOnAs({ uid: 1, username: null, user_email: 'new@example.org', user_tel: null, nick_name: 'Ada' } as CurrentUser);
  expect(savedAccounts()).toEqual([
    { uid: 1, name: 'new@example.org', nickname: 'Ada', email: 'new****', basepass: 'token', active: true },
  ]);
});

test('an account without a password keeps the phone that codes are sent to, until it has a password', () => {
  const bo = { uid: 2, username: null, user_email: null, user_tel: '13800138000', nick_name: 'Bo' };
  goOnAs({ ...bo, has_password: false } as CurrentUser);
  expect(savedAccounts()[0]?.codePhone).toBe('13800138000');
  goOnAs({ ...bo, has_password: true } as CurrentUser);
  expect(savedAccounts()[0]).not.toHaveProperty('codePhone');
});

test('of address and number only what the screen shows is kept', () => {
  goOnAs({
    uid: 3,
    username: 'cy',
    user_email: 'cyrus@example.org',
    user_tel: '13800138000',
    nick_name: 'Cy',
    has_password: true,
  } as CurrentUser);
  expect(savedAccounts()[0]).toMatchObject({ name: 'cy', email: 'cyr****', tel: '138****8000' });
  expect(JSON.stringify(savedAccounts()[0])).not.toMatch(/cyrus@|13800138000/);
});

test('how somebody has logged in last is kept, also when the device logs in by itself afterwards', () => {
  const dee = { uid: 4, username: null, user_email: null, user_tel: null, nick_name: 'Dee' } as CurrentUser;
  goOnAs(dee, { by: 'wechat', basepass: 'token' });
  goOnAs(dee);
  expect(savedAccounts()[0]).toMatchObject({ logintype: 'wechat', basepass: 'token' });
  goOnAs(dee, { by: 'passkey' });
  expect(savedAccounts()[0]?.logintype).toBe('passkey');
});
