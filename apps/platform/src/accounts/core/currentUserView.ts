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
    user_name: user.username,
    user_email: user.email,
    user_tel: user.phone,
    nick_name: user.nickName,
    has_password: user.passwordHash !== null,
    sex: user.sex,
    birthday: user.birthday,
    age: user.birthday === null ? null : ageOn(today, user.birthday),
    real_name: user.realName,
    user_qq: user.qq,
    province: user.province,
    city: user.city,
    location: `${user.province} ${user.city}`.trim(),
    description: user.description,
    member_version: user.memberVersion,
    member_level: user.memberLevel,
    ...tierNames(user),
    balance: user.balance,
    group_id: user.groupId,
    role: roleOf(user.groupId),
    reg_time: unixSeconds(user.registeredAt),
    current_login_time: unixSeconds(user.loggedInAt),
  };
}
