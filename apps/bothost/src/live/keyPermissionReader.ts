import { isKeyRefusal } from '@heron/exchanges/errors.ts';
import type { KeyPermissions, TradingExchange } from '@heron/exchanges/trading.ts';
import type { Logger } from '../log.ts';
import type { KeyStore } from '../vault/keyStore.ts';

/** Permissions are read again after this time, because the owner may change them at the exchange. */
const DAY_MS = 86_400_000;
/** A daily read that failed is repeated after this time. */
const RETRY_MS = 3_600_000;

/** Reads the permissions of stored keys from the exchange, and stores all of them. */
export interface KeyPermissionReader {
  /** Reads the permissions now. A refusal of the key is stored, too. @throws ExchangeError */
  read(keyId: string, trading: Pick<TradingExchange, 'permissions'>): Promise<KeyPermissions>;
  /**
   * Reads the permissions when this process has not read them yet, or more than a day ago. When the exchange cannot be reached,
   * the known ones remain.
   *
   * @throws ExchangeRefused when the exchange refuses the key
   */
  readDaily(keyId: string, trading: Pick<TradingExchange, 'permissions'>): Promise<void>;
}

/** Dependencies of {@link createKeyPermissionReader}. */
export interface KeyPermissionReaderDeps {
  readonly store: Pick<KeyStore, 'storePermissions' | 'markRefused' | 'checkedAt'>;
  readonly log: Logger;
  /** ms since 1970. */
  now(): number;
  /** Is called when a daily read finds permissions that block entries. */
  onBlocking(keyId: string): void;
}

export function createKeyPermissionReader({
  store,
  log,
  now,
  onBlocking,
}: KeyPermissionReaderDeps): KeyPermissionReader {
  /** When each key was read last by this process, ms. The bots of a key share it. */
  const attempts = new Map<string, number>();
  /** Keys that are stored as refused. Their permissions are read as soon as they work again. */
  const refusedKeys = new Set<string>();
  /** Daily reads under way: the bots of a key share one. */
  const dailyReads = new Map<string, Promise<void>>();

  const read: KeyPermissionReader['read'] = async (keyId, trading) => {
    attempts.set(keyId, now());
    try {
      const permissions = await trading.permissions();
      await store.storePermissions(keyId, permissions);
      refusedKeys.delete(keyId);
      return permissions;
    } catch (error) {
      if (isKeyRefusal(error)) {
        refusedKeys.add(keyId);
        await store.markRefused(keyId);
      }
      throw error;
    }
  };

  async function isDue(keyId: string): Promise<boolean> {
    if (refusedKeys.has(keyId)) return true;
    const lastAttempt = attempts.get(keyId);
    if (lastAttempt === undefined) return true;
    if (now() - lastAttempt < RETRY_MS) return false;
    return now() - (await store.checkedAt(keyId)) >= DAY_MS;
  }

  async function readIfDue(keyId: string, trading: Pick<TradingExchange, 'permissions'>): Promise<void> {
    try {
      if (!(await isDue(keyId))) return;
      const { trade, withdraw } = await read(keyId, trading);
      if (withdraw || !trade) onBlocking(keyId);
    } catch (error) {
      if (isKeyRefusal(error)) throw error;
      log.warn({ err: error, key: keyId }, 'the permissions of a key could not be read; the known ones remain');
    }
  }

  return {
    read,
    readDaily(keyId, trading) {
      const reading = dailyReads.get(keyId) ?? readIfDue(keyId, trading).finally(() => dailyReads.delete(keyId));
      dailyReads.set(keyId, reading);
      return reading;
    },
  };
}
