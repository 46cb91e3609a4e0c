import { isActive } from '../exitRules/exitRule.ts';
import type { Price } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';

/**
 * Returns the price that the active trailing exits of a pair follow, of an exit table or of a DCA deal; 0 for none.
 *
 * @see docs/exits.md#common-rules
 */
export function armedPeak(bot: Bot, index: number): Price {
  const pair = bot.state.pairs[index];
  if (pair?.ladder?.kind === 'dca') return pair.ladder.armed ? pair.ladder.best : 0;
  if (!pair?.position || pair.market === null) return 0;
  const { position, holding } = pair;
  for (const { rule, levels } of bot.rules.exitTables) {
    const [first] = levels;
    if (rule.followed !== null && first !== undefined && isActive(holding, position, first)) {
      return rule.followed(holding, position);
    }
  }
  return 0;
}
