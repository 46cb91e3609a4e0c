import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, sessions, users } from '@heron/database/schema/accounts.ts';
import { createBatchLoader } from '@heron/runtime/batchLoader.ts';
import { and, desc, eq, inArray, isNull, ne, notInArray, Placeholder, type SQL, sql } from 'drizzle-orm';
import { createToken, hashToken, isToken } from './secretToken.ts';

/** Days after which a session ends, used or not. */
export const SESSION_MAX_DAYS = 30;
/** Days without use after which a session ends. */
const SESSION_IDLE_DAYS = 14;
/** Further sessions end the oldest ones. */
const SESSIONS_PER_USER = 50;

/** An open session. */
export type Session = {
  /** Hash of the token. */
  readonly id: string;
  readonly userId: number;
  /** Public number of the owner. */
  readonly uid: number;
  readonly groupId: number | null;
  /** Time of the owner's last proof of identity. */
  readonly provenAt: Date;
  /** Whether the proof included a second factor. */
  readonly secondFactor: boolean;
  /** The remembered device to which the session belongs, or null. */
  readonly deviceId: string | null;
  /** The session began by https, so its cookie has the name that only https can set. */
  readonly byHttps: boolean;
};

/** Origin and proof of a new session. */
export type SessionOrigin = {
  readonly address: string;
  readonly userAgent: string;
  readonly secondFactor: boolean;
  readonly byHttps: boolean;
  /** The remembered device that signed in. Then the user has proven nothing. */
  readonly deviceId?: string;
};

/** Fields of a session for its owner. */
export type SessionView = {
  readonly id: string;
  readonly publicId: string;
  readonly deviceId: string | null;
  readonly address: string;
  readonly userAgent: string;
  readonly beganAt: Date;
  readonly usedAt: Date;
};

/** Selects the sessions that end: one, or all of a user or of devices. */
export type SessionSelector = (
  | { readonly id: string }
  | { readonly userId: number }
  | { readonly deviceIds: readonly string[] }
) & {
  /** Id of a session that continues. */
  readonly except?: string | null;
};

/** Sessions that a transaction has ended. */
export type EndedSessions = {
  readonly count: number;
  readonly ids: readonly string[];
  /** Call it after the commit. Closes connections of the ended sessions. */
  afterCommit(): void;
};

/** Maximum stored length of a user agent. */
export const USER_AGENT_MAX_LENGTH = 300;

export type Sessions = {
  /** Creates a session in a transaction. @returns its token, which is not stored */
  open(
    tx: Pick<Database['orm'], 'select' | 'insert' | 'delete'>,
    userId: number,
    origin: SessionOrigin,
  ): Promise<{ readonly token: string; readonly pushedOut: EndedSessions }>;
  /** Returns the session of a token, or null when it does not exist or has ended. */
  find(token: string): Promise<Session | null>;
  /** Returns which of these sessions are open. */
  filterOpen(ids: readonly string[]): Promise<ReadonlySet<string>>;
  end(id: string): Promise<void>;
  /** Ends sessions in a transaction, and removes their push subscriptions. */
  endWithin(tx: Pick<Database['orm'], 'delete'>, which: SessionSelector): Promise<EndedSessions>;
  /** Returns the open sessions of a user, most recently used first. */
  list(userId: number): Promise<SessionView[]>;
  /** Records a fresh proof of identity in a session. @param factor.second whether a second factor was used */
  recordProof(id: string, factor: { second: boolean }): Promise<void>;
  /** Adds a listener for sessions that this process ends. @returns removes the listener */
  onEnded(listener: (ids: readonly string[]) => void): () => void;
};

const isOpen = sql`${sessions.beganAt} > now() - make_interval(days => ${SESSION_MAX_DAYS})
  and ${sessions.usedAt} > now() - make_interval(days => ${SESSION_IDLE_DAYS})`;

/** Passes one array whatever its length, so that the statement is prepared once. */
const isOneOf = (hashes: readonly string[] | Placeholder) =>
  sql`${sessions.tokenHash} = any(${hashes instanceof Placeholder ? hashes : sql.param([...hashes])})`;

