import type { AssetUnitChanged } from '@heron/engine/state/adoptMarket.ts';
import type { ConnectionFault } from './net/fault.ts';

/** The five kinds of failure that the rest of the program distinguishes. */
export type ExchangeErrorKind = 'refused' | 'unknown_outcome' | 'rate_limited' | 'unreachable' | 'misused';

/** A call to an exchange failed. `kind` decides the next step; the message is safe to show and to log. */
export abstract class ExchangeError extends Error {
  abstract readonly kind: ExchangeErrorKind;
  readonly exchange: string;
  /** Reason why the exchange could not be reached; null where it is unknown or where something else failed. */
  readonly fault: ConnectionFault | null = null;

  constructor(exchange: string, message: string, cause?: unknown) {
    // The cause keeps its name and redacted text only: messages of HTTP libraries hold signed URLs.
    super(`${exchange}: ${redact(message)}`, cause === undefined ? {} : { cause: redactedCause(cause) });
    this.exchange = exchange;
  }
}

/** Subject of a refusal; `other` has no consequence of its own. */
export type RefusalKind = 'would_take' | 'no_money' | 'unknown_order' | 'not_allowed' | 'other';

/** The exchange refused the request. The same request is refused again. */
export class ExchangeRefused extends ExchangeError {
  override readonly name = 'ExchangeRefused';
  readonly kind = 'refused';
  readonly about: RefusalKind;

  constructor(exchange: string, message: string, about: RefusalKind = 'other', cause?: unknown) {
    super(exchange, message, cause);
    this.about = about;
  }
}

/** Whether the exchange refuses the key itself, rather than one request. */
export function isKeyRefusal(error: unknown): error is ExchangeRefused {
  return error instanceof ExchangeRefused && error.about === 'not_allowed';
}

/** A write got no response, so that it may have been executed. Query the order before anything else. */
export class OutcomeUnknown extends ExchangeError {
  override readonly name = 'OutcomeUnknown';
  readonly kind = 'unknown_outcome';
}

/** Too many requests. Send nothing before `retryAt`. */
export class RateLimited extends ExchangeError {
  override readonly name = 'RateLimited';
  readonly kind = 'rate_limited';
  /** ms since 1970. */
  readonly retryAt: number;
  override readonly fault: ConnectionFault;

  /** @param banned the exchange answered 418: it refuses this IP address until then */
  constructor(exchange: string, retryAt: number, cause?: unknown, banned = false) {
    super(exchange, `too many requests; wait until ${new Date(retryAt).toISOString()}`, cause);
    this.retryAt = retryAt;
    this.fault = { kind: 'paused', until: retryAt, banned };
  }
}

/** Nothing was executed and nothing could be read: network, maintenance, or a malformed response. Try again later. */
export class ExchangeUnreachable extends ExchangeError {
  override readonly name = 'ExchangeUnreachable';
  readonly kind = 'unreachable';
  override readonly fault: ConnectionFault | null;

  constructor(exchange: string, message: string, cause?: unknown, fault: ConnectionFault | null = null) {
    super(exchange, message, cause);
    this.fault = fault;
  }
}

/** A mistake of the caller: a pair, period or call that this adapter does not have. A retry fails again. */
export class ExchangeMisused extends ExchangeError {
  override readonly name = 'ExchangeMisused';
  readonly kind = 'misused';
}

/** An order is counted in another unit than the adapter's, so that another amount would be traded. It was not sent. */
export class AssetUnitDiffers extends ExchangeMisused {
  readonly pair: string;
  /** Decimals of the unit in which the bot counts the order. */
  readonly botDecimals: number;

  constructor(exchange: string, { pair, botDecimals, message }: AssetUnitChanged) {
    super(exchange, message);
    this.pair = pair;
    this.botDecimals = botDecimals;
  }
}

/** Returns `text` without addresses, signatures and keys. */
export function redact(text: string): string {
  return text
    .replace(/-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g, '[key removed]')
    .replace(/\b(?:https?|wss?):\/\/\S+/gi, '[address]')
    .replace(/\b(signature|api-?key|listenKey|secret|X-MBX-APIKEY)(["']?\s*[=:]\s*["']?)[^\s&"',}]+/gi, '$1$2[removed]')
    .slice(0, 500);
}

function redactedCause(cause: unknown): unknown {
  return cause instanceof Error ? { name: cause.name, message: redact(cause.message) } : redact(String(cause));
}
