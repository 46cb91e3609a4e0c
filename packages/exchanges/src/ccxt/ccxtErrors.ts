import {
  ExchangeError,
  ExchangeMisused,
  ExchangeRefused,
  ExchangeUnreachable,
  OutcomeUnknown,
  RateLimited,
  type RefusalKind,
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
    const unreadable = `the answer could not be read (${message})`;
    return context.write
      ? new OutcomeUnknown(exchange, unreadable, error)
      : new ExchangeUnreachable(exchange, unreadable, error);
  }
  if (is('RateLimitExceeded') || is('DDoSProtection')) {
    return new RateLimited(exchange, context.retryAt ?? context.now + RATE_LIMIT_PAUSE_MS, error);
  }
  // The clocks differ, or the request came too late: the venue has not looked at it.
  if (is('InvalidNonce')) return new ExchangeUnreachable(exchange, `wrong time (${message})`, error);
  if (is('NetworkError') || is('OperationFailed')) {
    return context.write
      ? new OutcomeUnknown(exchange, `no answer (${message})`, error)
      : new ExchangeUnreachable(exchange, `no answer (${message})`, error);
  }
  if (is('BadSymbol') || is('NotSupported') || is('ArgumentsRequired')) {
    return new ExchangeMisused(exchange, message, error);
  }
  // Somebody sent this very order before: it may be working.
  if (context.write && (is('DuplicateOrderId') || /duplicate order|ClientOrderId is duplicated/i.test(message)))
    return new OutcomeUnknown(exchange, message, error);
  return new ExchangeRefused(exchange, message, refusalKind(is), error);
}

function refusalKind(is: (kind: keyof CcxtErrors) => boolean): RefusalKind {
  if (is('OrderImmediatelyFillable')) return 'would_take';
  if (is('InsufficientFunds')) return 'no_money';
  if (is('OrderNotFound')) return 'unknown_order';
  return is('AuthenticationError') ? 'not_allowed' : 'other';
}
