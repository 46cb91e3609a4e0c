import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import type { KeyStore } from '../vault/keyStore.ts';
import { hasTraded } from './otherBots.ts';

/** Dependencies of the identification of an account. */
export interface AccountDeps {
  readonly database: Database;
  readonly store: KeyStore;
  readonly log: Logger;
  /** The venue that the keys belong to. */
  readonly venue: string;
  /** Signs in with a key of the vault. */
  open(owner: string, keyId: string): Promise<TradingExchange>;
}

/** A key whose bot is about to start. */
export interface StartingKey {
  readonly id: string;
  readonly owner: string;
}

/** A key of another bot on the venue. */
interface OtherKey extends StartingKey {
  readonly account: string | null;
  /** Saved session of its bot. */
  readonly session: string;
}

/**
 * Stores the account of a key before a bot trades with it, and those of the same owner's other keys. Bots with different keys
 * may share an account, and each must consider the cash and positions of the others.
 *
 * Keys of other owners are never used for this. They are identified when they are added or tested, and when their own bots start.
 *
 * @throws CallError `account_unknown` when another bot may share the account, because the exchange does not report the account of
 *   one of the keys
 * @throws ExchangeError
 */
export async function identifyAccount(deps: AccountDeps, trading: TradingExchange, key: StartingKey): Promise<void> {
  const account = await trading.account();
  if (account !== null) await deps.store.storeAccount(key.id, account);
  const others = await otherKeys(deps, key.id, account !== null);
  if (account === null && others.length > 0) throw new CallError('account_unknown');
  for (const other of others) {
    if (other.owner === key.owner) await identify(deps, other);
    // The cash and coins of that bot could not be distinguished from those of this bot.
    else if (hasTraded(other.session)) throw new CallError('account_unknown');
  }
}

/** Returns the keys of other bots on the venue, optionally only those whose account is unknown. */
async function otherKeys({ database, venue }: AccountDeps, id: string, onlyUnknown: boolean): Promise<OtherKey[]> {
  return database.orm
    .select({ id: table.key.id, owner: table.key.owner, account: table.key.account, session: table.snapshot.session })
    .from(table.key)
    .innerJoin(table.bot, eq(table.bot.keyId, table.key.id))
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(and(eq(table.key.venue, venue), ne(table.key.id, id), onlyUnknown ? isNull(table.key.account) : undefined));
}

/** Stores the account of another key of the same owner. A key that does not work cannot trade, so its failure is ignored. */
async function identify({ store, log, open }: AccountDeps, { id, owner }: StartingKey): Promise<void> {
  try {
    const connection = await open(owner, id);
    try {
      const account = await connection.account();
      if (account !== null) await store.storeAccount(id, account);
    } finally {
      await connection.close();
    }
  } catch (error) {
    log.warn({ err: error, key: id }, 'the account of another key could not be read');
  }
}
