import { credentialMethods } from '@heron/contract/accounts/credentialMethods.ts';
import { forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { changePassword } from './changePassword.ts';

/** Returns the handler that changes the password of the caller. */
export function createPasswordHandlers(accounts: AccountDeps): MethodHandler[] {
  return [
    forMembers(credentialMethods.modifyPassword, async ({ oldPassword, newPassword }, caller) => ({
      disabled: await changePassword(accounts, { old: oldPassword, new: newPassword }, caller),
    })),
  ];
}
