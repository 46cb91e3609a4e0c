import { strategyTitle as titleOf } from '@heron/contract/locales/strategyTitles.ts';
import type { Locale } from '../../lib/preferences.ts';

/** Title of a strategy in the reader's language; its id when it is not known here. */
export function strategyTitle(id: string, { language }: Pick<Locale, 'language'>): string {
  return titleOf(id)[language];
}
