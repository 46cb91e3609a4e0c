import type { Health } from '../worker/workerApi.ts';
import type { VenueState } from './venueStates.ts';

/**
 * Merges the check of a venue by this process with the state of its workers.
 *
 * A worker that receives prices overrules the check about market data. Only the check covers trading and clocks.
 */
export function shownVenue(
  checked: VenueState,
  workers: readonly Pick<Health, 'reachable' | 'unreachable'>[],
): VenueState {
  // During a pause open streams still deliver, and no request is sent.
  if (checked.pause !== null) return checked;
  if (workers.some(({ reachable }) => reachable)) {
    // The worker disproves a check that failed, and with it the result of the check about trading.
    return checked.reachable ? checked : { reachable: true, trading: null, problem: null, pause: null };
  }
  const problem = workers.find(({ unreachable }) => unreachable !== null)?.unreachable ?? null;
  return problem === null ? checked : { reachable: false, trading: false, problem, pause: null };
}
