import { SUPER_ADMINISTRATOR } from '@heron/contract/accounts/roles.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { settings, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import type { Queries } from '../core/queries.ts';
import { getInstallationSettings } from '../core/settings.ts';
import { addUser, type User } from '../core/users.ts';
import { checkApplicant } from './checkApplicant.ts';
import { closeRegistration } from './closeRegistration.ts';

type Deps = Pick<AccountDeps, 'database' | 'firstAccount'>;

/**
 * Returns whether the next account registered by name becomes the administrator: nobody has registered, and only this
 * machine reaches the platform.
 */
export async function isFirstAccountDue({ database, firstAccount }: Deps): Promise<boolean> {
  return firstAccount === 'administrator' && !(await hasAccounts(database.orm));
}

/**
 * Registers the first account, as super administrator, and closes registration.
 *
 * @returns null when somebody else has registered meanwhile but registration is still open
 * @throws CallError `way_closed` when somebody else has registered meanwhile; or as `checkApplicant`
 */
export async function registerFirst(
  database: Deps['database'],
  typed: { username: string; password: string },
  address: string,
): Promise<User | null> {
  const applicant = await checkApplicant(database.orm, typed);
  return inTransaction(database, async (tx) => {
    // Two first people at once: the second one waits here.
    await tx.select().from(settings).for('update');
    if (await hasAccounts(tx)) {
      if (!(await getInstallationSettings(tx)).registerByName) throw new CallError('way_closed');
      return null;
    }
    const added = await addUser(tx, { ...applicant, nickName: applicant.name, groupId: SUPER_ADMINISTRATOR });
    await closeRegistration(tx);
    await writeAudit(tx, { action: 'administrator.create', actorUid: null, targetUid: added.uid, address });
    return added;
  });
}

async function hasAccounts(orm: Queries): Promise<boolean> {
  return (await orm.select({ id: users.id }).from(users).limit(1)).length > 0;
}
