import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import type { KeyStore } from '../vault/keyStore.ts';

/** What it takes to find out which account a key is of. */
export interface AccountDeps {
  readonly database: Database;
  readonly store: KeyStore;
  readonly log: Logger;
  /** The venue that the keys belong to. */
  readonly venue: string;
  /** Signs in with a key of the vault. */
  open(owner: string, keyId: string): Promise<TradingExchange>;
}

/**
 * Finds out of which account a key is, before anything is traded with it, and the same of the keys of all other bots on the
 * exchange: bots that share an account must know of each other, also when each has a key of its own.
 *
 * @throws CallError `account_unknown` when the exchange does not say, and there is another key that may be of the same account
 * @throws ExchangeError
 */
export async function identifyAccount(
  { database, store, log, venue, open }: AccountDeps,
  trading: TradingExchange,
  keyId: string,
): Promise<void> {
  const { orm } = database;
  const account = await trading.account();
  if (account !== null) await store.identified(keyId, account);
  const others = await orm
    .selectDistinct({ id: table.key.id, owner: table.key.owner, account: table.key.account })
    .from(table.key)
    .innerJoin(table.bot, eq(table.bot.keyId, table.key.id))
    .where(
      and(
        eq(table.key.venue, venue),
        ne(table.key.id, keyId),
        // Without an account of its own it may be of any.
        account === null ? undefined : isNull(table.key.account),
      ),
    );
  for (const other of others) {
    if (account === null) throw new CallError('account_unknown');
    await identify(other);
  }

  /** A key that does not work trades nothing: what its bots believe to have is no business of this one. */
  async function identify({ id, owner }: { id: string; owner: string }): Promise<void> {
    try {
      const connection = await open(owner, id);
      try {
        const found = await connection.account();
        if (found !== null) await store.identified(id, found);
      } finally {
        await connection.close();
      }
    } catch (error) {
      log.warn({ err: error, key: id }, 'of which account another key is could not be found out');
    }
  }
}
