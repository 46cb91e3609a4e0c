import { ExchangeError, RateLimited } from '../errors.ts';
import { pauseFor } from './pauseFor.ts';

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Clocks of machines tick apart. */
const MARGIN_MS = 100;

export interface RetryOptions {
  /** When it is aborted, nobody waits any longer. */
  readonly signal: AbortSignal;
  /** ms since 1970 by this machine. */
  now(): number;
  /** Is told what went wrong, and for how many ms it waits. */
  onWait(why: ExchangeError, ms: number): void;
}

/**
 * Asks a venue until it answers: again after growing pauses while it cannot be reached, and when it says while it wants to
 * hear nothing.
 *
 * @returns null when stopped meanwhile
 * @throws ExchangeError that more patience would not mend, or the last of many
 */
export async function retryWithBackoff<Answer>(
  ask: () => Promise<Answer>,
  { signal: stop, now, onWait: waiting }: RetryOptions,
): Promise<Answer | null> {
  for (let failures = 0; !stop.aborted; failures++) {
    try {
      return await ask();
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
