import type { PublicUser } from '@heron/contract/accounts/entities.ts';
import { ageOn } from '@heron/contract/accounts/profile.ts';
import { roleOf } from '@heron/contract/accounts/roles.ts';
import type { User } from '../core/users.ts';

/** Returns the fields of an account that everybody may see. @param today as YYYY-MM-DD */
export function publicUserView(user: User, today: string): PublicUser {
  return {
    uid: user.uid,
    username: user.username,
    nickName: user.nickName,
    sex: user.sex,
    age: user.birthday === null ? null : ageOn(today, user.birthday),
    province: user.province,
    city: user.city,
    description: user.description,
    tier: user.tier,
    tierLevel: user.tierLevel,
    role: roleOf(user.groupId),
  };
}
