import { CallError, ERRORS, type ErrorBody, errorText, type Language } from '@heron/contract/http/errors.ts';

/** Why PostgreSQL cannot be asked at the moment: by Node (`ECONN…`) or by itself (classes 08, 53 and 57P). */
const DATABASE_AWAY = /^(ECONNREFUSED|ECONNRESET|ENOENT|ETIMEDOUT|EPIPE|08...|53...|57P0.)$/;
const DATABASE_AWAY_TEXT = /Connection terminated|timeout exceeded when trying to connect|pool after calling end/;

/**
 * What a caller is told about anything that was thrown. The fault of a caller never becomes a 5xx, and a fault of ours never
 * shows its inside.
 */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (isDatabaseAway(error)) return new CallError('unavailable');
  const status = hasStatus(error) ? error.statusCode : 500;
  if (status === 413) return new CallError('too_large');
  if (status === 415) return new CallError('wrong_type');
  // Static files answer 403 to paths that try to leave the folder: there is nothing there.
  if (status === 404 || status === 403) return new CallError('not_found');
  if (status === 503) return new CallError('unavailable');
  return new CallError(status >= 400 && status < 500 ? 'malformed' : 'internal');
}

/** Body of a failed answer in the caller's language. */
export function errorResponse(error: CallError, language: Language): ErrorBody {
  const { code, details } = error;
  const message = errorText(code, language, details);
  return { error: Object.keys(details).length > 0 ? { code, message, details } : { code, message } };
}

export function statusOf(error: CallError): number {
  return ERRORS[error.code].status;
}

function hasStatus(error: unknown): error is { statusCode: number } {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}

function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause = 'params' in error && error.cause instanceof Error ? error.cause : error;
  if (hasStatus(cause)) return false;
  const code = 'code' in cause ? String(cause.code) : '';
  return DATABASE_AWAY.test(code) || DATABASE_AWAY_TEXT.test(cause.message);
}
