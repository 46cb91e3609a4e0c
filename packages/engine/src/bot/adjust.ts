import { applyLedgerEvent } from '../ledger/events.ts';
import { exact } from '../money/units.ts';
import { accountOf } from '../state/accountOf.ts';
import { addResult } from '../state/addResult.ts';
import { afterExternalChange } from '../state/afterExternalChange.ts';
import type { Adjustment } from '../state/botEvents.ts';
import { countAdjustment, totalsOf } from '../state/openTotals.ts';
import type { Turn } from '../state/turn.ts';
import { comparePlan } from './uncoveredPlan.ts';

/**
 * Books a change of the holding that no order of the bot caused: the ledger books it at the mark price, and the position gets
 * its result.
 *
 * @see docs/accounting.md#quantity-differences
 */
export function onAdjustment(turn: Turn, event: Adjustment): void {
  const { bot, pair, at } = turn;
  const { holding, position } = pair;
  const { realised, entryPrice, entryNotional, entryQuantity, side } = holding;
  if (position !== null) totalsOf(pair, position);
  applyLedgerEvent(accountOf(bot, {}), event);
  const net = exact(holding.realised - realised);
  addResult(bot, pair, { net });
  if (position === null) return;
  countAdjustment(pair, position, event);
  if (event.quantityDelta < 0) position.sold = true;
  // The entry of the position stays visible until it is closed.
  if (holding.quantity === 0) Object.assign(holding, { entryPrice, entryNotional, entryQuantity, side });
  if (event.why === 'late_fill') return;
  afterExternalChange(bot, pair, event.price, at);
  comparePlan(turn, event.shared === true);
}
