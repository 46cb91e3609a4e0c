import { type LadderRules, ladderRules, underLadder } from '../ladder/rules.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import type { Strategy, StrategyRun } from '../strategies/strategy.ts';
import { type Rules, rulesOf } from './rules.ts';
import type { BotState } from './state.ts';
import type { Witness } from './witness.ts';

/** A bot at work: its state and what can be derived from it. */
export interface Bot {
  readonly state: BotState;
  readonly rules: Rules;
  readonly strategy: Strategy;
  /** What a grid or dca does; null for strategies that signal. */
  readonly ladder: LadderRules | null;
  /** Closed candles before an entry. @see options.md 4.4 min_periods */
  readonly warmup: number;
  /** One per pair, in order. */
  readonly runs: StrategyRun[];
  readonly witness: Witness;
}

/** Wakes a state up. `witness` is told everything that happens and why. */
export function botOf(state: BotState, witness: Witness): Bot {
  const { strategy, params } = strategyOf(state.options.strategy, state.params);
  const ladder = ladderRules(strategy.id, params);
  const rules = rulesOf(state.options);
  return {
    state,
    rules: ladder === null ? rules : underLadder(rules, ladder),
    strategy,
    ladder,
    warmup: Math.max(state.options.min_periods, strategy.warmup(params)),
    runs: state.pairs.map((pair) => strategy.run(params, pair.strategyState)),
    witness,
  };
}
