import type { Translate } from '../locales/texts.ts';
import { explainFailure } from './explain.ts';
import { toast } from './toasts.tsx';

/** Shows an error as a toast; shows nothing when the user cancelled the action. */
export function toastProblem(error: unknown, t: Translate): void {
  const text = explainFailure(error, t);
  if (text) toast(text, 'problem');
}
