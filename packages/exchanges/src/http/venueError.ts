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
import type { RestAnswer } from '../net/sendRequest.ts';
import { parseJson } from './row.ts';

/** Pause after a "too many requests" that names no duration. */
const RATE_LIMIT_PAUSE_MS = 60_000;

/** Meaning of a venue's error code. `no_answer`: the venue failed, so that a write may have been executed. */
export type ErrorMeaning = 'rate_limited' | 'wrong_time' | 'no_answer' | 'misused' | 'duplicate_order' | RefusalKind;

/** Returns the meaning of one venue's error. @param message the venue's own text */
export type ErrorReader = (code: number, message: string) => ErrorMeaning;

/** Context of a call that failed. */
export interface ErrorContext {
  readonly exchange: string;
  /** True when the call can change something: without a response its outcome is unknown. */
  readonly write: boolean;
  /** Last fault of the connection, or the pause that the venue requested. */
  readonly fault: ConnectionFault | null;
  /** ms since 1970. */
  readonly now: number;
}

/** Returns the error for a meaning. @param message is shown and logged, without secrets */
function exchangeErrorOf(meaning: ErrorMeaning, message: string, context: ErrorContext): ExchangeError {
  const { exchange, write, fault, now } = context;
  switch (meaning) {
    case 'rate_limited':
      if (fault?.kind === 'paused') return new RateLimited(exchange, fault.until, message, fault.banned);
      return new RateLimited(exchange, now + RATE_LIMIT_PAUSE_MS, message);
    case 'wrong_time':
      return wrongTime(exchange, message);
    case 'no_answer':
      return write
        ? new OutcomeUnknown(exchange, `no answer (${message})`)
        : new ExchangeUnreachable(exchange, `no answer (${message})`, undefined, fault);
    case 'misused':
      return new ExchangeMisused(exchange, message);
    case 'duplicate_order':
      // An order with the same client id was sent before and may be working.
      return write ? new OutcomeUnknown(exchange, message) : new ExchangeRefused(exchange, message);
    default:
      return new ExchangeRefused(exchange, message, meaning);
  }
}

/** The venue refused a request for its time, without executing it. */
export function wrongTime(exchange: string, message: string): ExchangeUnreachable {
  return new ExchangeUnreachable(exchange, `wrong time (${message})`, undefined, { kind: 'clock', offsetMs: null });
}

/** An order was decided so long ago that the venue would refuse it. It was not sent, and the clock is not to blame. */
export function orderTooLate(exchange: string): ExchangeUnreachable {
  return new ExchangeUnreachable(exchange, 'too late: the order was decided too long ago, and was not sent');
}

/** Whether a request was refused for its time. */
export function isWrongTime(error: unknown): boolean {
  return error instanceof ExchangeUnreachable && error.fault?.kind === 'clock';
}

/** Returns the error of a call that failed without a response of the venue, or whose response could not be parsed. */
export function failedCall(error: unknown, step: 'no answer' | 'the answer could not be read', context: ErrorContext) {
  if (error instanceof ExchangeError) return error;
  const { exchange, write, fault } = context;
  const message = `${step} (${error instanceof Error ? error.message : String(error)})`;
  return write
    ? new OutcomeUnknown(exchange, message, error)
    : new ExchangeUnreachable(exchange, message, error, step === 'no answer' ? fault : null);
}

/** HTTP status of a venue that refuses a request without an error code in the body. */
const UNPROCESSABLE = 422;

/**
 * Returns the parsed body of a response.
 *
 * @throws ExchangeError for an error code, a status of an error, or a body that is no JSON
 */
export async function readAnswer(answer: RestAnswer, reader: ErrorReader, context: ErrorContext): Promise<unknown> {
  const text = await answer.text().catch((error: unknown) => {
    throw failedCall(error, 'no answer', context);
  });
  const message = `${answer.status} ${text}`;
  if (answer.status === 418 || answer.status === 429) throw exchangeErrorOf('rate_limited', message, context);
  const parsed = parse(text);
  const error = errorIn(parsed);
  if (error !== null) throw exchangeErrorOf(reader(error.code, error.message), text, context);
  if (answer.status >= 400) {
    // Without a code, a status such as 401 or 407 may come from a proxy or gateway, and says nothing about the key.
    throw exchangeErrorOf(answer.status === UNPROCESSABLE ? 'other' : 'no_answer', message, context);
  }
  if (parsed === undefined) throw failedCall(new TypeError('it is no JSON'), 'the answer could not be read', context);
  return parsed;
}

/** Returns a part of a response. @throws ExchangeError when the response does not have the documented form */
export function readPart<T>(read: () => T, context: ErrorContext): T {
  try {
    return read();
  } catch (error) {
    throw failedCall(error, 'the answer could not be read', context);
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Error code and text of a body such as `{"code":-2013,"msg":"Order does not exist."}`; 0 and 200 are no errors. */
function errorIn(body: unknown): { code: number; message: string } | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { code, msg, message, success } = body as Record<string, unknown>;
  if (success === true) return null;
  const number = Number(code);
  if (code === undefined || code === null || !Number.isFinite(number) || number === 0 || number === 200) return null;
  return { code: number, message: String(msg ?? message ?? '') };
}

/** Returns the venue's own code in the message of an error; null when there is none. */
export function codeOf(message: string): number | null {
  const found = /"code":\s*"?(-?\d+)/.exec(message)?.[1];
  return found === undefined ? null : Number(found);
}
