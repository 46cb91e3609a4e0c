import { maskEmail } from '@heron/contract/accounts/email.ts';
import { maskPhone } from '@heron/contract/accounts/phone.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { Recipient } from '../core/codes.ts';
import { hashNewPassword } from '../core/passwords/hashNewPassword.ts';
import { findReferrer } from '../core/referrer.ts';
import { addUser, type NewPerson, type User } from '../core/users.ts';
import { signInCodeUse } from './signInCodeUse.ts';

/**
 * Registers a member by e-mail address or phone number. Verifies the code before the slow work and uses it up with the
 * registration, so that a rejected password leaves the code valid.
 *
 * @throws CallError `code_wrong`, `too_many_requests`, or as `checkPassword`; `email_taken` or `phone_taken`, which
 *   only the owner learns
 */
export async function registerByCode(
  { database, codes }: AccountDeps,
  recipient: Recipient,
  typed: { code: string; password: string; referrerUid: number | undefined },
  caller: Caller,
): Promise<User> {
  const code = await codes.check(signInCodeUse(recipient), typed.code, caller);
  const own = 'email' in recipient ? recipient.email : recipient.phone;
  const passwordHash = await hashNewPassword(database.orm, typed.password, [own]);
  const referrerUid = await findReferrer(database.orm, typed.referrerUid);
  return inTransaction(database, async (tx) => {
    await code.redeem(tx);
    return addUser(tx, { ...newPerson(recipient), passwordHash, referrerUid });
  });
}

/**
 * Returns a new member without a password. Others see the nickname, so that it must not contain the whole address or
 * number.
 *
 */
export function newPerson(recipient: Recipient): NewPerson {
  const nickName = 'email' in recipient ? maskEmail(recipient.email) : maskPhone(recipient.phone);
  return { ...recipient, nickName, passwordHash: null, groupId: null };
}
