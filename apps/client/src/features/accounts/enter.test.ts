import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { faultField } from './faultField.ts';
import { secondStepOf } from './secondStep.ts';

const error = (code: ConstructorParameters<typeof ApiError>[0], details = {}) => new ApiError(code, 401, code, details);

test('a login that is not all says with which ticket and factors it goes on', () => {
  expect(secondStepOf(error('second_factor_needed', { ticket: 'abc', kinds: 'totp passkey' }))).toEqual({
    ticket: 'abc',
    kinds: ['totp', 'passkey'],
  });
});

test('any other failure is no second step', () => {
  expect(secondStepOf(error('login_failed'))).toBeNull();
  expect(secondStepOf(new Error('network'))).toBeNull();
  expect(secondStepOf(null)).toBeNull();
});

test('an error of the server stands at the field that it is about, where the form has it', () => {
  const fields = { email: 'target', password: 'password' } as const;
  expect(faultField(error('email_taken'), fields)).toBe('target');
  expect(faultField(error('password_common'), fields)).toBe('password');
  expect(faultField(error('phone_taken'), fields)).toBeNull();
  expect(faultField(error('login_failed'), fields)).toBeNull();
});
