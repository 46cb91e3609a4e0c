import { isYahoo, parseEmail } from '@heron/contract/accounts/email.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Recipient } from './codes.ts';
import { accountDeleted } from './deletedAccount.ts';
import type { Queries } from './queries.ts';
import { findUser, type User } from './users.ts';

/** @throws CallError `email_empty`, `email_invalid`. @see accounts.md 5 */
export function emailRecipient(typed: string): { readonly email: string } {
  if (typed.trim() === '') throw new CallError('email_empty');
  const email = parseEmail(typed);
  if (email === null) throw new CallError('email_invalid');
  return { email };
}

/**
 * An address that is to become somebody's.
 *
 * @throws CallError as `emailRecipient`; `email_yahoo`
 */
export function newEmailRecipient(typed: string): { readonly email: string } {
  const recipient = emailRecipient(typed);
  if (isYahoo(recipient.email)) throw new CallError('email_yahoo');
  return recipient;
}

/** @throws CallError `phone_empty`, `phone_invalid`. @see accounts.md 5 */
export function phoneRecipient(typed: string): { readonly phone: string } {
  if (typed.trim() === '') throw new CallError('phone_empty');
  const phone = parsePhone(typed);
  if (phone === null) throw new CallError('phone_invalid');
  return { phone };
}

/** Whose address or number this is. Deleted accounts are found too. */
export function findOwner(orm: Queries, recipient: Recipient): Promise<User | null> {
  return findUser(orm, 'email' in recipient ? recipient.email : recipient.phone);
}

/**
 * Whose address or number this is, for whoever has proven to have it.
 *
 * @throws CallError `email_unknown`, `phone_unknown`, `account_deleted`
 */
export async function requireOwner(orm: Queries, recipient: Recipient): Promise<User> {
  const owner = await findOwner(orm, recipient);
  if (owner === null) throw recipientUnknown(recipient);
  if (owner.deletedAt !== null) throw accountDeleted(owner.deletedAt);
  return owner;
}

/** That nobody has this address or number. Only for whoever has proven to have it, or where the installation tells all. */
export function recipientUnknown(recipient: Recipient): CallError {
  return new CallError('email' in recipient ? 'email_unknown' : 'phone_unknown');
}
