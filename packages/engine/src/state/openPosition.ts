import { NONE_TRIGGERED } from '../exitRules/exitTables.ts';
import type { Direction } from '../market/direction.ts';
import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import { dropHeldExit } from './exitSignal.ts';
import { noTotals } from './positionTotals.ts';

/** Opens the position at the first fill of an entry. @see docs/bot-lifecycle.md#pair-phases, docs/exits.md#common-rules */
export function settleEntry(bot: Bot, pair: PairState, direction: Direction, at: number): void {
  if (pair.position !== null) return;
  pair.position = {
    id: bot.state.nextPosition++,
    direction,
    openedAt: at,
    peak: 0,
    fired: { ...NONE_TRIGGERED },
    realised: 0,
    feeQuote: 0,
    sold: false,
    totals: noTotals(),
  };
  pair.exitReference = null;
  pair.exitSignal = dropHeldExit(pair.exitSignal);
}
