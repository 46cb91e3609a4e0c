import { credentialMethods } from '@heron/contract/accounts/credentialMethods.ts';
import { persistentLimiter } from '../../gateway/limits.ts';
import { type Answering, forMembers } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { changePassword } from './changePassword.ts';

/** Tries at the old password of one account. */
const GUESSES = { name: 'old-password', points: 10, seconds: 900 };

/** What answers the method by which people change their password. */
export function answerPassword(accounts: Accounts): Answering[] {
  const guesses = persistentLimiter(accounts.database, GUESSES);
  return [
    forMembers(credentialMethods.modifyPassword, async ({ old_password, new_password }, caller) => {
      await changePassword(accounts, guesses, { old: old_password, new: new_password }, caller);
      return {};
    }),
  ];
}
