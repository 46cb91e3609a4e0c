import type { OwnerGuard } from '../gateway/ownerGuard.ts';
import type { Accounts } from './accounts.ts';
import { demandFreshProof } from './guards.ts';
import { userById } from './users.ts';

/** Guards acts of an owner as accounts guard their own. */
export function createOwnerGuard({ database, notices, log }: Accounts): OwnerGuard {
  return {
    demandFreshProof: (session) => demandFreshProof(database.orm, session),
    alert(session, act, by) {
      userById(database.orm, session.userId).then(
        (owner) => notices.tell(owner, act, by),
        (error: unknown) => log.warn({ err: error, act }, 'a security alert could not be addressed'),
      );
    },
  };
}
