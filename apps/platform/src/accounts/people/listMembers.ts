import type { ListedUser } from '@heron/contract/accounts/peopleMethods.ts';
import { roleOf } from '@heron/contract/accounts/roles.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { and, count, desc, ilike, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import { tierNames } from '../core/tierNames.ts';
import { unixSeconds } from '../core/unixSeconds.ts';
import type { User } from '../core/users.ts';

const SORTED_BY = {
  reg_time: users.registeredAt,
  login: users.loggedInAt,
  balance: users.balance,
  level: users.tierLevel,
} as const;

/** Filter, order and page of the list of members. */
export type MemberListQuery = {
  /** Page number, from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly sort: keyof typeof SORTED_BY;
  readonly searchKey: string;
  readonly deleted: boolean;
};

/** Returns one page of members, in descending order. */
export async function listMembers(
  orm: Queries,
  { page, pageSize, sort, searchKey, deleted }: MemberListQuery,
): Promise<{ data: ListedUser[]; pageCount: number; total: number }> {
  const which = and(deleted ? isNotNull(users.deletedAt) : isNull(users.deletedAt), matching(searchKey));
  const [counted] = await orm.select({ total: count() }).from(users).where(which);
  const total = counted?.total ?? 0;
  const rows = await orm
    .select()
    .from(users)
    .where(which)
    .orderBy(desc(SORTED_BY[sort]), desc(users.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return { data: rows.map(listed), pageCount: Math.ceil(total / pageSize), total };
}

function matching(typed: string) {
  const key = typed.normalize('NFKC').trim();
  if (key === '') return undefined;
  const part = `%${key.replace(/[\\%_]/g, '\\$&')}%`;
  return or(
    ilike(users.username, part),
    ilike(users.nickName, part),
    ilike(users.email, part),
    ilike(users.phone, part),
    ilike(sql`${users.uid}::text`, part),
  );
}

function listed(user: User): ListedUser {
  return {
    uid: user.uid,
    username: user.username,
    nickName: user.nickName,
    description: user.description,
    email: user.email,
    phone: user.phone,
    tier: user.tier,
    tierLevel: user.tierLevel,
    ...tierNames(user),
    balance: user.balance,
    groupId: user.groupId,
    role: roleOf(user.groupId),
    registeredAt: unixSeconds(user.registeredAt),
    loggedInAt: unixSeconds(user.loggedInAt),
    deletedAt: user.deletedAt === null ? null : unixSeconds(user.deletedAt),
  };
}
