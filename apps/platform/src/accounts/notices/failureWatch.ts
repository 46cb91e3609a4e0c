import type { Database } from '@heron/database/connect.ts';
import { digestKey, persistentLimiter } from '../../gateway/limits.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { User } from '../users.ts';
import type { Notices } from './notices.ts';

const DAY = 86_400;

/** Counted here, limited elsewhere. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Wrong passwords for one account within a day after which its owner is told, once that day. */
const WRONG_PASSWORDS = 20;
/** Wrong second steps within a day: whoever gets so far knows the password. */
const WRONG_SECOND_STEPS = 5;

export type FailureWatch = {
  /**
   * Counts a login with a wrong password. Takes the same steps for accounts that do not exist.
   *
   * @param typed what names the account, whether it exists or not, in one form
   */
  wrongPassword(typed: string, user: User | null, caller: Caller): Promise<void>;
  /** Counts a login whose second step has failed. */
  wrongSecondStep(user: User, caller: Caller): Promise<void>;
};

/** Tells people of logins that fail again and again, long before any of them can succeed. @see OWASP ASVS 6.3.5 */
export function createFailureWatch(database: Database, notices: Notices): FailureWatch {
  const passwords = persistentLimiter(database, { name: 'failed-logins', points: UNLIMITED, seconds: DAY });
  const secondSteps = persistentLimiter(database, { name: 'failed-second-steps', points: UNLIMITED, seconds: DAY });
  return {
    async wrongPassword(typed, user, caller) {
      // All names of an account count together here, where nobody but its owner learns of it.
      const { consumedPoints } = await passwords.penalty(digestKey(user === null ? typed : `user ${user.id}`));
      if (consumedPoints !== WRONG_PASSWORDS || user === null || user.deletedAt !== null) return;
      notices.tell(user, 'guesses', caller);
    },
    async wrongSecondStep(user, caller) {
      const { consumedPoints } = await secondSteps.penalty(String(user.id));
      if (consumedPoints === WRONG_SECOND_STEPS) notices.tell(user, 'second-step', caller);
    },
  };
}
