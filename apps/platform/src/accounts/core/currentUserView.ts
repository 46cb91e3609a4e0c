import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { ageOn } from '@heron/contract/accounts/profile.ts';
import { roleOf } from '@heron/contract/accounts/roles.ts';
import { tierNames } from './tierNames.ts';
import { unixSeconds } from './unixSeconds.ts';
import type { User } from './users.ts';

/** Returns the fields of an account that its owner may see. @param today as YYYY-MM-DD */
export function currentUserView(user: User, today = new Date().toISOString().slice(0, 10)): CurrentUser {
  return {
    id: user.id,
    uid: user.uid,
    username: user.username,
    email: user.email,
    phone: user.phone,
    nickName: user.nickName,
    hasPassword: user.passwordHash !== null,
    sex: user.sex,
    birthday: user.birthday,
    age: user.birthday === null ? null : ageOn(today, user.birthday),
    realName: user.realName,
    qq: user.qq,
    province: user.province,
    city: user.city,
    location: `${user.province} ${user.city}`.trim(),
    description: user.description,
    tier: user.tier,
    tierLevel: user.tierLevel,
    ...tierNames(user),
    balance: user.balance,
    groupId: user.groupId,
    role: roleOf(user.groupId),
    registeredAt: unixSeconds(user.registeredAt),
    loggedInAt: unixSeconds(user.loggedInAt),
  };
}
