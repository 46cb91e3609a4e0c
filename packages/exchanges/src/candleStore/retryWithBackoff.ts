import { ExchangeError, RateLimited } from '../errors.ts';
import { pauseFor } from './pauseFor.ts';

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Tolerance for the difference of clocks. */
const MARGIN_MS = 100;

export interface RetryOptions {
  /** Ends the wait when it is aborted. */
  readonly signal: AbortSignal;
  /** ms since 1970 by this machine. */
  now(): number;
  /** Is called before each wait. @param ms length of the wait */
  onWait(why: ExchangeError, ms: number): void;
}

/**
 * Calls a venue until it responds: after growing pauses while it is unreachable, and after the pause that it requests.
 *
 * @returns null when aborted
 * @throws ExchangeError that is not temporary, or the last one after all pauses
 */
export async function retryWithBackoff<Answer>(
  action: () => Promise<Answer>,
  { signal: stop, now, onWait: waiting }: RetryOptions,
): Promise<Answer | null> {
  for (let failures = 0; !stop.aborted; failures++) {
    try {
      return await action();
    } catch (error) {
      const pause = PAUSES_MS[failures];
      if (!(error instanceof ExchangeError) || pause === undefined) throw error;
      if (error.kind === 'refused' || error.kind === 'misused') throw error;
      const ms = error instanceof RateLimited ? Math.max(error.retryAt - now(), 0) + MARGIN_MS : pause;
      waiting(error, ms);
      await pauseFor(ms, stop);
    }
  }
  return null;
}
