import { expect, test } from 'vitest';
import { permissionsText } from './permissionsText.ts';

test.each([
  [{ trade: true, withdraw: false, ipRestricted: true }, 'can trade, cannot withdraw, restricted by IP'],
  [{ trade: false, withdraw: true, ipRestricted: false }, 'CANNOT TRADE, CAN WITHDRAW, any IP address'],
  [{ trade: true, withdraw: null, ipRestricted: null }, 'can trade, withdrawals unknown, IP restriction unknown'],
])('the permissions of a key are listed, those to change in capitals: %o', (permissions, text) => {
  expect(permissionsText(permissions)).toBe(text);
});
