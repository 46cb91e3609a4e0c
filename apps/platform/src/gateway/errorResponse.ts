import { CallError, ERRORS, type ErrorBody, errorText, type Language } from '@heron/contract/http/errors.ts';

/** Error codes of Node (`ECONN…`) and PostgreSQL (classes 08, 53 and 57P) when the database is unavailable. */
const DATABASE_UNAVAILABLE = /^(ECONNREFUSED|ECONNRESET|ENOENT|ETIMEDOUT|EPIPE|08...|53...|57P0.)$/;
const DATABASE_AWAY_TEXT = /Connection terminated|timeout exceeded when trying to connect|pool after calling end/;

/**
 * Converts any thrown value to the error for the caller. An error of the caller never becomes a 5xx, and an error of
 * ours never reveals its details.
 */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (isDatabaseUnavailable(error)) return new CallError('unavailable');
  const status = hasStatus(error) ? error.statusCode : 500;
  if (status === 413) return new CallError('too_large');
  if (status === 415) return new CallError('wrong_type');
  // The file server responds with 403 to paths that leave the folder.
  if (status === 404 || status === 403) return new CallError('not_found');
  if (status === 503) return new CallError('unavailable');
  return new CallError(status >= 400 && status < 500 ? 'malformed' : 'internal');
}

/** Returns the body of an error response. @param text gives the message: `oldErrorText` for older clients */
export function errorResponse(error: CallError, language: Language, text = errorText): ErrorBody {
  const { code, details } = error;
  const message = text(code, language, details);
  return { error: Object.keys(details).length > 0 ? { code, message, details } : { code, message } };
}

export function statusOf(error: CallError): number {
  return ERRORS[error.code].status;
}

function hasStatus(error: unknown): error is { statusCode: number } {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}

function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause = 'params' in error && error.cause instanceof Error ? error.cause : error;
  if (hasStatus(cause)) return false;
  const code = 'code' in cause ? String(cause.code) : '';
  return DATABASE_UNAVAILABLE.test(code) || DATABASE_AWAY_TEXT.test(cause.message);
}
