import { credentialMethods } from '@heron/contract/accounts/credentialMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { type Answering, forMembers } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import type { Recipient } from '../codes/codes.ts';
import { demandFreshProof } from '../guards.ts';
import { newEmailRecipient, phoneRecipient } from '../recipient.ts';
import { currentUserOf } from '../users.ts';
import { changeContact } from './changeContact.ts';

/** What answers the methods by which people add or change their e-mail address and phone number. */
export function answerContacts(accounts: Accounts): Answering[] {
  return [
    forMembers(credentialMethods.sendContactCode, async (typed, caller) => {
      await demandFreshProof(accounts.database.orm, caller.session);
      const recipient = oneOf(typed);
      return accounts.codes.send({ purpose: 'change', recipient, userId: caller.session.userId }, caller);
    }),
    forMembers(credentialMethods.changeContact, async ({ code, ...typed }, caller) => {
      await demandFreshProof(accounts.database.orm, caller.session);
      return { user_info: currentUserOf(await changeContact(accounts, oneOf(typed), code, caller)) };
    }),
  ];
}

function oneOf({ email, mobile }: { email?: string | undefined; mobile?: string | undefined }): Recipient {
  if (email !== undefined && mobile !== undefined) throw new CallError('invalid_request', { reason: 'email, mobile' });
  return mobile === undefined ? newEmailRecipient(email ?? '') : phoneRecipient(mobile);
}
