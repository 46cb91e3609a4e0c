import type { CurrentUser, NewSession } from '@heron/contract/accounts/entities.ts';
import { go } from '../../lib/navigation.ts';
import { type LoginType, saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
import { setSession } from '../../lib/session.ts';
import { labelsOf } from './labels.ts';
import { setRecovery } from './recover/recovery.ts';

/**
 * Continues as the person who has just logged in, and keeps the name for the next time.
 *
 * @param basepass token of this device, if it was remembered
 * @param by how they have logged in, if by hand
 * @param next where to; otherwise the guard leads from this address to where they were going
 */
export function beginSession(
  { user_info }: NewSession,
  { basepass, by, next }: { basepass: string | null; by?: LoginType | undefined; next?: string | undefined },
): void {
  // A ticket that was not used must not be there for who comes next.
  setRecovery(null);
  goOnAs(user_info, { basepass, by });
  go(next ?? location.pathname + location.search, { root: true });
}

/** Continues as somebody whose own account is as told now, and keeps its names for the next login. */
export function goOnAs(
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
