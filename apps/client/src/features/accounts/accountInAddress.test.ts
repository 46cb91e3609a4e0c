import { expect, test } from 'vitest';
import { accountInAddress, recoveryKindInAddress } from './accountInAddress.ts';

test('a link sets the account that a field begins with', () => {
  expect(accountInAddress('username', '?username=%20ada%40example.org&to=%2Fbots%2F')).toBe('ada@example.org');
  expect(accountInAddress('initUser', '?initUser=13800138000')).toBe('13800138000');
  expect(accountInAddress('initUser', '?username=ada')).toBe('');
});

test('an invalid or invisible account name fills no field', () => {
  expect(accountInAddress('username', '')).toBe('');
  expect(accountInAddress('username', `?username=${'a'.repeat(255)}`)).toBe('');
  expect(accountInAddress('username', '?username=ad%00a')).toBe('');
  expect(accountInAddress('username', '?username=ada%E2%80%AEnimda')).toBe('');
});

test('a link to the recovery selects e-mail or phone, or its account does', () => {
  expect(recoveryKindInAddress('?type=email')).toBe('email');
  expect(recoveryKindInAddress('?type=mobile&initUser=ada@example.org')).toBe('phone');
  expect(recoveryKindInAddress('?initUser=13800138000')).toBe('phone');
  expect(recoveryKindInAddress('?initUser=ada@example.org')).toBe('email');
  expect(recoveryKindInAddress('?type=javascript:&initUser=ada')).toBeNull();
});
