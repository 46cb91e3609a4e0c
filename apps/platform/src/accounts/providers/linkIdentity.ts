import { CallError } from '@heron/contract/http/errors.ts';
import { identities } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, inArray } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import type { ProviderIdentity } from '../core/providers.ts';
import type { User } from '../core/users.ts';
import { addIdentities, findOwners, lockIdentities } from './identities.ts';

/**
 * Links a person whom a provider has identified to an account. A name that is linked to another account must be
 * unlinked there first.
 *
 * @throws CallError `identity_taken`; `identity_other` when the account is linked to another person at this provider
 */
export function linkIdentity(
  { database, keys }: AccountDeps,
  { id, uid }: User,
  person: ProviderIdentity,
  address: string,
): Promise<void> {
  return inTransaction(database, async (tx) => {
    await lockIdentities(tx, person);
    const owners = await findOwners(tx, person);
    if (owners.some(({ userId }) => userId !== null && userId !== id)) throw new CallError('identity_taken');
    const own = await tx
      .select()
      .from(identities)
      .where(
        and(
          eq(identities.userId, id),
          inArray(
            identities.provider,
            person.keys.map(({ provider }) => provider),
          ),
        ),
      );
    const isOther = person.keys.some(({ provider, subject }) =>
      own.some((row) => row.provider === provider && row.subject !== subject),
    );
    if (isOther) throw new CallError('identity_other');
    await addIdentities(tx, keys, id, person);
    const details = { provider: person.by };
    await writeAudit(tx, { action: 'identity.link', actorUid: uid, targetUid: uid, address, details });
  });
}
