import { CallError } from '@heron/contract/http/errors.ts';

/** Days during which a deletion can be undone. */
export const ERASED_AFTER_DAYS = 14;

/**
 * Returns the error with the day (UTC) on which the account is erased. Only for callers who have proven that they own
 * it.
 */
export function accountDeleted(deletedAt: Date): CallError {
  const erased = new Date(deletedAt.getTime() + ERASED_AFTER_DAYS * 86_400_000);
  return new CallError('account_deleted', { day: erased.toISOString().slice(0, 10) });
}
