import { maskEmail } from '@heron/contract/accounts/email.ts';
import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { maskPhone } from '@heron/contract/accounts/phone.ts';
import type { SavedAccount } from '../../lib/savedAccounts.ts';

/** Returns the display name of a user. A phone number used as a name is masked. */
export function shownName(user: Pick<CurrentUser, 'uid' | 'username' | 'email' | 'phone' | 'nickName'>): string {
  const { uid, username, email, phone, nickName } = user;
  return nickName || username || email || (phone ? maskPhone(phone) : String(uid));
}

/** Returns the data of an account that this device stores: its sign-in name and its labels. */
export function labelsOf(
  user: CurrentUser,
): Pick<SavedAccount, 'uid' | 'name' | 'codePhone' | 'nickname' | 'email' | 'tel'> {
  const { uid, username, email, phone, hasPassword } = user;
  return {
    uid,
    name: username ?? email ?? phone ?? String(uid),
    ...(hasPassword || phone === null ? {} : { codePhone: phone }),
    nickname: shownName(user),
    ...(email !== null && { email: maskEmail(email) }),
    ...(phone !== null && { tel: maskPhone(phone) }),
  };
}
