import type { Database } from '@heron/database/connect.ts';
import { digestKey, persistentLimiter } from '../../gateway/limits.ts';
import type { SecurityAlerts } from '../core/securityAlerts.ts';
import type { SignInFailures } from '../core/signInFailures.ts';

const DAY = 86_400;

/** Counts without a limit; the throttle limits attempts. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Wrong passwords for one account within a day after which the owner is alerted, once a day. */
const WRONG_PASSWORDS = 20;
/** Wrong second factors within a day. A caller who reaches this step knows the password. */
const WRONG_SECOND_STEPS = 5;

/** Counts failed sign-ins and alerts the owner long before an attacker can succeed. @see OWASP ASVS 6.3.5 */
export function createSignInFailures(database: Database, securityAlerts: SecurityAlerts): SignInFailures {
  const passwords = persistentLimiter(database, { name: 'failed-logins', points: UNLIMITED, seconds: DAY });
  const secondSteps = persistentLimiter(database, { name: 'failed-second-steps', points: UNLIMITED, seconds: DAY });
  return {
    async onWrongPassword(typed, user, caller) {
      // All identifiers of an account share one count. Only the owner learns of it.
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
