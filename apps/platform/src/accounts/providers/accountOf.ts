import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { knownSource } from '../registration/knownSource.ts';
import { addUser, type User } from '../users.ts';
import { addIdentities, type Identified, lockIdentities, ownersOf } from './identity.ts';

const NAMELESS = {
  wechat: { zh: '微信用户', en: 'WeChat user' },
  apple: { zh: 'Apple 用户', en: 'Apple user' },
} as const;

/**
 * The account of whom a provider has vouched for, a new one when there is none. When WeChat knows the person under two names
 * that are of two accounts, the name of this very app decides, and each stays where it is: accounts hold money, and are never
 * put together by a login.
 *
 * @param told.nickName as the provider tells it; may be empty
 */
export function accountOf(
  { database, keys }: Accounts,
  person: Identified,
  told: { nickName: string; sourceUid: number | undefined },
  { language }: Pick<Caller, 'language'>,
): Promise<User> {
  return inTransaction(database, async (tx) => {
    await lockIdentities(tx, person);
    const owner = (await ownersOf(tx, person)).find(({ userId }) => userId !== null)?.userId ?? null;
    const [known] = owner === null ? [] : await tx.select().from(users).where(eq(users.id, owner));
    const shown = told.nickName.normalize('NFKC').replace(/\p{C}/gu, '').trim();
    const user =
      known ??
      (await addUser(tx, {
        nickName: shown === '' ? NAMELESS[person.by][language] : shown,
        passwordHash: null,
        groupId: null,
        sourceUid: await knownSource(tx, told.sourceUid),
      }));
    await addIdentities(tx, keys, user.id, person);
    return user;
  });
}
