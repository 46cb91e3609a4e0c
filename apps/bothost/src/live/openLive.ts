import path from 'node:path';
import { CallError } from '@heron/contract/http/errors.ts';
import type { ApiKey, TradingExchange } from '@heron/exchanges/trading.ts';
import type { BotRow } from '../bots/botRow.ts';
import type { LiveParts, WorkerGround } from '../worker/startWorker.ts';
import { identifyAccount } from './accountOfKey.ts';
import { openAccounts } from './accounts.ts';
import { feeValuer } from './feeValue.ts';
import { fundingTerms } from './fundingTerms.ts';
import { addKeyRoutes } from './keyApi.ts';
import { openKeyStore } from './keyStore.ts';
import { liveMachine } from './liveMachine.ts';
import { openingTurns } from './openingTurns.ts';
import { tradingOpener } from './openTrading.ts';
import { otherBots } from './otherBots.ts';
import { addRestingRoute } from './restingRoute.ts';
import { type Sweep, sweepOrders } from './sweepOrders.ts';
import { vaultKeys } from './vaultKeys.ts';

/** Opens what live bots need: the vault, accounts signed in with its keys, and the calls about keys. */
export async function openLive(ground: WorkerGround): Promise<LiveParts> {
  const { config, database, exchange, net, pauses, budget, log, now } = ground;
  const keys = vaultKeys(config.vaultKey, path.join(config.dataDir, 'vault.key'));
  const store = await openKeyStore(database, keys, now, log);
  const openTrading = tradingOpener(config, net, budget);

  async function open(venue: string, key: ApiKey): Promise<TradingExchange> {
    // A key is sent to no venue but its own.
    if (venue !== config.venue) throw new CallError('not_found');
    return openTrading({ key, markets: () => exchange.markets(), now });
  }

  async function openOwn(owner: string, keyId: string): Promise<TradingExchange> {
    const held = await store.open(owner, keyId);
    return open(held.venue, held.key);
  }

  const accounts = openAccounts(async (owner, keyId) => {
    const trading = await openOwn(owner, keyId);
    try {
      await identifyAccount({ database, store, log, venue: config.venue, open: openOwn }, trading, keyId);
      return trading;
    } catch (error) {
      await trading.close();
      throw error;
    }
  });
  const sweep = async (bot: BotRow, what: Sweep) =>
    sweepOrders(database, accounts, await exchange.markets(), bot, what, now);
  const withTerms = fundingTerms(exchange);
  const openings = openingTurns(database);
  const checks = new EventTarget();
  const valued = feeValuer((pairs) => exchange.tickers(pairs), now);

  return {
    machine({ owner, keyId }, session) {
      if (!('synced' in session) || keyId === null) throw new TypeError('a paper bot cannot run live');
      return liveMachine({ owner, keyId }, session, {
        accounts,
        log,
        pauses,
        now,
        markets: () => exchange.markets(),
        valued,
        openings,
        withTerms,
        others: (key, bot, currency) => otherBots(database, key, bot, currency),
        mayWithdraw: (key) => store.mayWithdraw(key),
        onKeyChecked(key, listener) {
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
      addKeyRoutes(server, store, open, (id) => void checks.dispatchEvent(new Event(id)));
      addRestingRoute(server, database, sweep);
    },
    close: () => accounts.close(),
  };
}
