import type { Translate } from '../../locales/texts.ts';
import { toast } from '../../ui/toasts.tsx';
import { explainSignIn } from './explainSignIn.ts';

/** Shows an error as a toast; shows nothing when the user cancelled. */
export function toastFailure(error: unknown, t: Translate): void {
  const text = explainSignIn(error, t);
  if (text) toast(text, 'problem');
}
