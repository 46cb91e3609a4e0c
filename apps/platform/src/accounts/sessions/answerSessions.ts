import { sessionMethods } from '@heron/contract/accounts/sessionMethods.ts';
import { type Answering, forMembers } from '../../gateway/methods.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { Accounts } from '../accounts.ts';
import { unixSeconds } from '../users.ts';
import { endOtherSessions, endSession } from './endSession.ts';
import { proveAgain } from './proveAgain.ts';

/** What answers the methods by which people look after their sessions. */
export function answerSessions(accounts: Accounts): Answering[] {
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
      if (ended === caller.session.id) caller.takeBack();
      return {};
    }),
    forMembers(sessionMethods.endOtherSessions, (_payload, caller) => endOtherSessions(accounts, caller)),
    forMembers(sessionMethods.prove, async (shown, caller) => {
      await proveAgain(accounts, shown, caller);
      return {};
    }),
  ];
}
