import { strategyTitle as titleOf } from '@heron/contract/locales/strategyTitles.ts';
import type { Locale } from '../../lib/preferences.ts';

/** Returns the title of a strategy in the chosen language; its id when this client does not know it. */
export function strategyTitle(id: string, { language }: Pick<Locale, 'language'>): string {
  return titleOf(id)[language];
}
