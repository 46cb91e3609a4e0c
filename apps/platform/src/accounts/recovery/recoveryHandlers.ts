import { recoveryMethods } from '@heron/contract/accounts/recoveryMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { forAnyone, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { Recipient } from '../core/codes.ts';
import { emailRecipient, findOwner, phoneRecipient, recipientUnknown } from '../core/recipients.ts';
import { getInstallationSettings } from '../core/settings.ts';
import { checkRecoveryCode, resetPassword } from './resetPassword.ts';

/** Returns the handlers of password recovery. */
export function createRecoveryHandlers(accounts: AccountDeps): MethodHandler[] {
  const { orm } = accounts.database;

  /**
   * Throws for an unknown recipient where the installation allows it. Otherwise it reads no accounts, and a code is
   * sent to known and unknown recipients alike.
   */
  async function rejectUnknown(recipient: Recipient): Promise<void> {
    const { revealUnknownAccounts } = await getInstallationSettings(orm);
    if (revealUnknownAccounts && (await findOwner(orm, recipient)) === null) throw recipientUnknown(recipient);
  }

  return [
    forAnyone(recoveryMethods.findPassword, async ({ recipient: typed, type }) => {
      const recipient = recipientOf(type, typed);
      await rejectUnknown(recipient);
      return { recipient: 'email' in recipient ? recipient.email : recipient.phone, type };
    }),
    forAnyone(recoveryMethods.sendFindPasswordCode, async ({ recipient: typed, type }, caller) => {
      const recipient = recipientOf(type, typed);
      await rejectUnknown(recipient);
      return accounts.codes.send({ purpose: 'recover', recipient }, caller);
    }),
    forAnyone(recoveryMethods.checkFindPasswordCode, async ({ type, recipient, code }, caller) => ({
      ticket: await checkRecoveryCode(accounts, recipientOf(type, recipient), code, caller),
    })),
    forAnyone(recoveryMethods.passwordReset, async ({ account, password, type, appCode, ticket }, caller) => {
      const recipient = recipientOf(type, account);
      if (password === '') throw new CallError('password_empty');
      const evidence = ticket === undefined ? { code: appCode ?? '' } : { ticket };
      return { disabled: await resetPassword(accounts, recipient, evidence, password, caller) };
    }),
  ];
}

function recipientOf(type: 'email' | 'mobile' | 'sms', typed: string): Recipient {
  return type === 'email' ? emailRecipient(typed) : phoneRecipient(typed);
}
