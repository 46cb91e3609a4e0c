import { maskEmail } from '@heron/contract/accounts/email.ts';
import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { maskPhone } from '@heron/contract/accounts/phone.ts';
import type { SavedAccount } from '../../lib/savedAccounts.ts';

/** Returns the display name of a user. A phone number used as a name is masked. */
export function shownName(user: Pick<CurrentUser, 'uid' | 'username' | 'userEmail' | 'userTel' | 'nickName'>): string {
  const { uid, username, userEmail, userTel, nickName } = user;
  return nickName || username || userEmail || (userTel ? maskPhone(userTel) : String(uid));
}

/** Returns the data of an account that this device stores: its sign-in name and its labels. */
export function labelsOf(
  user: CurrentUser,
): Pick<SavedAccount, 'uid' | 'name' | 'codePhone' | 'nickname' | 'email' | 'tel'> {
  const { uid, username, userEmail, userTel, hasPassword } = user;
  return {
    uid,
    name: username ?? userEmail ?? userTel ?? String(uid),
    ...(hasPassword || userTel === null ? {} : { codePhone: userTel }),
    nickname: shownName(user),
    ...(userEmail !== null && { email: maskEmail(userEmail) }),
    ...(userTel !== null && { tel: maskPhone(userTel) }),
  };
}
