import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { Database } from '@heron/database/connect.ts';
import type { Handlers } from '../http/serveCalls.ts';
import type { ContractLock } from '../store/contractClaims.ts';
import type { ClientStreams } from '../streams/clientStreams.ts';
import type { VenueStates } from '../venues/venueStates.ts';
import type { WorkerConnection } from '../workerProcesses/workerConnection.ts';
import type { Workers } from '../workerProcesses/workers.ts';
import type { BotViews } from './botViews.ts';
import type { WorkerCalls } from './workerCalls.ts';

/** Dependencies of the calls of the contract. */
export interface ApiDeps {
  readonly database: Database;
  now(): number;
  readonly workers: Workers;
  readonly venueStates: VenueStates;
  /** Returns the worker with a number, of any bot host; null when it cannot be reached. */
  connectionOf(worker: number | null): Promise<WorkerConnection | null>;
  streams(): ClientStreams;
}

/** The context that all resources of the API share. */
export interface ApiContext extends ApiDeps {
  readonly views: BotViews;
  readonly workerCalls: WorkerCalls;
  readonly contractLock: ContractLock;
}

/** The handlers of some calls of the contract. */
export type BotHandlers<Name extends keyof typeof botCalls> = Pick<Handlers<typeof botCalls>, Name>;
