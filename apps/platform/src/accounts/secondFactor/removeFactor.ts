import { inTransaction } from '@heron/database/transaction.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { Accounts } from '../accounts.ts';
import { writeAudit } from '../audit.ts';
import { endAccess } from '../endAccess.ts';
import type { SecondFactor } from '../entrance.ts';
import { demandFreshProof } from '../guards.ts';
import { type Queries, userById } from '../users.ts';
import { removeWayIn } from '../waysIn.ts';
import { dropUnusable } from './dropUnusable.ts';

/**
 * Removes a second factor of the caller and ends all other sessions. Of two removals at once the later one sees what the other
 * has left.
 *
 * @throws CallError `proof_needed`, `last_way_in`, and what `remove` throws
 */
export async function removeFactor(
  { database, sessions, notices }: Accounts,
  kind: SecondFactor,
  caller: Caller<Session>,
  remove: (tx: Queries) => Promise<void>,
): Promise<void> {
  const { session, address } = caller;
  await demandFreshProof(database.orm, session);
  const user = await userById(database.orm, session.userId);
  const { id, uid } = user;
  const ended = await inTransaction(database, async (tx) => {
    await removeWayIn(tx, id, () => remove(tx));
    await dropUnusable(tx, id);
    const details = { kind };
    await writeAudit(tx, { action: 'second-factor.remove', actorUid: uid, targetUid: uid, address, details });
    return endAccess(sessions, tx, id, session.id);
  });
  ended.tell();
  notices.tell(user, `${kind}-removed`, caller);
}
