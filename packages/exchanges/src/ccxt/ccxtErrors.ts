import {
  ExchangeError,
  ExchangeMisused,
  ExchangeRefused,
  ExchangeUnreachable,
  OutcomeUnknown,
  RateLimited,
  type RefusalKind,
} from '../errors.ts';
import type { ConnectionFault } from '../net/fault.ts';
import type { CcxtErrors } from './library.ts';

/** Pause after a "too many requests" that does not say how long. */
const RATE_LIMIT_PAUSE_MS = 60_000;

/** The circumstances of a call that failed. */
export interface ErrorContext {
  readonly exchange: string;
  readonly errors: CcxtErrors;
  readonly write: boolean;
  readonly fault: ConnectionFault | null;
  /** ms since 1970. */
  readonly now: number;
}

/**
 * Codes of Binance for a key or signature that is not accepted, or that comes from an address that is not on its list. Every
 * other code of ccxt's classes for permissions is about the account, a pair or an order, and says nothing of the key.
 *
 * @see https://developers.binance.com/docs/binance-spot-api-docs/errors
 * @see https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code
 */
const KEY_REJECTED = new Set([-1002, -1022, -2008, -2014, -2015, -2017]);

/**
 * What an error of ccxt means for us.
 *
 * @param context.write true when the call could change something: no answer is then an unknown outcome
 * @param context.fault what the connection to the venue last failed on, or the pause that the venue has asked for
 */
export function exchangeErrorOf(error: unknown, context: ErrorContext): ExchangeError {
  const { exchange, errors } = context;
  if (error instanceof ExchangeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // Every class of ccxt has the same shape, so that TypeScript would take the first test for all of them.
  const is = (kind: keyof CcxtErrors): boolean => error instanceof errors[kind];
  if (!is('BaseError')) {
    // ccxt throws on malformed responses; a mistake of ours would make it throw on every call.
    const unreadable = `the answer could not be read (${message})`;
    return context.write
      ? new OutcomeUnknown(exchange, unreadable, error)
      : new ExchangeUnreachable(exchange, unreadable, error);
  }
  const code = codeOf(message);
  // ccxt classifies -2015 as a ban as soon as the key has worked once; bans have a status of their own (418).
  if (code !== null && KEY_REJECTED.has(code)) return new ExchangeRefused(exchange, message, 'not_allowed', error);
  if (is('RateLimitExceeded') || is('DDoSProtection')) {
    const { fault, now } = context;
    if (fault?.kind === 'paused') return new RateLimited(exchange, fault.until, error, fault.banned);
    return new RateLimited(exchange, now + RATE_LIMIT_PAUSE_MS, error);
  }
  // The clocks differ, or the request came too late: the venue has not looked at it.
  if (is('InvalidNonce')) {
    return new ExchangeUnreachable(exchange, `wrong time (${message})`, error, { kind: 'clock', offsetMs: null });
  }
  if (is('NetworkError') || is('OperationFailed')) {
    return context.write
      ? new OutcomeUnknown(exchange, `no answer (${message})`, error)
      : new ExchangeUnreachable(exchange, `no answer (${message})`, error, context.fault);
  }
  if (is('BadSymbol') || is('NotSupported') || is('ArgumentsRequired')) {
    return new ExchangeMisused(exchange, message, error);
  }
  // Somebody sent this very order before: it may be working.
  if (context.write && (is('DuplicateOrderId') || /duplicate order|ClientOrderId is duplicated/i.test(message)))
    return new OutcomeUnknown(exchange, message, error);
  return new ExchangeRefused(exchange, message, refusalKind(is, code), error);
}

/** Returns the exchange's own code in the message of an error; null when there is none. */
export function codeOf(message: string): number | null {
  const found = /"code":\s*"?(-?\d+)/.exec(message)?.[1];
  return found === undefined ? null : Number(found);
}

function refusalKind(is: (kind: keyof CcxtErrors) => boolean, code: number | null): RefusalKind {
  if (is('OrderImmediatelyFillable')) return 'would_take';
  if (is('InsufficientFunds')) return 'no_money';
  if (is('OrderNotFound')) return 'unknown_order';
  // Without a code the library itself has refused, for example a call without a key.
  return code === null && is('AuthenticationError') ? 'not_allowed' : 'other';
}
