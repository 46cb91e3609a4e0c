import { isKeyRefusal } from '@heron/exchanges/errors.ts';
import type { KeyPermissions, TradingExchange } from '@heron/exchanges/trading.ts';
import type { Logger } from '../log.ts';
import type { KeyStore } from '../vault/keyStore.ts';

/** Permissions are read again after this time, because the owner may change them at the exchange. */
const DAY_MS = 86_400_000;
/** A read that failed is repeated after this time. */
const RETRY_MS = 3_600_000;

/** An account whose key is read. */
type OpenAccount = Pick<TradingExchange, 'permissions'>;

/** One read of the permissions of a key. */
interface Attempt {
  readonly at: number;
  outcome: 'reading' | 'read' | 'failed' | 'refused';
}

/** Reads the permissions of stored keys from the exchange, and stores all of them. */
export interface KeyPermissionReader {
  /** Reads the permissions now. A refusal of the key is stored, too. @throws ExchangeError */
  read(keyId: string, trading: OpenAccount): Promise<KeyPermissions>;
  /**
   * Reads the permissions once after the account was opened, and daily. When the exchange cannot be reached, the known ones
   * remain, and the read is repeated an hour later.
   *
   * @param trading the same object for as long as the account is open
   * @throws ExchangeRefused when the exchange refuses the key
   */
  readDaily(keyId: string, trading: OpenAccount): Promise<void>;
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
  /** The last read of each open account. The bots of a key share it. */
  const attempts = new WeakMap<OpenAccount, Attempt>();
  /** Daily reads under way: the bots of a key share one. */
  const dailyReads = new WeakMap<OpenAccount, Promise<void>>();

  const read: KeyPermissionReader['read'] = async (keyId, trading) => {
    const attempt: Attempt = { at: now(), outcome: 'reading' };
    attempts.set(trading, attempt);
    try {
      const permissions = await trading.permissions();
      await store.storePermissions(keyId, permissions);
      attempt.outcome = 'read';
      return permissions;
    } catch (error) {
      attempt.outcome = isKeyRefusal(error) ? 'refused' : 'failed';
      if (attempt.outcome === 'refused') await store.markRefused(keyId);
      throw error;
    }
  };

  async function isDue(keyId: string, trading: OpenAccount): Promise<boolean> {
    const last = attempts.get(trading);
    // A refused key is read as soon as it works again.
    if (last === undefined || last.outcome === 'refused') return true;
    if (now() - last.at < RETRY_MS) return false;
    return last.outcome !== 'read' || now() - (await store.checkedAt(keyId)) >= DAY_MS;
  }

  async function readIfDue(keyId: string, trading: OpenAccount): Promise<void> {
    try {
      if (!(await isDue(keyId, trading))) return;
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
      const reading = dailyReads.get(trading) ?? readIfDue(keyId, trading).finally(() => dailyReads.delete(trading));
      dailyReads.set(trading, reading);
      return reading;
    },
  };
}
