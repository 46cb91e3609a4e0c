import { CallError } from '@heron/contract/http/errors.ts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;

/**
 * Limits the calls of each caller per minute, for calls that cause requests to an exchange. The minute begins with its first
 * call. The counts are in memory, because each bot host has its own limit at the exchange.
 *
 * @returns counts a call; rejects with CallError `too_many_requests` above `maxCalls`
 */
export function createCallLimiter(maxCalls: number): (caller: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: maxCalls, duration: MINUTE_S });
  return async (caller) => {
    try {
      await limiter.consume(caller);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new CallError('too_many_requests', { seconds: Math.ceil(refused.msBeforeNext / 1_000) });
    }
  };
}
