import type { CurrentUser, NewSession } from '@heron/contract/accounts/entities.ts';
import { go } from '../../lib/navigation.ts';
import { type LoginType, saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
import { setSession } from '../../lib/session.ts';
import { labelsOf } from './labels.ts';
import { setRecovery } from './recover/recovery.ts';

/**
 * Starts the session of a user who has just signed in, and saves the account on this device.
 *
 * @param basepass token of this device, if it was remembered
 * @param by method of the sign-in, if it was not automatic
 * @param next next address; without it the guard returns to the requested address
 */
export function beginSession(
  { userInfo }: NewSession,
  { basepass, by, next }: { basepass: string | null; by?: LoginType | undefined; next?: string | undefined },
): void {
  // An unused recovery ticket must not be available to the next user.
  setRecovery(null);
  updateSession(userInfo, { basepass, by });
  go(next ?? location.pathname + location.search, { root: true });
}

/** Updates the session to the current data of the own account, and saves its names for the next sign-in. */
export function updateSession(
  user: CurrentUser,
  { basepass = null, by }: { basepass?: string | null; by?: LoginType | undefined } = {},
): void {
  const before = savedAccounts().find(({ uid }) => uid === user.uid);
  saveAccount({
    ...labelsOf(user),
    ...(by !== undefined && { logintype: by }),
    basepass: basepass ?? before?.basepass ?? null,
  });
  setSession({ state: 'member', user });
}
