import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { passkeys, totps } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Caller } from '../gateway/methods.ts';
import type { Sessions } from '../gateway/sessions.ts';
import { accountDeleted } from './deletedAccount.ts';
import { holdAccount } from './holdAccount.ts';
import type { LoginThrottle } from './loginThrottle.ts';
import { noteLoginPlace } from './notices/loginPlaces.ts';
import type { Notices } from './notices/notices.ts';
import { issueTicket } from './tickets.ts';
import { currentUserOf, identifiersOf, noteLogin, type Queries, type User } from './users.ts';

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

/** In the order in which they are offered. */
const SECOND_FACTORS = ['totp', 'passkey'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

/** The one way in: every kind of login and registration ends here. */
export type Entrance = {
  /**
   * Begins a session. Always a new token: one that was there before the login, perhaps planted, is ended.
   *
   * @param user as it was read before anything was proven: what `endAccess` has ended since then, such as the password that
   *   was shown, lets nobody in
   * @throws CallError `account_deleted`, `login_failed` for one that is erased; `login_expired` when access was ended meanwhile;
   *   `second_factor_needed` with a `ticket` and the `kinds` that count, when there is a second factor and none was proven
   */
  enter(user: User, caller: Caller, wish: Wish, proof: Proof): Promise<NewSession>;
};

export function createEntrance(on: {
  database: Database;
  sessions: Sessions;
  notices: Notices;
  throttle: LoginThrottle;
}): Entrance {
  const { database, sessions, notices, throttle } = on;
  return {
    async enter(user, caller, wish, proof) {
      const step = await inTransaction(database, async (tx) => {
        const held = await holdAccount(tx, user.id);
        if (held === null) throw new CallError('login_failed');
        if (held.deletedAt !== null) throw accountDeleted(held.deletedAt);
        if (held.accessEpoch !== user.accessEpoch) throw new CallError('login_expired');
        const kinds = proof.secondFactor ? [] : await secondFactorsOf(tx, user.id);
        if (kinds.length > 0) {
          const ticket = await issueTicket(tx, 'second-factor', { userId: user.id, seconds: SECOND_STEP_SECONDS });
          return { missing: { ticket, kinds: kinds.join(' ') } };
        }
        const noted = await noteLogin(tx, user.id);
        const { address, userAgent } = caller;
        const origin = { ...proof, address, userAgent, byHttps: caller.origin.startsWith('https:') };
        const opened = await sessions.open(tx, user.id, origin);
        return { noted, opened, isNewPlace: await noteLoginPlace(tx, user.id, caller) };
      });
      if (step.missing !== undefined) throw new CallError('second_factor_needed', step.missing);
      const { noted, opened, isNewPlace } = step;
      opened.pushedOut.tell();
      if (caller.session !== null) await sessions.end(caller.session.id);
      caller.handOver(opened.token);
      // A device that logs in by itself is known, wherever it is taken, and proves nothing of where its owner is.
      if (proof.deviceId === undefined) {
        // First: what is noted of the place is noted, and is not told a second time.
        if (isNewPlace) notices.tell(noted, 'login', caller);
        await throttle.welcome(identifiersOf(noted), caller.address);
      }
      const user_info = currentUserOf(noted);
      return wish === 'token' ? { token: opened.token, user_info } : { user_info };
    },
  };
}

/** Second factors that somebody has set up and proven once. */
export async function secondFactorsOf(orm: Queries, userId: number): Promise<SecondFactor[]> {
  const byApp = orm
    .select({ kind: sql<SecondFactor>`'totp'` })
    .from(totps)
    .where(and(eq(totps.userId, userId), isNotNull(totps.confirmedAt)));
  const byKey = orm.select({ kind: sql<SecondFactor>`'passkey'` }).from(passkeys).where(eq(passkeys.userId, userId));
  const set = new Set((await unionAll(byApp, byKey)).map(({ kind }) => kind));
  return SECOND_FACTORS.filter((kind) => set.has(kind));
}
