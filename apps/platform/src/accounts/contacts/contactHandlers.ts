import { credentialMethods } from '@heron/contract/accounts/credentialMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { Recipient } from '../core/codes.ts';
import { currentUserView } from '../core/currentUserView.ts';
import { requireFreshProof } from '../core/guards.ts';
import { newEmailRecipient, phoneRecipient } from '../core/recipients.ts';
import { changeContact } from './changeContact.ts';

/** Returns the handlers that add or change the e-mail address and phone number of the caller. */
export function createContactHandlers(accounts: AccountDeps): MethodHandler[] {
  return [
    forMembers(credentialMethods.sendContactCode, async (typed, caller) => {
      await requireFreshProof(accounts.database.orm, caller.session);
      const recipient = oneOf(typed);
      return accounts.codes.send({ purpose: 'change', recipient, userId: caller.session.userId }, caller);
    }),
    forMembers(credentialMethods.changeContact, async ({ code, ...typed }, caller) => {
      await requireFreshProof(accounts.database.orm, caller.session);
      return { userInfo: currentUserView(await changeContact(accounts, oneOf(typed), code, caller)) };
    }),
  ];
}

function oneOf({ email, mobile }: { email?: string | undefined; mobile?: string | undefined }): Recipient {
  if (email !== undefined && mobile !== undefined) throw new CallError('invalid_request', { reason: 'email, mobile' });
  return mobile === undefined ? newEmailRecipient(email ?? '') : phoneRecipient(mobile);
}
