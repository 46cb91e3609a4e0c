import { ApiError } from '../../lib/api.ts';

/** Describes a sign-in that requires a second step. */
export interface SecondStep {
  readonly ticket: string;
  readonly kinds: readonly string[];
}

/** Returns the next step of a sign-in that needs a second step; null for any other error. */
export function secondStepOf(error: unknown): SecondStep | null {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_needed') return null;
  return { ticket: String(error.details.ticket), kinds: String(error.details.kinds).split(' ') };
}
