import { isBirthday, type ProfileChange, parseNickName } from '@heron/contract/accounts/profile.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import { getUser, type User } from '../core/users.ts';

/** The next day has already begun in the easternmost time zone. */
const EASTERNMOST_MS = 14 * 3_600_000;

/**
 * Changes the given fields of a profile.
 *
 * @throws CallError `nick_name_invalid`, `birthday_invalid`
 */
export async function changeProfile(orm: Queries, userId: number, change: ProfileChange): Promise<User> {
  const wanted = columnsOf(change);
  if (Object.keys(wanted).length === 0) return getUser(orm, userId);
  const [changed] = await orm.update(users).set(wanted).where(eq(users.id, userId)).returning();
  if (changed === undefined) throw new CallError('not_logged_in');
  return changed;
}

function columnsOf({ nickName: typedName, birthday, location, ...change }: ProfileChange) {
  const nickName = typedName === undefined ? undefined : parseNickName(typedName);
  if (nickName === null) throw new CallError('nick_name_invalid');
  const today = new Date(Date.now() + EASTERNMOST_MS).toISOString().slice(0, 10);
  if (birthday !== undefined && birthday !== '' && !isBirthday(birthday, today))
    throw new CallError('birthday_invalid');
  const [locatedProvince, ...locatedCity] = location?.split(/\s+/) ?? [];
  const columns = {
    nickName,
    birthday: birthday === '' ? null : birthday,
    sex: change.sex,
    realName: change.realName,
    qq: change.qq,
    province: change.province ?? locatedProvince,
    city: change.city ?? (location === undefined ? undefined : locatedCity.join(' ')),
    description: change.description,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<
    // The filter has removed the undefined fields.
    { [Name in keyof typeof columns]: Exclude<(typeof columns)[Name], undefined> }
  >;
}
