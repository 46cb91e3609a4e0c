import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { go } from '../../lib/navigation.ts';
import { setSession } from '../../lib/session.ts';

/**
 * Continues as the person who has just logged in.
 *
 * @param next where to; otherwise the guard leads from this address to where they were going
 */
export function beginSession({ user_info }: NewSession, next = location.pathname + location.search): void {
  setSession({ state: 'member', user: user_info });
  go(next, { root: true });
}
