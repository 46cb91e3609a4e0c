import { isYahoo, parseEmail } from '@heron/contract/accounts/email.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Recipient } from './codes.ts';
import { accountDeleted } from './deletedAccount.ts';
import type { Queries } from './queries.ts';
import { findUser, type User } from './users.ts';

/**
 * Parses a typed e-mail address.
 *
 * @throws CallError `email_empty`, `email_invalid`
 */
export function emailRecipient(typed: string): { readonly email: string } {
  if (typed.trim() === '') throw new CallError('email_empty');
  const email = parseEmail(typed);
  if (email === null) throw new CallError('email_invalid');
  return { email };
}

/** Parses an e-mail address for a new account or a change. @throws CallError as `emailRecipient`; `email_yahoo` */
export function newEmailRecipient(typed: string): { readonly email: string } {
  const recipient = emailRecipient(typed);
  if (isYahoo(recipient.email)) throw new CallError('email_yahoo');
  return recipient;
}

/**
 * Parses a typed phone number.
 *
 * @throws CallError `phone_empty`, `phone_invalid`
 */
export function phoneRecipient(typed: string): { readonly phone: string } {
  if (typed.trim() === '') throw new CallError('phone_empty');
  const phone = parsePhone(typed);
  if (phone === null) throw new CallError('phone_invalid');
  return { phone };
}

/** Returns the account of an address or number, also when it is deleted. */
export function findOwner(orm: Queries, recipient: Recipient): Promise<User | null> {
  return findUser(orm, 'email' in recipient ? recipient.email : recipient.phone);
}

/**
 * Returns the account of an address or number that the caller has proven to own.
 *
 * @throws CallError `email_unknown`, `phone_unknown`, `account_deleted`
 */
export async function requireOwner(orm: Queries, recipient: Recipient): Promise<User> {
  const owner = await findOwner(orm, recipient);
  if (owner === null) throw recipientUnknown(recipient);
  if (owner.deletedAt !== null) throw accountDeleted(owner.deletedAt);
  return owner;
}

/** Returns the error for an unknown address or number. Only for callers who own it, or where the setting allows it. */
export function recipientUnknown(recipient: Recipient): CallError {
  return new CallError('email' in recipient ? 'email_unknown' : 'phone_unknown');
}
