import type { Translate } from '../../locales/texts.ts';
import { explainFailure } from '../../ui/explain.ts';
import { PasskeyCancelled, PasskeyFailed } from './passkeys.ts';
import { secondStepOf } from './secondStep.ts';

/** What to say of a login or a proof that did not come about; null for what is no failure: a second step, a change of mind. */
export function explainEntry(error: unknown, t: Translate): string | null {
  if (!error || secondStepOf(error)) return null;
  if (error instanceof PasskeyCancelled) return null;
  return error instanceof PasskeyFailed ? t('passkeys.failed') : explainFailure(error, t);
}
