import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { Handlers } from '../http/serveCalls.ts';
import { createContractLock } from '../store/contractClaims.ts';
import type { ApiContext } from './apiContext.ts';
import type { ApiDeps } from './apiDeps.ts';
import { createBotHandlers } from './bots.ts';
import type { BotViews } from './botViews.ts';
import { createHistoryHandlers } from './history.ts';
import { createKeyHandlers } from './keys.ts';
import { createMarketHandlers } from './market.ts';
import { createNotificationHandlers } from './notifications.ts';
import { createOrderHandlers } from './orders.ts';
import { createPortfolioHandlers } from './portfolio/portfolio.ts';
import { createWorkerCalls } from './workerCalls.ts';

/** Creates the handlers of all calls of the contract. Each resource has a file of its own. */
export function createBotApi(deps: ApiDeps, views: BotViews): Handlers<typeof botCalls> {
  const context: ApiContext = {
    ...deps,
    views,
    workerCalls: createWorkerCalls(deps, views),
    contractLock: createContractLock(deps.database),
  };
  return {
    ...createMarketHandlers(context),
    ...createBotHandlers(context),
    ...createOrderHandlers(context),
    ...createHistoryHandlers(context),
    ...createPortfolioHandlers(context),
    ...createNotificationHandlers(context),
    ...createKeyHandlers(context),
  };
}
