import { sessionMethods } from '@heron/contract/accounts/sessionMethods.ts';
import { forMembers, type MethodHandler } from '../../gateway/methods.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { unixSeconds } from '../core/unixSeconds.ts';
import { endOtherSessions, endSession } from './endSession.ts';
import { reauthenticate } from './reauthenticate.ts';

/** Returns the handlers that list and end sessions of the caller. */
export function createSessionHandlers(accounts: AccountDeps): MethodHandler[] {
  const { sessions } = accounts;
  return [
    forMembers(sessionMethods.listSessions, async (_payload, { session }) => ({
      sessions: (await sessions.list(session.userId)).map((each) => ({
        id: each.publicId,
        address: each.address,
        ...programOf(each.userAgent),
        began: unixSeconds(each.beganAt),
        used: unixSeconds(each.usedAt),
        remembered: each.deviceId !== null,
        current: each.id === session.id,
      })),
    })),
    forMembers(sessionMethods.endSession, async ({ id }, caller) => {
      const ended = await endSession(accounts, id, caller);
      if (ended === caller.session.id) caller.clearSessionCookie();
      return {};
    }),
    forMembers(sessionMethods.endOtherSessions, (_payload, caller) => endOtherSessions(accounts, caller)),
    forMembers(sessionMethods.prove, async (shown, caller) => {
      await reauthenticate(accounts, shown, caller);
      return {};
    }),
  ];
}
