import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, sessions, users } from '@heron/database/schema/accounts.ts';
import { and, desc, eq, inArray, isNull, ne, notInArray, Placeholder, type SQL, sql } from 'drizzle-orm';
import { createToken, hashToken, isToken } from './secretToken.ts';
import { together } from './together.ts';

/** A session ends after this time, used or not. */
export const SESSION_MAX_DAYS = 30;
/** A session ends after this time without use. */
const SESSION_IDLE_DAYS = 14;
/** Further sessions end the oldest ones. */
const SESSIONS_PER_USER = 50;

/** Somebody who is logged in. */
export type Session = {
  /** Hash of the token. */
  readonly id: string;
  readonly userId: number;
  /** Public number of its owner. */
  readonly uid: number;
  readonly groupId: number | null;
  /** When its owner last proved who they are. */
  readonly provenAt: Date;
  /** Whether that took a second factor. */
  readonly secondFactor: boolean;
  /** The device that logs in by itself, if it is one of it. */
  readonly deviceId: string | null;
  /** It began by https, and so its cookie has the name that only https can set. */
  readonly byHttps: boolean;
};

/** Where a session begins and what was proven, for its owner's list and for what wants a fresh proof. */
export type SessionOrigin = {
  readonly address: string;
  readonly userAgent: string;
  readonly secondFactor: boolean;
  readonly byHttps: boolean;
  /** The device that logs in by itself: nobody has proven who they are. */
  readonly deviceId?: string;
};

/** What its owner may know of a session. */
export type SessionView = {
  readonly id: string;
  readonly publicId: string;
  readonly deviceId: string | null;
  readonly address: string;
  readonly userAgent: string;
  readonly beganAt: Date;
  readonly usedAt: Date;
};

/** Which sessions are to end: one, or all of somebody or of devices. */
export type SessionSelector = (
  | { readonly id: string }
  | { readonly userId: number }
  | { readonly deviceIds: readonly string[] }
) & {
  /** Id of a session that goes on. */
  readonly except?: string | null;
};

/** Sessions that a transaction has ended. */
export type EndedSessions = {
  readonly count: number;
  readonly ids: readonly string[];
  /** To be called when the transaction is committed: closes what is open under them. */
  afterCommit(): void;
};

/** Longest description of a browser that is kept. */
export const USER_AGENT_MAX_LENGTH = 300;

export type Sessions = {
  /** Begins a session as a part of a transaction. @returns its token, which is kept nowhere */
  open(
    tx: Pick<Database['orm'], 'select' | 'insert' | 'delete'>,
    userId: number,
    origin: SessionOrigin,
  ): Promise<{ readonly token: string; readonly pushedOut: EndedSessions }>;
  /** The session of a token, or null when there is none, or it is over. */
  find(token: string): Promise<Session | null>;
  /** Which of these sessions are not over. */
  filterOpen(ids: readonly string[]): Promise<ReadonlySet<string>>;
  end(id: string): Promise<void>;
  /** Ends sessions as a part of a transaction; their devices are told no more of what bots do. */
  endWithin(tx: Pick<Database['orm'], 'delete'>, which: SessionSelector): Promise<EndedSessions>;
  /** Sessions of somebody that are not over, the one used last first. */
  list(userId: number): Promise<SessionView[]>;
  /** Notes in a session that its owner has just proven who they are. @param factor.second whether by a second factor */
  recordProof(id: string, factor: { second: boolean }): Promise<void>;
  /** Tells of sessions that are ended by this process. @returns stops telling */
  onEnded(hear: (ids: readonly string[]) => void): () => void;
};

const isOpen = sql`${sessions.beganAt} > now() - make_interval(days => ${SESSION_MAX_DAYS})
  and ${sessions.usedAt} > now() - make_interval(days => ${SESSION_IDLE_DAYS})`;

/** One value whatever their number: the database need not learn a new question for each. */
const isOneOf = (hashes: readonly string[] | Placeholder) =>
  sql`${sessions.tokenHash} = any(${hashes instanceof Placeholder ? hashes : sql.param([...hashes])})`;

/** Sessions in the database, so that every process and every restart knows them. */
export function createSessions({ orm }: Database): Sessions {
  const listeners = new Set<(ids: readonly string[]) => void>();

  /** @param which never undefined: that would be all of them */
  async function remove(which: SQL): Promise<void> {
    (await removeWithin(orm, which)).afterCommit();
  }

  /** @param which as above */
  async function removeWithin(tx: Pick<Database['orm'], 'delete'>, which: SQL): Promise<EndedSessions> {
    const removed = await tx.delete(sessions).where(which).returning({ id: sessions.tokenHash });
    const ids = removed.map(({ id }) => id);
    return {
      count: ids.length,
      ids,
      afterCommit() {
        if (ids.length > 0) for (const hear of [...listeners]) hear(ids);
      },
    };
  }

  // Asked for every call of everybody: made once, and planned once for each connection.
  const open = orm
    .select({
      id: sessions.tokenHash,
      userId: sessions.userId,
      uid: users.uid,
      groupId: users.groupId,
      provenAt: sessions.provenAt,
      secondFactor: sessions.secondFactor,
      deviceId: sessions.deviceId,
      byHttps: sessions.byHttps,
      worn: sql<boolean>`${sessions.usedAt} < now() - interval '1 minute'`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(isOneOf(sql.placeholder('hashes')), isOpen, isNull(users.deletedAt)))
    .prepare('open_sessions');

  const findByHash = together(async (hashes) => {
    const rows = await open.execute({ hashes });
    const worn = rows.filter((row) => row.worn).map(({ id }) => id);
    if (worn.length > 0) await noteUse(worn);
    return new Map(rows.map(({ worn: _, ...session }): [string, Session] => [session.id, session]));
  });

  /** Once a minute each. Rows that another platform is writing are being noted there: waiting for them could lock both. */
  async function noteUse(ids: readonly string[]): Promise<void> {
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
      // By its hash, which nobody can choose: how long the look takes tells nothing of any token.
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
      // Of everybody's own also those whose session has run out before.
      const told =
        'userId' in named
          ? sql`${eq(notifyChannels.userId, named.userId)} and ${notifyChannels.sessionId} is distinct from ${except}
              and ${eq(notifyChannels.kind, 'push')}`
          : inArray(notifyChannels.sessionId, [...ended.ids]);
      await tx.delete(notifyChannels).where(told);
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
    onEnded(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
  };
}
