import {
  CallError,
  ERRORS,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetails,
  errorText,
  type Fault,
  type Language,
} from '@heron/contract/http/errors.ts';
import { isQueryTimeout } from '@heron/database/queryTimeout.ts';
import { ExchangeError } from '@heron/exchanges/errors.ts';
import type { FastifyError } from 'fastify';

/** Codes of PostgreSQL or its driver: not reachable, shutting down, failed over, or a transaction that must be repeated. */
const DATABASE_AWAY = /^(08|40|53|57|25006)|^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EAI_AGAIN)/;

/** Returns status and body for an error of a route. An unforeseen error becomes `unavailable`, with `expected` false. */
export function errorResponse(
  error: unknown,
  language: Language,
): { status: number; body: ErrorBody; expected: boolean } {
  if (error instanceof CallError) return answer(error.code, language, error.details, error.faults);
  if (error instanceof ExchangeError) return answer('exchange_unreachable', language);
  const { statusCode } = error as Partial<FastifyError>;
  if (statusCode === 413) return answer('too_large', language);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return answer('malformed', language);
  if (isDatabaseUnavailable(error)) return answer('unavailable', language);
  return { ...answer('unavailable', language), expected: false };
}

/** Whether a query failed because the database is unavailable, so that it may be repeated later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isQueryTimeout(error)) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (DATABASE_AWAY.test(code)) return true;
    if (/Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(cause.message))
      return true;
  }
  return false;
}

function answer(code: ErrorCode, language: Language, details: ErrorDetails = {}, faults: readonly Fault[] = []) {
  const message = errorText(code, language, details);
  const body: ErrorBody = {
    error: {
      code,
      message,
      ...(Object.keys(details).length > 0 ? { details } : {}),
      ...(faults.length > 0 ? { faults: [...faults] } : {}),
    },
  };
  return { status: ERRORS[code].status, body, expected: true };
}
