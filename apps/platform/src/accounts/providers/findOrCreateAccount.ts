import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { eq } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { ProviderIdentity } from '../core/providers.ts';
import type { Queries } from '../core/queries.ts';
import { findReferrer } from '../core/referrer.ts';
import { getInstallationSettings } from '../core/settings.ts';
import { addUser, type User } from '../core/users.ts';
import { addIdentities, findOwners, lockIdentities } from './identities.ts';

const NAMELESS = {
  wechat: { zh: '微信用户', en: 'WeChat user' },
  apple: { zh: 'Apple 用户', en: 'Apple user' },
} as const;

/**
 * Returns the account of a person whom a provider has identified, or creates one. WeChat may know a person under names
 * of two accounts; then the name for this app decides. Accounts are never merged, because they hold money.
 *
 * @param profile.nickName from the provider; may be empty
 * @throws CallError `identity_unknown` for a new person when registration by provider is disabled; `too_many_requests`
 */
export async function findOrCreateAccount(
  { database, keys, countRegistration }: AccountDeps,
  person: ProviderIdentity,
  profile: { nickName: string; referrerUid: number | undefined },
  { language, address }: Pick<Caller, 'language' | 'address'>,
): Promise<User> {
  // Runs outside the transaction, which would hold one connection and wait for another.
  if ((await ownerOf(database.orm, person)) === null) await countRegistration(address);
  return inTransaction(database, async (tx) => {
    await lockIdentities(tx, person);
    const owner = await ownerOf(tx, person);
    const [known] = owner === null ? [] : await tx.select().from(users).where(eq(users.id, owner));
    const user = known ?? (await newcomer(tx));
    await addIdentities(tx, keys, user.id, person);
    return user;
  });

  async function newcomer(tx: Queries): Promise<User> {
    const { registerByProvider } = await getInstallationSettings(tx);
    if (!registerByProvider) throw new CallError('identity_unknown');
    const shown = profile.nickName.normalize('NFKC').replace(/\p{C}/gu, '').trim();
    return addUser(tx, {
      nickName: shown === '' ? NAMELESS[person.by][language] : shown,
      passwordHash: null,
      groupId: null,
      referrerUid: await findReferrer(tx, profile.referrerUid),
    });
  }
}

async function ownerOf(orm: Queries, person: ProviderIdentity): Promise<number | null> {
  return (await findOwners(orm, person)).find(({ userId }) => userId !== null)?.userId ?? null;
}
