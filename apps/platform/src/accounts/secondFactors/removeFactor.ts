import { inTransaction } from '@heron/database/transaction.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import { requireFreshProof } from '../core/guards.ts';
import type { Queries } from '../core/queries.ts';
import type { SecondFactorKind } from '../core/secondFactors.ts';
import { removeSignInMethod } from '../core/signInMethods.ts';
import { getUser } from '../core/users.ts';
import { cleanUpSecondFactors } from './cleanUpSecondFactors.ts';

/**
 * Removes a second factor of the caller and ends all other sessions. Concurrent removals wait for each other.
 *
 * @throws CallError `proof_needed`, `last_way_in`, and errors of `remove`
 */
export async function removeFactor(
  { database, sessions, securityAlerts }: AccountDeps,
  kind: SecondFactorKind,
  caller: Caller<Session>,
  remove: (tx: Queries) => Promise<void>,
): Promise<void> {
  const { session, address } = caller;
  await requireFreshProof(database.orm, session);
  const user = await getUser(database.orm, session.userId);
  const { id, uid } = user;
  const ended = await inTransaction(database, async (tx) => {
    await removeSignInMethod(tx, id, () => remove(tx));
    await cleanUpSecondFactors(tx, id);
    const details = { kind };
    await writeAudit(tx, { action: 'second-factor.remove', actorUid: uid, targetUid: uid, address, details });
    return endAccess(sessions, tx, id, session.id);
  });
  ended.afterCommit();
  securityAlerts.send(user, `${kind}-removed`, caller);
}
