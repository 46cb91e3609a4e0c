import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { Sessions } from '../../gateway/sessions.ts';
import { currentUserView } from '../core/currentUserView.ts';
import { accountDeleted } from '../core/deletedAccount.ts';
import { getIdentifiers } from '../core/identifiers.ts';
import { lockAccount } from '../core/lockAccount.ts';
import type { LoginThrottle } from '../core/loginThrottle.ts';
import { getSecondFactors } from '../core/secondFactors.ts';
import type { SecurityAlerts } from '../core/securityAlerts.ts';
import type { SignIn } from '../core/signIn.ts';
import { issueTicket } from '../core/tickets.ts';
import { recordLogin } from '../core/users.ts';
import { recordLoginPlace } from './loginPlaces.ts';

/** Time that a person has for the second factor. */
const SECOND_STEP_SECONDS = 600;

export function createSignIn(deps: {
  database: Database;
  sessions: Sessions;
  securityAlerts: SecurityAlerts;
  throttle: LoginThrottle;
}): SignIn {
  const { database, sessions, securityAlerts, throttle } = deps;
  return {
    async createSession(user, caller, transport, proof) {
      const step = await inTransaction(database, async (tx) => {
        const held = await lockAccount(tx, user.id);
        if (held === null) throw new CallError('login_failed');
        if (held.deletedAt !== null) throw accountDeleted(held.deletedAt);
        if (held.accessEpoch !== user.accessEpoch) throw new CallError('login_expired');
        const kinds = proof.secondFactor ? [] : await getSecondFactors(tx, user.id);
        if (kinds.length > 0) {
          const ticket = await issueTicket(tx, 'second-factor', { userId: user.id, seconds: SECOND_STEP_SECONDS });
          return { missing: { ticket, kinds: kinds.join(' ') } };
        }
        const noted = await recordLogin(tx, user.id);
        const { address, userAgent } = caller;
        const origin = { ...proof, address, userAgent, byHttps: caller.origin.startsWith('https:') };
        const opened = await sessions.open(tx, user.id, origin);
        return { noted, opened, isNewPlace: await recordLoginPlace(tx, user.id, caller) };
      });
      if (step.missing !== undefined) throw new CallError('second_factor_needed', step.missing);
      const { noted, opened, isNewPlace } = step;
      opened.pushedOut.afterCommit();
      if (caller.session !== null) await sessions.end(caller.session.id);
      caller.setSessionCookie(opened.token);
      // A remembered device is known at every place, and its sign-in does not prove where its owner is.
      if (proof.deviceId === undefined) {
        // Sent before anything can fail, because the recorded place is not reported a second time.
        if (isNewPlace) securityAlerts.send(noted, 'login', caller);
        await throttle.rememberAddress(getIdentifiers(noted), caller.address);
      }
      const userInfo = currentUserView(noted);
      return transport === 'token' ? { token: opened.token, userInfo } : { userInfo };
    },
  };
}
