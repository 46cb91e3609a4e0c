import { maskEmail } from '@heron/contract/accounts/email.ts';
import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { maskPhone } from '@heron/contract/accounts/phone.ts';
import type { SavedAccount } from '../../lib/savedAccounts.ts';

/** Returns the display name of a user. A phone number used as a name is masked. */
export function shownName(
  user: Pick<CurrentUser, 'uid' | 'username' | 'user_email' | 'user_tel' | 'nick_name'>,
): string {
  const { uid, username, user_email, user_tel, nick_name } = user;
  return nick_name || username || user_email || (user_tel ? maskPhone(user_tel) : String(uid));
}

/** Returns the data of an account that this device stores: its sign-in name and its labels. */
export function labelsOf(
  user: CurrentUser,
): Pick<SavedAccount, 'uid' | 'name' | 'codePhone' | 'nickname' | 'email' | 'tel'> {
  const { uid, username, user_email, user_tel, has_password } = user;
  return {
    uid,
    name: username ?? user_email ?? user_tel ?? String(uid),
    ...(has_password || user_tel === null ? {} : { codePhone: user_tel }),
    nickname: shownName(user),
    ...(user_email !== null && { email: maskEmail(user_email) }),
    ...(user_tel !== null && { tel: maskPhone(user_tel) }),
  };
}
