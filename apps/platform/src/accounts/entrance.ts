import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { passkeys, totps } from '@heron/database/schema/accounts.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Caller } from '../gateway/methods.ts';
import type { Sessions } from '../gateway/sessions.ts';
import { accountDeleted } from './deletedAccount.ts';
import { issueTicket } from './tickets.ts';
import { currentUserOf, noteLogin, type Queries, type User } from './users.ts';

/** How long a person may take for the second step. */
const SECOND_STEP_SECONDS = 600;

/** How the session is handed over. @see `sessionWish` in the contract */
export type Wish = 'cookie' | 'token';

/** What has been proven of the person who enters. */
export type Proof = {
  /** A second factor was part of it, or the one factor is two in itself (a passkey with its PIN or finger). */
  readonly secondFactor: boolean;
  /** The device that logs in by itself, if it is one. */
  readonly deviceId?: string;
};

export type SecondFactor = 'totp' | 'passkey';

/** The one way in: every kind of login and registration ends here. */
export type Entrance = {
  /**
   * Begins a session. Always a new token: one that was there before the login, perhaps planted, is ended.
   *
   * @throws CallError `account_deleted`; `second_factor_needed` with a `ticket` and the `kinds` that
   *   count, when there is a second factor and none was proven
   */
  enter(user: User, caller: Caller, wish: Wish, proof: Proof): Promise<NewSession>;
};

export function createEntrance(database: Database, sessions: Sessions): Entrance {
  return {
    async enter(user, caller, wish, proof) {
      if (user.deletedAt !== null) throw accountDeleted(user.deletedAt);
      const kinds = proof.secondFactor ? [] : await secondFactorsOf(database.orm, user.id);
      if (kinds.length > 0) {
        const ticket = await issueTicket(database, 'second-factor', { userId: user.id, seconds: SECOND_STEP_SECONDS });
        throw new CallError('second_factor_needed', { ticket, kinds: kinds.join(' ') });
      }
      const noted = await noteLogin(database.orm, user.id);
      if (caller.session !== null) await sessions.end(caller.session.id);
      const token = await sessions.open(user.id, { ...proof, address: caller.address, userAgent: caller.userAgent });
      caller.handOver(token);
      const user_info = currentUserOf(noted);
      return wish === 'token' ? { token, user_info } : { user_info };
    },
  };
}

/** Second factors that somebody has set up and proven once. */
export async function secondFactorsOf(orm: Queries, userId: number): Promise<SecondFactor[]> {
  const byApp = await orm
    .select({ id: totps.userId })
    .from(totps)
    .where(and(eq(totps.userId, userId), isNotNull(totps.confirmedAt)));
  const byKey = await orm.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1);
  return [...(byApp.length > 0 ? (['totp'] as const) : []), ...(byKey.length > 0 ? (['passkey'] as const) : [])];
}
