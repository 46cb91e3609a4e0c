import { credentialMethods } from '@heron/contract/accounts/credentialMethods.ts';
import { type Answering, forMembers } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { changePassword } from './changePassword.ts';

/** What answers the method by which people change their password. */
export function answerPassword(accounts: Accounts): Answering[] {
  return [
    forMembers(credentialMethods.modifyPassword, async ({ old_password, new_password }, caller) => ({
      disabled: await changePassword(accounts, { old: old_password, new: new_password }, caller),
    })),
  ];
}
