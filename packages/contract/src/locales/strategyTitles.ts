import { strategyTitles as en } from './en/strategyTitles.ts';
import { bilingual, type Text } from './text.ts';
import { strategyTitles as zh } from './zh/strategyTitles.ts';

/**
 * Titles of the strategies by id. They are apart from the other texts of strategies, so that a list of bots does not load
 * those.
 */
const STRATEGY_TITLES = bilingual(zh, en);

/** Returns the title of a strategy, or the id of an unknown one. */
export function strategyTitle(id: string): Text {
  return Object.hasOwn(STRATEGY_TITLES, id) ? STRATEGY_TITLES[id as keyof typeof STRATEGY_TITLES] : { zh: id, en: id };
}
