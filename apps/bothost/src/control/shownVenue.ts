import type { Health } from '../worker/workerApi.ts';
import type { VenueState } from './venueStates.ts';

/**
 * Merges what a check from this process found out with what the workers of the venue receive.
 *
 * A worker that receives prices knows more about market data than the check. Only the check knows about trading and clocks.
 */
export function shownVenue(
  checked: VenueState,
  workers: readonly Pick<Health, 'reachable' | 'unreachable'>[],
): VenueState {
  // Streams that are open still deliver during a pause, and nothing else works.
  if (checked.pause !== null) return checked;
  if (workers.some(({ reachable }) => reachable)) {
    // The worker disproves a check that reached nothing, and with it what the check says about trading.
    return checked.reachable ? checked : { reachable: true, trading: null, problem: null, pause: null };
  }
  const problem = workers.find(({ unreachable }) => unreachable !== null)?.unreachable ?? null;
  return problem === null ? checked : { reachable: false, trading: false, problem, pause: null };
}
