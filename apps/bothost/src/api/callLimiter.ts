import { CallError } from '@heron/contract/http/errors.ts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;

/**
 * Counts what each caller asks for in the minute that its first call begins, for calls that cost requests at an exchange.
 * In memory: what it spares is the exchange, which each bot host asks on its own.
 *
 * @returns takes a turn of a caller, or rejects with CallError `too_many_requests` once there have been `most`
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
