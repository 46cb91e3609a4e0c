import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { go } from '../../lib/navigation.ts';
import { saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
import { setSession } from '../../lib/session.ts';
import { labelsOf } from './labels.ts';
import { setRecovery } from './recover/recovery.ts';

/**
 * Continues as the person who has just logged in, and keeps the name for the next time.
 *
 * @param basepass token of this device, if it was remembered
 * @param next where to; otherwise the guard leads from this address to where they were going
 */
export function beginSession({ user_info }: NewSession, basepass: string | null, next?: string): void {
  const before = savedAccounts().find(({ uid }) => uid === user_info.uid);
  saveAccount({ ...labelsOf(user_info), basepass: basepass ?? before?.basepass ?? null });
  // A ticket that was not used must not be there for who comes next.
  setRecovery(null);
  setSession({ state: 'member', user: user_info });
  go(next ?? location.pathname + location.search, { root: true });
}
