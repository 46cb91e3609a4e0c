import type { ExchangeError } from '../errors.ts';
import type { PublicExchange } from '../exchange.ts';
import type { FollowedPairs } from './followedPairs.ts';

/** Polls the pairs without pushes until pushes return. @see docs/bot-lifecycle.md#market-data */
export interface QuietPoller {
  /** Error of the newest poll; null after a success. */
  failure(): ExchangeError | null;
  /** Polls the quiet pairs when their interval is over. */
  check(at: number): void;
  /** Data was pushed, or the connection is new: the last failure is over. */
  reset(): void;
}

export function openQuietPoller(exchange: PublicExchange, pairs: FollowedPairs, now: () => number): QuietPoller {
  let failure: ExchangeError | null = null;
  let polledAt = Number.NEGATIVE_INFINITY;
  let isPolling = false;

  async function poll(quiet: readonly string[]): Promise<void> {
    isPolling = true;
    try {
      for (const ticker of await exchange.tickers(quiet)) {
        const followed = pairs.map.get(ticker.pair);
        if (followed) pairs.onTicker(followed, ticker);
      }
      failure = null;
    } catch (error) {
      // `PublicExchange` rejects with an `ExchangeError` only.
      failure = error as ExchangeError;
    } finally {
      isPolling = false;
      polledAt = now();
    }
  }

  return {
    failure: () => failure,
    check(at) {
      const quiet = pairs.quiet(at);
      if (quiet.length > 0 && !isPolling && at >= polledAt + pairs.pollMs(quiet)) void poll(quiet);
    },
    reset() {
      failure = null;
    },
  };
}
