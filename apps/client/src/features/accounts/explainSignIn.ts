import type { Translate } from '../../locales/texts.ts';
import { explainFailure } from '../../ui/explain.ts';
import { PasskeyCancelled, PasskeyFailed } from './passkeys.ts';
import { secondStepOf } from './secondStep.ts';

/** Returns the text for a failed sign-in or proof. Returns null when a second step follows or the user cancelled. */
export function explainSignIn(error: unknown, t: Translate): string | null {
  if (!error || secondStepOf(error)) return null;
  if (error instanceof PasskeyCancelled) return null;
  return error instanceof PasskeyFailed ? t('passkeys.failed') : explainFailure(error, t);
}
