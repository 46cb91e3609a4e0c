import { randomInt } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { pairedHosts as table, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { integrationOrigin } from '../../gateway/integrationOrigin.ts';
import type { HostEndpoint } from './hostConnections.ts';

/** Each list of the owner calls all hosts. */
const MAX_HOSTS = 5;
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Seals values that a copy of the database must not reveal. */
interface Sealing {
  seal(purpose: 'hosts', owner: string, text: string): string;
  open(purpose: 'hosts', owner: string, sealed: string): string;
}

/** A paired bot host on a user's own machine. */
export interface PairedHostRecord {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly pairedAt: Date;
  readonly isDisabled: boolean;
  readonly endpoint: HostEndpoint;
}

/** A paired bot host with its owner. */
export interface OwnedHostRecord extends PairedHostRecord {
  readonly userId: number;
}

/** A bot host that is being paired. */
interface NewPaired {
  readonly instance: string;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly identity: string;
  /** Key of the pairing, in hex. */
  readonly key: string;
  readonly version: string;
  /** Origin of the integration. */
  readonly by: ReturnType<typeof integrationOrigin>;
}

/** Paired bot hosts. Only the kill switch calls disabled hosts, and only methods that name them return them. */
export interface PairedHosts {
  listEnabled(userId: number): Promise<PairedHostRecord[]>;
  listAll(userId: number): Promise<PairedHostRecord[]>;
  /** Returns the enabled hosts of all users. */
  listOfEveryone(): Promise<OwnedHostRecord[]>;
  /** Returns fingerprints by which changed hosts are detected; none for users without hosts. */
  fingerprints(userIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Null when the user has no such host. */
  get(userId: number, id: string): Promise<PairedHostRecord | null>;
  getWithDisabled(userId: number, id: string): Promise<PairedHostRecord | null>;
  /** Enables a disabled host. @returns null when the user has no such host */
  enable(userId: number, id: string, by: ReturnType<typeof integrationOrigin>): Promise<PairedHostRecord | null>;
  /** Stores a paired host and replaces its earlier row. @throws CallError `host_limit` */
  store(userId: number, paired: NewPaired): Promise<PairedHostRecord>;
  remove(userId: number, id: string): Promise<void>;
}

/** Returns a fingerprint of paired hosts, which changes when their connections must be reopened. */
export function hostsFingerprint(hosts: readonly Pick<PairedHostRecord, 'id' | 'name' | 'endpoint'>[]): string {
  return JSON.stringify(
    hosts.map(({ id, name, endpoint }) => [id, name, endpoint.address, endpoint.port, endpoint.identity]),
  );
}

export function openPairedHosts(database: Database, keys: Sealing): PairedHosts {
  /** Binds a key to its owner and host, so that a copied row cannot be opened. */
  const binding = (userId: number, id: string) => `${userId} ${id}`;

  /** Returns null when the key cannot be opened, so that the host can be removed and does not block others. */
  function secretOf({ userId, id, sealedKey }: typeof table.$inferSelect): Buffer | null {
    try {
      return Buffer.from(keys.open('hosts', binding(userId, id), sealedKey), 'hex');
    } catch {
      return null;
    }
  }

  function read(row: typeof table.$inferSelect): PairedHostRecord {
    const { id, name, version, pairedAt, address, port, identity } = row;
    const endpoint = { address, port, identity, secret: secretOf(row) };
    return { id, name, version, pairedAt, isDisabled: row.disabledAt !== null, endpoint };
  }

  async function ofPerson(which: SQL | undefined): Promise<PairedHostRecord[]> {
    const rows = await database.orm.select().from(table).where(which).orderBy(asc(table.pairedAt), asc(table.id));
    return rows.map(read);
  }

  const own = (userId: number, id: string) => and(eq(table.userId, userId), eq(table.id, id));

  return {
    listEnabled: (userId) => ofPerson(and(eq(table.userId, userId), isNull(table.disabledAt))),
    listAll: (userId) => ofPerson(eq(table.userId, userId)),
    async listOfEveryone() {
      const rows = await database.orm.select().from(table).where(isNull(table.disabledAt));
      return rows.map((row) => ({ ...read(row), userId: row.userId }));
    },
    async fingerprints(userIds) {
      if (userIds.length === 0) return new Map();
      const rows = await database.orm
        .select()
        .from(table)
        .where(and(inArray(table.userId, [...userIds]), isNull(table.disabledAt)))
        .orderBy(asc(table.pairedAt), asc(table.id));
      return new Map(
        [...Map.groupBy(rows, ({ userId }) => userId)].map(([user, held]) => [user, hostsFingerprint(held.map(read))]),
      );
    },
    get: async (userId, id) => (await ofPerson(and(own(userId, id), isNull(table.disabledAt))))[0] ?? null,
    getWithDisabled: async (userId, id) => (await ofPerson(own(userId, id)))[0] ?? null,
    async enable(userId, id, by) {
      const [row] = await database.orm.update(table).set(by).where(own(userId, id)).returning();
      return row === undefined ? null : read(row);
    },
    store: (userId, { key, by, ...paired }) =>
      inTransaction(database, async (tx) => {
        // Concurrent pairings wait for each other.
        await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
        const held = await tx.select().from(table).where(eq(table.userId, userId));
        const before = held.find(({ instance }) => instance === paired.instance);
        if (before === undefined && held.length >= MAX_HOSTS)
          throw new CallError('host_limit', { greatest: MAX_HOSTS });
        let id = before?.id ?? randomId();
        while (before === undefined && held.some((other) => other.id === id)) id = randomId();
        const row = { ...paired, ...by, sealedKey: keys.seal('hosts', binding(userId, id), key), pairedAt: new Date() };
        const [kept] = await tx
          .insert(table)
          .values({ userId, id, ...row })
          .onConflictDoUpdate({ target: [table.userId, table.id], set: row })
          .returning();
        if (kept === undefined) throw new Error('a row that was written is not there');
        return read(kept);
      }),
    async remove(userId, id) {
      await database.orm.delete(table).where(own(userId, id));
    },
  };
}

function randomId(): string {
  return Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
