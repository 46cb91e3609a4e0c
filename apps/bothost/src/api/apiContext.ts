import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { Handlers } from '../http/serveCalls.ts';
import type { ContractLock } from '../store/contractClaims.ts';
import type { ApiDeps } from './apiDeps.ts';
import type { BotViews } from './botViews.ts';
import type { WorkerCalls } from './workerCalls.ts';

/** The context that all resources of the API share. */
export interface ApiContext extends ApiDeps {
  readonly views: BotViews;
  readonly workerCalls: WorkerCalls;
  readonly contractLock: ContractLock;
}

/** The handlers of some calls of the contract. */
export type BotHandlers<Name extends keyof typeof botCalls> = Pick<Handlers<typeof botCalls>, Name>;
