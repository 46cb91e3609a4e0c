import type { OwnerGuard } from '../../gateway/ownerGuard.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { requireFreshProof } from '../core/guards.ts';
import { getUser } from '../core/users.ts';

/** Guards acts of other features with the fresh proof and the alerts of accounts. */
export function createOwnerGuard({ database, securityAlerts, log }: AccountDeps): OwnerGuard {
  return {
    requireFreshProof: (session) => requireFreshProof(database.orm, session),
    alert(session, act, by) {
      getUser(database.orm, session.userId).then(
        (owner) => securityAlerts.send(owner, act, by),
        (error: unknown) => log.warn({ err: error, act }, 'a security alert could not be addressed'),
      );
    },
  };
}
