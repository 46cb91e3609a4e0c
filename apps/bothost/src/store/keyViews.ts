import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { and, asc, eq } from 'drizzle-orm';

const MAY_WITHDRAW = {
  zh: '此密钥现在可以提现，机器人不再用它开仓，只会平仓。请在交易所关闭提现和划转权限，然后重新检测',
  en: 'This key may withdraw by now. Bots enter nothing with it and only leave. Switch off withdrawals and transfers at the exchange, then test it again',
};

const CANNOT_TRADE = {
  zh: '此密钥现在没有交易权限，机器人无法下单。请在交易所开启现货（合约密钥：合约）交易，然后重新检测',
  en: 'This key may not trade by now, so that bots cannot place orders. Allow spot (for a futures key: futures) trading at the exchange, then test it again',
};

const NO_ADDRESS_LIST = {
  zh: '此密钥没有限制 IP 地址，建议在交易所设置白名单',
  en: 'This key works from any address. Set an IP allow-list at the exchange',
};

const UNVERIFIED = {
  zh: '交易所不提供此密钥的提现权限和 IP 限制信息，只能由您在交易所核对',
  en: 'The exchange does not report whether this key may withdraw or works from any address. Check it there',
};

/** Returns the labels of an owner's keys by their ids. */
export async function keyLabels({ orm }: Database, owner: string): Promise<ReadonlyMap<string, string>> {
  const { id, label } = table.key;
  const stored = await orm.select({ id, label }).from(table.key).where(eq(table.key.owner, owner));
  return new Map(stored.map((key) => [key.id, key.label]));
}

/** Returns the keys of an owner, oldest first. Their secrets are not read. */
export async function listKeys(database: Database, owner: string): Promise<ExchangeKey[]> {
  const { orm } = database;
  const { id, venue, label, lastFour, permissions, checkedAt, refusedAt, createdAt } = table.key;
  const stored = await orm
    .select({ id, venue, label, lastFour, permissions, checkedAt, refusedAt, createdAt })
    .from(table.key)
    .where(eq(table.key.owner, owner))
    .orderBy(asc(table.key.createdAt), asc(table.key.id));
  const bots = await orm
    .select({ id: table.bot.id, keyId: table.bot.keyId })
    .from(table.bot)
    .where(eq(table.bot.owner, owner));
  // A key whose last check was a refusal is shown as one that may not trade.
  const rows = stored.map(({ refusedAt: at, ...row }) =>
    at === null ? row : { ...row, permissions: { ...row.permissions, trade: false }, checkedAt: at },
  );
  return rows.map((row) => ({
    ...row,
    // The database contains only ids from the table of venues.
    venue: row.venue as VenueId,
    warnings: [
      ...(row.permissions.withdraw === true ? [MAY_WITHDRAW] : []),
      ...(row.permissions.trade ? [] : [CANNOT_TRADE]),
      ...(row.permissions.withdraw === null ? [UNVERIFIED] : []),
      ...(row.permissions.ipRestricted === false ? [NO_ADDRESS_LIST] : []),
    ],
    bots: bots.filter(({ keyId }) => keyId === row.id).map(({ id }) => id),
  }));
}

/** @throws CallError `not_found`, also for keys of others */
export async function ownKey(database: Database, owner: string, id: string): Promise<ExchangeKey> {
  const found = (await listKeys(database, owner)).find((key) => key.id === id);
  if (!found) throw new CallError('not_found');
  return found;
}

/** Whether the exchange account of a key is known. */
export async function isIdentified({ orm }: Database, id: string): Promise<boolean> {
  const [found] = await orm.select({ account: table.key.account }).from(table.key).where(eq(table.key.id, id));
  return found !== undefined && found.account !== null;
}

/**
 * Deletes a key.
 *
 * @throws CallError `not_found`, `key_in_use`
 */
export async function deleteKey(database: Database, owner: string, id: string): Promise<void> {
  await inTransaction(database, async (tx) => {
    const mine = and(eq(table.key.id, id), eq(table.key.owner, owner));
    const [found] = await tx.select({ id: table.key.id }).from(table.key).where(mine).for('update');
    if (!found) throw new CallError('not_found');
    const [user] = await tx.select({ id: table.bot.id }).from(table.bot).where(eq(table.bot.keyId, id)).limit(1);
    if (user) throw new CallError('key_in_use');
    await tx.delete(table.key).where(mine);
  });
}
