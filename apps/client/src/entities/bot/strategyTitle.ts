import { TITLES } from '@heron/engine/strategies/titles.ts';
import type { Locale } from '../../lib/preferences.ts';

/** Title of a strategy in the reader's language; its id when it is not known here. */
export function strategyTitle(id: string, { language }: Locale): string {
  if (!Object.hasOwn(TITLES, id)) return id;
  return TITLES[id as keyof typeof TITLES][language];
}
