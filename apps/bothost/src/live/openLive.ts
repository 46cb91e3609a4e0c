import path from 'node:path';
import { CallError } from '@heron/contract/http/errors.ts';
import type { ApiKey, TradingExchange } from '@heron/exchanges/trading.ts';
import type { BotRow } from '../store/botRow.ts';
import { openKeyStore } from '../vault/keyStore.ts';
import { createVaultKeys } from '../vault/vaultKeys.ts';
import type { LiveWorker, LiveWorkerDeps } from '../worker/startWorker.ts';
import { identifyAccount } from './accountOfKey.ts';
import { openAccounts } from './accounts.ts';
import { openAllocationLock } from './allocationLock.ts';
import { createFeeValuer } from './feeValue.ts';
import { createFundingTerms } from './fundingTerms.ts';
import { addKeyRoutes } from './keyApi.ts';
import { createKeyPermissionReader } from './keyPermissionReader.ts';
import { createLiveMachine } from './liveMachine.ts';
import { addOpenOrdersRoute } from './openOrdersRoute.ts';
import { tradingOpener } from './openTrading.ts';
import { getOtherBots } from './otherBots.ts';
import { type Sweep, sweepOrders } from './sweepOrders.ts';

/** Opens the parts that only live bots need: the vault, the accounts of its keys, and the calls about keys. */
export async function openLive(deps: LiveWorkerDeps): Promise<LiveWorker> {
  const { config, database, exchange, net, pauses, budget, log, now } = deps;
  const keys = createVaultKeys(config.vaultKey, path.join(config.dataDir, 'vault.key'));
  const store = await openKeyStore(database, keys, now, log);
  const openTrading = tradingOpener(config, net, budget);

  async function open(venue: string, key: ApiKey): Promise<TradingExchange> {
    // A key must never be sent to another venue.
    if (venue !== config.venue) throw new CallError('not_found');
    return openTrading({ key, markets: () => exchange.markets(), now });
  }

  async function openOwn(owner: string, keyId: string): Promise<TradingExchange> {
    const stored = await store.open(owner, keyId);
    return open(stored.venue, stored.key);
  }

  const checks = new EventTarget();
  const onKeyStateChanged = (keyId: string) => void checks.dispatchEvent(new Event(keyId));
  const permissions = createKeyPermissionReader({ store, log, now, onBlocking: onKeyStateChanged });
  const accounts = openAccounts(async (owner, keyId) => {
    const trading = await openOwn(owner, keyId);
    try {
      const accountDeps = { database, store, log, venue: config.venue, open: openOwn };
      await identifyAccount(accountDeps, trading, { id: keyId, owner });
      return trading;
    } catch (error) {
      await trading.close();
      throw error;
    }
  });
  const sweep = async (bot: BotRow, what: Sweep) =>
    sweepOrders({ database, accounts, now }, await exchange.markets(), bot, what);
  const attachFundingTerms = createFundingTerms(exchange);
  const allocationLock = openAllocationLock(database);
  const withFeeInQuote = createFeeValuer((pairs) => exchange.tickers(pairs), now);

  const claimsOn = async (key: string, currency: string) => {
    const { claims, unreadable } = await getOtherBots(database, key, null, currency);
    if (unreadable) throw new CallError('unavailable');
    return claims;
  };

  return {
    machine({ owner, keyId }, session) {
      if (!('synced' in session) || keyId === null) throw new TypeError('a paper bot cannot run live');
      return createLiveMachine({ owner, keyId }, session, {
        accounts,
        log,
        pauses,
        now,
        markets: () => exchange.markets(),
        withFeeInQuote,
        allocationLock,
        attachFundingTerms,
        otherBotsOnAccount: (key, bot, currency) => getOtherBots(database, key, bot, currency),
        permissions,
        savedPermissions: (key) => store.permissionsOf(key),
        onKeyStateChanged(key, listener) {
          checks.addEventListener(key, listener);
          return () => checks.removeEventListener(key, listener);
        },
      });
    },
    async sweep(bot) {
      const { resting, settled } = await sweep(bot, 'all_but_stops');
      return resting === 0 && settled;
    },
    addRoutes(server) {
      addKeyRoutes(server, { store, open, claims: claimsOn, onChecked: onKeyStateChanged });
      addOpenOrdersRoute(server, database, sweep);
    },
    close: () => accounts.close(),
  };
}
