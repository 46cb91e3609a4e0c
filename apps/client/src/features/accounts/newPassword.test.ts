import { expect, test } from 'vitest';
import { registrationFault } from './newPassword.ts';

const fault = (name: string, password: string, again: string) =>
  registrationFault({ name, password, again }, 8, 'en', (key) => key);

test('every field is required', () => {
  expect(fault('  ', 'long enough', 'long enough')).toEqual({ field: 'name', text: 'accounts.incomplete' });
  expect(fault('ada', '', '')).toEqual({ field: 'password', text: 'accounts.incomplete' });
  expect(fault('ada', 'long enough', '')).toEqual({ field: 'again', text: 'accounts.incomplete' });
});

test('the length of a password is counted in code points and compared with the rules', () => {
  expect(fault('ada', '🐦🐦🐦🐦', '🐦🐦🐦🐦')?.text).toBe('Use at least 8 characters');
  expect(fault('ada', '🐦🐦🐦🐦🐦🐦🐦🐦', '🐦🐦🐦🐦🐦🐦🐦🐦')).toBeNull();
});

test('both passwords must be the same', () => {
  expect(fault('ada', 'long enough', 'long enoughs')).toEqual({ field: 'again', text: 'Passwords do not match' });
});
