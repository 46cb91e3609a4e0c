import { isStale } from '../entry/gates.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { candlesUntilPeriodic } from '../strategies/dca.ts';

/** When a grid, a DCA deal or a periodic entry may start next. */
export interface NextPlan {
  /** `candle`: it starts then. `signal`: its condition is tested then. `schedule`: the next periodic entry is due then. */
  readonly by: 'candle' | 'signal' | 'schedule';
  /** Close of a candle, ms. */
  readonly at: number;
}

/**
 * Returns when the plan of a pair may start next; null while one runs, and where nothing can be said: the bot or the pair does
 * not trade, candles are missing, or the strategy has no plan.
 *
 * @see docs/grids-and-dca.md#common-rules
 */
export function nextPlanOf(bot: Bot, pair: PairState, at: number): NextPlan | null {
  const { planRules, state, rules } = bot;
  const isPeriodic = planRules?.kind === 'dca' && planRules.dca.periodic;
  if (planRules === null || state.status !== 'working' || pair.flag !== null || pair.paused !== null) return null;
  if (pair.orderPlan !== null || (pair.position !== null && !isPeriodic)) return null;
  if (pair.suspended !== undefined || pair.volume?.low === true) return null;
  if (pair.candleTime === 0 || pair.candles < bot.warmup - 1 || isStale(bot, pair, at)) return null;
  const closes = (candles: number) => pair.candleTime + (1 + candles) * rules.periodMs;
  if (planRules.kind === 'grid') return { by: 'candle', at: closes(1) };
  if (isPeriodic) return { by: 'schedule', at: closes(candlesUntilPeriodic(state.params, pair.strategyState)) };
  const pause = Math.max(0, pair.nextDealFrom - pair.candles);
  return { by: planRules.dca.startsNow ? 'candle' : 'signal', at: closes(1 + pause) };
}

/** Returns the earliest next start of a bot whose pairs have no plan yet; null once one runs. */
export function nextPlanOfBot(bot: Bot, at: number): NextPlan | null {
  const { pairs } = bot.state;
  if (pairs.some(({ orderPlan, position }) => orderPlan !== null || position !== null)) return null;
  const next = pairs.flatMap((pair) => nextPlanOf(bot, pair, at) ?? []);
  return next.reduce<NextPlan | null>((first, one) => (first === null || one.at < first.at ? one : first), null);
}
