import { type BotEvent, handle } from '../bot/handle.ts';
import { isActive } from '../exitRules/exitRule.ts';
import type { Price } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';

/**
 * Returns the price that the active trailing exits of a pair follow, of an exit table or of a DCA deal; 0 for none.
 *
 * @see docs/exits.md#common-rules
 */
export function followedPrice(bot: Bot, index: number): Price {
  const pair = bot.state.pairs[index];
  if (pair?.orderPlan?.kind === 'dca') return pair.orderPlan.armed ? pair.orderPlan.best : 0;
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

/**
 * Handles an event that may evaluate the exits of several pairs.
 *
 * @returns whether a price that a trailing exit follows has moved; it must survive a restart
 */
export function handleAndDetectMove(bot: Bot, event: BotEvent, effects: Effect[]): boolean {
  const before = bot.state.pairs.map((_, index) => followedPrice(bot, index));
  handle(bot, event, effects);
  return before.some((peak, index) => followedPrice(bot, index) !== peak);
}
