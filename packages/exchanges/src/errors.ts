import type { ConnectionFault } from './net/fault.ts';

/** The five kinds of failure that the rest of the program has to tell apart. */
export type ExchangeErrorKind = 'refused' | 'unknown_outcome' | 'rate_limited' | 'unreachable' | 'misused';

/** A call to an exchange failed. `kind` says what may be done next; the message is safe to show and to log. */
export abstract class ExchangeError extends Error {
  abstract readonly kind: ExchangeErrorKind;
  readonly exchange: string;
  /** Why the exchange could not be reached; null where that is not known, or not what failed. */
  readonly fault: ConnectionFault | null = null;

  constructor(exchange: string, message: string, cause?: unknown) {
    // The cause keeps its name and redacted text only: messages of HTTP libraries hold signed URLs.
    super(`${exchange}: ${redact(message)}`, cause === undefined ? {} : { cause: redactedCause(cause) });
    this.exchange = exchange;
  }
}

/** What a refusal was about, as far as something follows from it. */
export type RefusalKind = 'would_take' | 'no_money' | 'unknown_order' | 'not_allowed' | 'other';

/** The exchange understood and said no. Sending the same again gets the same answer. */
export class ExchangeRefused extends ExchangeError {
  override readonly name = 'ExchangeRefused';
  readonly kind = 'refused';
  readonly about: RefusalKind;

  constructor(exchange: string, message: string, about: RefusalKind = 'other', cause?: unknown) {
    super(exchange, message, cause);
    this.about = about;
  }
}

/** A write went unanswered: it may have been done. Ask the exchange what became of it before deciding anything. */
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

  /** @param banned the exchange answered 418: it serves this IP address no more until then */
  constructor(exchange: string, retryAt: number, cause?: unknown, banned = false) {
    super(exchange, `too many requests; wait until ${new Date(retryAt).toISOString()}`, cause);
    this.retryAt = retryAt;
    this.fault = { kind: 'paused', until: retryAt, banned };
  }
}

/** Nothing was done and nothing could be read: network, maintenance, or an answer that makes no sense. Try again later. */
export class ExchangeUnreachable extends ExchangeError {
  override readonly name = 'ExchangeUnreachable';
  readonly kind = 'unreachable';
  override readonly fault: ConnectionFault | null;

  constructor(exchange: string, message: string, cause?: unknown, fault: ConnectionFault | null = null) {
    super(exchange, message, cause);
    this.fault = fault;
  }
}

/** Our own mistake: a pair, period or call that this adapter does not have. Mend the caller; trying again is useless. */
export class ExchangeMisused extends ExchangeError {
  override readonly name = 'ExchangeMisused';
  readonly kind = 'misused';
}

/** `text` without addresses, signatures and keys. */
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
