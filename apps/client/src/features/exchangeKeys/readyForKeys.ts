import type { VenueId } from '@heron/engine/options/venues.ts';
import type { QueryClient } from '@tanstack/react-query';
import { keysReadyQuery } from '../../entities/bot/queries.ts';

/** Max number of requests; each waits some seconds on the server. */
const WAITS = 15;

/**
 * Waits until keys of a venue can be checked. The signing process starts when it is first needed, which takes a while on a
 * busy machine. If it is still not ready after the last wait, the following request fails with the reason.
 */
export async function readyForKeys(queries: QueryClient, venue: VenueId): Promise<void> {
  for (let wait = 0; wait < WAITS; wait++) {
    const state = await queries.fetchQuery({ ...keysReadyQuery(venue), staleTime: 0 }).catch(() => null);
    if (state === null || state.ready) return;
  }
}
