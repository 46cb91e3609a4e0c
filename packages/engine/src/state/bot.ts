import { strategyOf } from '../strategies/catalogue.ts';
import type { Strategy, StrategyRun } from '../strategies/strategy.ts';
import type { BotObserver } from './botObserver.ts';
import { type Rules, rulesOf } from './botRules.ts';
import type { BotState } from './botState.ts';
import { applyPlanRules, type OrderPlanRules, orderPlanRules } from './orderPlanRules.ts';
import { warmupOf } from './warmup.ts';

/** A running bot: its state and all that is derived from it, again whenever its options change. */
export interface Bot {
  readonly state: BotState;
  rules: Rules;
  strategy: Strategy;
  /** Rules of a grid or DCA strategy; null for strategies that signal. */
  planRules: OrderPlanRules | null;
  /** Closed candles before an entry. @see docs/entries.md#warm-up */
  warmup: number;
  /** One per pair, in order. */
  runs: StrategyRun[];
  readonly observer: BotObserver;
  /** The bot is finished after the present event, not within it: more of an account snapshot may follow. */
  defersFinish: boolean;
}

/** Creates a bot from its state. `observer` is called with everything that happens and why. */
export function createBot(state: BotState, observer: BotObserver): Bot {
  return { state, observer, defersFinish: false, ...derive(state) };
}

/** Derives the parts of a bot again from its present options and pairs. */
export function rederive(bot: Bot): void {
  Object.assign(bot, derive(bot.state));
}

function derive(state: BotState): Omit<Bot, 'state' | 'observer' | 'defersFinish'> {
  const { strategy, params } = strategyOf(state.options.strategy, state.params);
  const planRules = orderPlanRules(strategy.id, params);
  const rules = rulesOf(state.options);
  return {
    rules: planRules === null ? rules : applyPlanRules(rules, planRules),
    strategy,
    planRules,
    warmup: warmupOf(state.options, strategy, params),
    runs: state.pairs.map((pair) => strategy.run(params, pair.strategyState)),
  };
}
