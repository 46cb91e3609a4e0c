import type { Database } from '@heron/database/connect.ts';
import type { ClientStreams } from '../streams/clientStreams.ts';
import type { VenueStates } from '../venues/venueStates.ts';
import type { WorkerConnection } from '../workerProcesses/workerConnection.ts';
import type { Workers } from '../workerProcesses/workers.ts';

/** Dependencies of the calls of the contract. */
export interface ApiDeps {
  readonly database: Database;
  now(): number;
  readonly workers: Workers;
  readonly venueStates: VenueStates;
  /** Returns the key of the demo market that a venue belongs to; null for other venues, and on other machines. */
  demoKey(venue: string): { readonly key: string; readonly secret: string } | null;
  /** Returns the worker with a number, of any bot host; null when it cannot be reached. */
  connectionOf(worker: number | null): Promise<WorkerConnection | null>;
  streams(): ClientStreams;
}
