import type { Translate } from '../../../locales/texts.ts';

/** Returns the message for saved changes. */
export function savedText(count: number, t: Translate): string {
  // The bot changes nothing when an earlier request, whose response was lost, has already saved everything.
  return count === 0 ? t('edit.savedBefore') : t('edit.saved', { count });
}
