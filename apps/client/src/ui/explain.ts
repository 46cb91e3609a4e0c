import { ApiError, NoAnswer } from '../lib/api.ts';
import { ProofCancelled } from '../lib/proof.ts';
import type { Translate } from '../locales/texts.ts';

/** Returns the text of an error and what to do about it. */
export function explain(error: unknown, t: Translate): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof NoAnswer) return t(`error.${error.why}`);
  return t('error.unexpected');
}

/** Returns the text for an error; null for no error, and for a proof that the user cancelled. */
export function explainFailure(error: unknown, t: Translate): string | null {
  return !error || error instanceof ProofCancelled ? null : explain(error, t);
}
