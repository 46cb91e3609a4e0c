import type { CodeUse, Recipient } from '../core/codes.ts';

/**
 * What a code is for by which somebody enters who is not logged in. One to a phone logs in and registers: whoever asks for it
 * need not know whether the number has an account, and older clients ask for both in the same words.
 *
 * @see accounts.md 7, GET_TEL_CODE
 */
export function signInCodeUse(recipient: Recipient): CodeUse {
  return { purpose: 'phone' in recipient ? 'login' : 'register', recipient };
}
