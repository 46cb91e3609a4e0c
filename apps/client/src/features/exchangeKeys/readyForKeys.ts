import type { VenueId } from '@heron/engine/options/venues.ts';
import type { QueryClient } from '@tanstack/react-query';
import { keysReadyQuery } from '../../entities/bot/queries.ts';

/** Each wait takes some seconds. */
const WAITS = 15;

/**
 * Waits until the exchange can be asked about keys: what asks it is started when it is first needed, which takes a while on
 * a busy machine. Who still cannot ask then is told so by the call itself.
 */
export async function readyForKeys(queries: QueryClient, venue: VenueId): Promise<void> {
  for (let wait = 0; wait < WAITS; wait++) {
    const told = await queries.fetchQuery({ ...keysReadyQuery(venue), staleTime: 0 }).catch(() => null);
    if (told === null || told.ready) return;
  }
}