/** Creates sessions in the database, which all processes share and restarts keep. */
export function createSessions({ orm }: Database): Sessions {
  const listeners = new Set<(ids: readonly string[]) => void>();

  /** @param which never undefined, because that would match all sessions */
  async function remove(which: SQL): Promise<void> {
    (await removeWithin(orm, which)).afterCommit();
  }

  /** @param which never undefined */
  async function removeWithin(tx: Pick<Database['orm'], 'delete'>, which: SQL): Promise<EndedSessions> {
    const removed = await tx.delete(sessions).where(which).returning({ id: sessions.tokenHash });
    const ids = removed.map(({ id }) => id);
    return {
      count: ids.length,
      ids,
      afterCommit() {
        if (ids.length > 0) for (const listener of [...listeners]) listener(ids);
      },
    };
  }

  // Every call runs this query, so it is prepared once per connection.
  const openSessions = orm
    .select({
      id: sessions.tokenHash,
      userId: sessions.userId,
      uid: users.uid,
      groupId: users.groupId,
      provenAt: sessions.provenAt,
      secondFactor: sessions.secondFactor,
      deviceId: sessions.deviceId,
      byHttps: sessions.byHttps,
      isStale: sql<boolean>`${sessions.usedAt} < now() - interval '1 minute'`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(isOneOf(sql.placeholder('hashes')), isOpen, isNull(users.deletedAt)))
    .prepare('open_sessions');

  const findByHash = createBatchLoader<string, Session | undefined>(
    async (hashes) => {
      const rows = await openSessions.execute({ hashes: [...new Set(hashes)] });
      const stale = rows.filter((row) => row.isStale).map(({ id }) => id);
      if (stale.length > 0) await recordUse(stale);
      const found = new Map(rows.map(({ isStale: _, ...session }): [string, Session] => [session.id, session]));
      return hashes.map((hash) => found.get(hash));
    },
    // An error concerns the database, never one token. Requests of one turn of the event loop share a query.
    { maxConcurrent: 2, failsAnyBatch: () => true, defer: setImmediate },
  );

  /**
   * Records the use of each session, at most once a minute. Skips rows that another platform locks, because it updates
   * them too, and waiting could deadlock.
   */
  async function recordUse(ids: readonly string[]): Promise<void> {
    const free = orm
      .select({ id: sessions.tokenHash })
      .from(sessions)
      .where(isOneOf(ids))
      .for('update', { skipLocked: true });
    await orm.update(sessions).set({ usedAt: sql`now()` }).where(inArray(sessions.tokenHash, free));
  }

  return {
    async open(tx, userId, { address, userAgent, secondFactor, byHttps, deviceId = null }) {
      const token = createToken();
      await tx.insert(sessions).values({
        tokenHash: hashToken(token),
        userId,
        address,
        userAgent: userAgent.slice(0, USER_AGENT_MAX_LENGTH),
        secondFactor,
        byHttps,
        deviceId,
        ...(deviceId === null ? {} : { provenAt: new Date(0) }),
      });
      const newest = tx
        .select({ id: sessions.tokenHash })
        .from(sessions)
        .where(and(eq(sessions.userId, userId), isOpen))
        .orderBy(desc(sessions.beganAt))
        .limit(SESSIONS_PER_USER);
      const old = sql`${eq(sessions.userId, userId)} and ${notInArray(sessions.tokenHash, newest)}`;
      return { token, pushedOut: await removeWithin(tx, old) };
    },
    async find(token) {
      if (!isToken(token)) return null;
      // Looks up the hash, which nobody can choose, so that the response time reveals nothing about tokens.
      return (await findByHash(hashToken(token))) ?? null;
    },
    async filterOpen(ids) {
      if (ids.length === 0) return new Set();
      const rows = await orm
        .select({ id: sessions.tokenHash })
        .from(sessions)
        .where(and(inArray(sessions.tokenHash, [...ids]), isOpen));
      return new Set(rows.map(({ id }) => id));
    },
    end: (id) => remove(eq(sessions.tokenHash, id)),
    async endWithin(tx, { except = null, ...named }) {
      const which =
        'id' in named
          ? eq(sessions.tokenHash, named.id)
          : 'userId' in named
            ? eq(sessions.userId, named.userId)
            : inArray(sessions.deviceId, [...named.deviceIds]);
      const ended = await removeWithin(
        tx,
        except === null ? which : sql`${which} and ${ne(sessions.tokenHash, except)}`,
      );
      // For a user, also removes subscriptions whose session has expired before.
      const subscriptions =
        'userId' in named
          ? sql`${eq(notifyChannels.userId, named.userId)} and ${notifyChannels.sessionId} is distinct from ${except}
              and ${eq(notifyChannels.kind, 'push')}`
          : inArray(notifyChannels.sessionId, [...ended.ids]);
      await tx.delete(notifyChannels).where(subscriptions);
      return ended;
    },
    list(userId) {
      return orm
        .select({
          id: sessions.tokenHash,
          publicId: sessions.publicId,
          deviceId: sessions.deviceId,
          address: sessions.address,
          userAgent: sessions.userAgent,
          beganAt: sessions.beganAt,
          usedAt: sessions.usedAt,
        })
        .from(sessions)
        .where(and(eq(sessions.userId, userId), isOpen))
        .orderBy(desc(sessions.usedAt), desc(sessions.beganAt));
    },
    async recordProof(id, { second }) {
      await orm
        .update(sessions)
        .set({ provenAt: sql`now()`, ...(second ? { secondFactor: true } : {}) })
        .where(eq(sessions.tokenHash, id));
    },
    onEnded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
