import { CallError } from '@heron/contract/http/errors.ts';

/** For so long a deletion can be undone. @see findings-identity.md, "account deletion" */
export const ERASED_AFTER_DAYS = 14;

/** That an account is deleted, and on which day (of UTC) it is erased. Only for whoever has proven to be its owner. */
export function accountDeleted(deletedAt: Date): CallError {
  const erased = new Date(deletedAt.getTime() + ERASED_AFTER_DAYS * 86_400_000);
  return new CallError('account_deleted', { day: erased.toISOString().slice(0, 10) });
}
