import type { CodeUse, Recipient } from '../core/codes.ts';

/**
 * Returns the use of a code for signing in or registering. A code to a phone does both, so that the caller need not
 * know whether the number has an account.
 */
export function signInCodeUse(recipient: Recipient): CodeUse {
  return { purpose: 'phone' in recipient ? 'login' : 'register', recipient };
}
