import type { Translate } from '../../locales/texts.ts';
import { toast } from '../../ui/toasts.tsx';
import { explainEntry } from './explainEntry.ts';

/** Says in passing why something was not done; nothing to who changed their mind. */
export function toastFailure(error: unknown, t: Translate): void {
  const text = explainEntry(error, t);
  if (text) toast(text, 'problem');
}
