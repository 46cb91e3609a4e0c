import type { OwnerGuard } from '../../gateway/ownerGuard.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { requireFreshProof } from '../core/guards.ts';
import { getUser } from '../core/users.ts';

/** Guards acts of an owner as accounts guard their own. */
export function createOwnerGuard({ database, securityAlerts, log }: AccountDeps): OwnerGuard {
  return {
    demandFreshProof: (session) => requireFreshProof(database.orm, session),
    alert(session, act, by) {
      getUser(database.orm, session.userId).then(
        (owner) => securityAlerts.send(owner, act, by),
        (error: unknown) => log.warn({ err: error, act }, 'a security alert could not be addressed'),
      );
    },
  };
}
