import { type LadderRules, ladderRules, underLadder } from '../ladder/rules.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import type { Strategy, StrategyRun } from '../strategies/strategy.ts';
import { type Rules, rulesOf } from './rules.ts';
import type { BotState } from './state.ts';
import { warmupOf } from './warmup.ts';
import type { Witness } from './witness.ts';

/** A bot at work: its state and what can be derived from it, anew whenever its options change. */
export interface Bot {
  readonly state: BotState;
  rules: Rules;
  strategy: Strategy;
  /** What a grid or dca does; null for strategies that signal. */
  ladder: LadderRules | null;
  /** Closed candles before an entry. @see docs/entries.md#warm-up */
  warmup: number;
  /** One per pair, in order. */
  runs: StrategyRun[];
  readonly witness: Witness;
}

/** Wakes a state up. `witness` is told everything that happens and why. */
export function botOf(state: BotState, witness: Witness): Bot {
  return { state, witness, ...derived(state) };
}

/** Brings what is derived from the state of a bot to its present options and pairs. */
export function rewake(bot: Bot): void {
  Object.assign(bot, derived(bot.state));
}

function derived(state: BotState): Omit<Bot, 'state' | 'witness'> {
  const { strategy, params } = strategyOf(state.options.strategy, state.params);
  const ladder = ladderRules(strategy.id, params);
  const rules = rulesOf(state.options);
  return {
    rules: ladder === null ? rules : underLadder(rules, ladder),
    strategy,
    ladder,
    warmup: warmupOf(state.options, strategy, params),
    runs: state.pairs.map((pair) => strategy.run(params, pair.strategyState)),
  };
}
