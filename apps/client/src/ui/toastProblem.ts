import type { Translate } from '../locales/texts.ts';
import { explainFailure } from './explain.ts';
import { toast } from './notices.tsx';

/** Says in passing why something was not done; nothing to somebody who changed their mind. */
export function toastProblem(error: unknown, t: Translate): void {
  const text = explainFailure(error, t);
  if (text) toast(text, 'problem');
}
