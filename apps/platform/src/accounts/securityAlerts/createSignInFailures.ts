import type { Database } from '@heron/database/connect.ts';
import { digestKey, persistentLimiter } from '../../gateway/limits.ts';
import type { SecurityAlerts } from '../core/securityAlerts.ts';
import type { SignInFailures } from '../core/signInFailures.ts';

const DAY = 86_400;

/** Counted here, limited elsewhere. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Wrong passwords for one account within a day after which its owner is told, once that day. */
const WRONG_PASSWORDS = 20;
/** Wrong second steps within a day: whoever gets so far knows the password. */
const WRONG_SECOND_STEPS = 5;

/** Tells people of logins that fail again and again, long before any of them can succeed. @see OWASP ASVS 6.3.5 */
export function createSignInFailures(database: Database, securityAlerts: SecurityAlerts): SignInFailures {
  const passwords = persistentLimiter(database, { name: 'failed-logins', points: UNLIMITED, seconds: DAY });
  const secondSteps = persistentLimiter(database, { name: 'failed-second-steps', points: UNLIMITED, seconds: DAY });
  return {
    async onWrongPassword(typed, user, caller) {
      // All names of an account count together here, where nobody but its owner learns of it.
      const { consumedPoints } = await passwords.penalty(digestKey(user === null ? typed : `user ${user.id}`));
      if (consumedPoints !== WRONG_PASSWORDS || user === null || user.deletedAt !== null) return;
      securityAlerts.send(user, 'guesses', caller);
    },
    async onWrongSecondFactor(user, caller) {
      const { consumedPoints } = await secondSteps.penalty(String(user.id));
      if (consumedPoints === WRONG_SECOND_STEPS) securityAlerts.send(user, 'second-step', caller);
    },
  };
}
