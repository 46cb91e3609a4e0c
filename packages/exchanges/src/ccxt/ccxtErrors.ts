import {
  ExchangeError,
  ExchangeMisused,
  ExchangeRefused,
  ExchangeUnreachable,
  OutcomeUnknown,
  RateLimited,
} from '../errors.ts';
import type { CcxtErrors } from './library.ts';

/** Pause after a "too many requests" that does not say how long. */
const RATE_LIMIT_PAUSE_MS = 60_000;

/**
 * What an error of ccxt means for us.
 *
 * @param context.write true when the call could change something: no answer is then an unknown outcome
 * @param context.retryAt when the venue's own answer said to come back, ms
 */
export function exchangeErrorOf(
  error: unknown,
  context: { exchange: string; errors: CcxtErrors; write: boolean; retryAt: number | null; now: number },
): ExchangeError {
  const { exchange, errors } = context;
  if (error instanceof ExchangeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // Every class of ccxt has the same shape, so that TypeScript would take the first test for all of them.
  const is = (kind: keyof CcxtErrors): boolean => error instanceof errors[kind];
  if (!is('BaseError')) {
    // ccxt stumbles over answers that are not what they should be; a mistake of ours would do it on every call.
    return new ExchangeUnreachable(exchange, `the answer could not be read (${message})`, error);
  }
  if (is('RateLimitExceeded') || is('DDoSProtection')) {
    return new RateLimited(exchange, context.retryAt ?? context.now + RATE_LIMIT_PAUSE_MS, error);
  }
  if (is('NetworkError') || is('OperationFailed')) {
    return context.write
      ? new OutcomeUnknown(exchange, `no answer (${message})`, error)
      : new ExchangeUnreachable(exchange, `no answer (${message})`, error);
  }
  if (is('BadSymbol') || is('NotSupported') || is('ArgumentsRequired')) {
    return new ExchangeMisused(exchange, message, error);
  }
  return new ExchangeRefused(exchange, message, error);
}
