import { NONE_TRIGGERED } from '../exitRules/exitTables.ts';
import { type BotState, newPair, type PairState } from '../state/botState.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import { reviveNaN } from './reviveNaN.ts';
import { type ExitSignal4, exitSignal5, withExitSignal4 } from './upgradeExitSignal.ts';
import { nextDealOf, renameEntryBlock6, withNames6, withPlanRules } from './upgradeOrderPlan.ts';
import { upgradeStrategyState } from './upgradeStrategyState.ts';

/** First version in which the sums of indicators are whole units. */
const SUMS_IN_UNITS = 3;
/** First version with `exitSignal` in place of four flags. */
const EXIT_SIGNAL = 4;
/** First version whose exit signal has three kinds. */
const THREE_KINDS = 5;
/** First version with the names `orderPlan`, `entryOptions` and `entriesBlockedBy`, and those of their fields. */
const ORDER_PLAN_NAMES = 6;

/**
 * Upgrades the bot of a saved session, on paper or live, in place.
 *
 * @param fresh bot with the same options; it gets the pairs of the saved bot, as they are when nothing is known of them
 * @param saved bot as JSON gave it; its pairs are replaced
 * @param version of the saved session
 */
export function upgradeBot(
  fresh: BotState,
  saved: Pick<BotState, 'pairs' | 'entriesBlockedBy'>,
  version: number,
): void {
  // Pairs that are no longer watched may still be there.
  const chosen = strategyOf(fresh.options.strategy, fresh.params);
  fresh.pairs = saved.pairs.map(({ pair }) => newPair(pair, 'loading', chosen));
  saved.pairs = saved.pairs.map((pair, index) => {
    const upgraded = upgradePair(fresh.pairs[index] as PairState, pair, version);
    return {
      ...upgraded,
      orderPlan: withPlanRules(upgraded.orderPlan, fresh),
      nextDealFrom: nextDealOf(upgraded, fresh),
    };
  });
  if (version < ORDER_PLAN_NAMES) renameEntryBlock6(saved);
}

function upgradePair(fresh: PairState, older: PairState, version: number): PairState {
  const named = version < ORDER_PLAN_NAMES ? withNames6(older) : older;
  // Older refusals may have been overtaken by an entry or exit.
  const saved = 'lastOrder' in named ? named : { ...(named as PairState), lastRefusal: null };
  let strategyState = reviveNaN(saved.strategyState);
  if (version < SUMS_IN_UNITS) strategyState = upgradeStrategyState(fresh.strategyState, strategyState);
  // Older versions have fewer exit tables.
  const position = saved.position && {
    ...saved.position,
    // A position of an older version has none.
    totals: saved.position.totals ?? null,
    fired: { ...NONE_TRIGGERED, ...saved.position.fired },
  };
  if (version >= THREE_KINDS) return { ...saved, strategyState, position };
  const { exitSignal, ...rest } = (version < EXIT_SIGNAL ? withExitSignal4(saved) : saved) as {
    exitSignal: ExitSignal4 | null;
  };
  // The fields of the fresh pair keep the order of this version.
  return { ...fresh, ...rest, strategyState, position, exitSignal: exitSignal5(exitSignal) };
}
