import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { faultField } from './faultField.ts';
import { secondStepOf } from './secondStep.ts';

const error = (code: ConstructorParameters<typeof ApiError>[0], details = {}) => new ApiError(code, 401, code, details);

test('a sign-in that needs a second factor returns its ticket and the accepted factors', () => {
  expect(secondStepOf(error('second_factor_needed', { ticket: 'abc', kinds: 'totp passkey' }))).toEqual({
    ticket: 'abc',
    kinds: ['totp', 'passkey'],
  });
});

test('any other failure needs no second factor', () => {
  expect(secondStepOf(error('login_failed'))).toBeNull();
  expect(secondStepOf(new Error('network'))).toBeNull();
  expect(secondStepOf(null)).toBeNull();
});

test('an error of the server is shown at its field if the form has that field', () => {
  const fields = { email: 'target', password: 'password' } as const;
  expect(faultField(error('email_taken'), fields)).toBe('target');
  expect(faultField(error('password_common'), fields)).toBe('password');
  expect(faultField(error('phone_taken'), fields)).toBeNull();
  expect(faultField(error('login_failed'), fields)).toBeNull();
});
