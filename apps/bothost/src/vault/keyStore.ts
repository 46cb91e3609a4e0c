import { randomUUID } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { ApiKey, KeyPermissions } from '@heron/exchanges/trading.ts';
import { and, eq } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import { isSealedBefore, KeyUnreadable, seal, unseal } from './vault.ts';
import type { VaultKeys } from './vaultKeys.ts';

/** The sealed exchange keys in the database. */
export interface KeyStore {
  /**
   * @param isTimely whether the caller still waits; it is checked before the key is committed
   * @throws CallError `key_label_taken`, and `unavailable` when the caller waits no more
   */
  add(given: NewKey, isTimely?: () => boolean): Promise<string>;
  /** @throws CallError `not_found`, also for keys of others; `key_unreadable` when the vault cannot open it */
  open(owner: string, id: string): Promise<{ venue: string; key: ApiKey }>;
  /** Stores the permissions of a key. */
  storePermissions(id: string, permissions: KeyPermissions): Promise<void>;
  /**
   * Stores that the exchange refuses the key, until its permissions are stored again. They remain as they are: the exchange may
   * refuse the address of one host and accept those of others.
   */
  markRefused(id: string): Promise<void>;
  /** Returns when the permissions of a key were stored last, ms since 1970; 0 for a key that is refused or does not exist. */
  checkedAt(id: string): Promise<number>;
  /** Returns the permissions of a key as they were stored last, whether it is refused or not; null for a key that does not exist. */
  permissionsOf(id: string): Promise<KeyPermissions | null>;
  /** Stores the account of a key. */
  storeAccount(id: string, account: string): Promise<void>;
}

/** A key that was tested at its exchange. */
interface NewKey {
  readonly owner: string;
  readonly venue: string;
  readonly label: string;
  readonly key: ApiKey;
  readonly permissions: KeyPermissions;
  /** Left out or null where the exchange does not report it. */
  readonly account?: string | null;
}

type KeyRow = typeof table.key.$inferSelect;

/**
 * Opens the store, and seals keys again that were sealed with an older vault key. A key that cannot be opened is not changed,
 * and does not affect other keys.
 */
export async function openKeyStore(
  database: Database,
  keys: VaultKeys,
  now: () => number,
  log: Logger,
): Promise<KeyStore> {
  const { orm } = database;
  let unreadable = 0;
  for (const row of await orm.select().from(table.key)) {
    try {
      const key = unseal(keys, row, row.sealed);
      if (isSealedBefore(keys, row.sealed)) await resealKey(row, key);
    } catch (error) {
      if (!(error instanceof KeyUnreadable)) throw error;
      unreadable += 1;
      log.error({ err: error, key: row.id }, 'an exchange key cannot be opened; it is left as it is');
    }
  }
  if (unreadable > 0) {
    log.error(
      { keys: unreadable, vaultKey: keys.current.id },
      'exchange keys were sealed with another vault key, so that their bots cannot trade; restore it and restart Heron',
    );
  }

  async function resealKey(row: KeyRow, key: ApiKey): Promise<void> {
    await orm
      .update(table.key)
      .set({ sealed: seal(keys, row, key) })
      .where(and(eq(table.key.id, row.id), eq(table.key.sealed, row.sealed)));
  }

  function opened(row: KeyRow): ApiKey {
    try {
      return unseal(keys, row, row.sealed);
    } catch (error) {
      if (error instanceof KeyUnreadable) throw new CallError('key_unreadable', { label: row.label });
      throw error;
    }
  }

  return {
    async add({ owner, venue, label, key, permissions, account = null }, isTimely = () => true) {
      const id = randomUUID();
      const at = now();
      await inTransaction(database, async (tx) => {
        const inserted = await tx
          .insert(table.key)
          .values({
            ...{ id, owner, venue, label, permissions, account },
            lastFour: key.key.slice(-4),
            sealed: seal(keys, { id, owner, venue }, key),
            checkedAt: at,
            createdAt: at,
          })
          .onConflictDoNothing()
          .returning({ id: table.key.id });
        if (inserted.length === 0) throw new CallError('key_label_taken');
        // The caller has reported that the key was not stored.
        if (!isTimely()) throw new CallError('unavailable');
      });
      return id;
    },
    async open(owner, id) {
      const [row] = await orm
        .select()
        .from(table.key)
        .where(and(eq(table.key.id, id), eq(table.key.owner, owner)));
      if (!row) throw new CallError('not_found');
      return { venue: row.venue, key: opened(row) };
    },
    async storePermissions(id, permissions) {
      await orm.update(table.key).set({ permissions, checkedAt: now(), refusedAt: null }).where(eq(table.key.id, id));
    },
    async markRefused(id) {
      await orm.update(table.key).set({ refusedAt: now() }).where(eq(table.key.id, id));
    },
    async checkedAt(id) {
      const { checkedAt, refusedAt } = table.key;
      const [row] = await orm.select({ checkedAt, refusedAt }).from(table.key).where(eq(table.key.id, id));
      return row === undefined || row.refusedAt !== null ? 0 : row.checkedAt;
    },
    async permissionsOf(id) {
      const [row] = await orm
        .select({ permissions: table.key.permissions })
        .from(table.key)
        .where(eq(table.key.id, id));
      return row?.permissions ?? null;
    },
    async storeAccount(id, account) {
      await orm.update(table.key).set({ account }).where(eq(table.key.id, id));
    },
  };
}
