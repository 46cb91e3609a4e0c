import { exact, type Quote } from '../money/units.ts';
import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import { totalsOf } from './openTotals.ts';

/** A result that the ledger has booked. */
export interface BookedResult {
  readonly net: Quote;
  readonly fees?: Quote;
  readonly funding?: Quote;
}

/**
 * Adds a result to the open position of a pair. Without one, as for funding that the exchange lists late, it belongs to the position
 * that closed last, so that all positions together have the realised result of the ledger.
 */
export function addResult(bot: Bot, pair: PairState, { net, fees = 0, funding = 0 }: BookedResult): void {
  const { position } = pair;
  if (position === null) {
    addLateResult(bot, pair, { net, fees, funding });
    return;
  }
  position.realised = exact(position.realised + net);
  position.feeQuote = exact(position.feeQuote + fees);
  if (funding === 0) return;
  const totals = totalsOf(pair, position);
  totals.funding = exact(totals.funding + funding);
}

function addLateResult(bot: Bot, pair: PairState, { net, fees, funding }: Required<BookedResult>): void {
  const last = pair.lastClosed;
  if (last === null || (net === 0 && fees === 0 && funding === 0)) return;
  pair.lastClosed = {
    ...last,
    net: exact(last.net + net),
    fees: exact(last.fees + fees),
    funding: exact(last.funding + funding),
  };
  bot.observer.closedChanged(pair, pair.lastClosed, last);
}
