import type { RuleRow } from '../bot/rules.ts';
import { mulDiv, type Price, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';

/** Greatest reference price at which a stop_sell row of a long fires: `E·(1 − θ/100)`. @see options.md 6.2 */
export function stopLevel(entry: Price, row: RuleRow): Price {
  return shiftPriceBy(entry, -row.profit, 'down');
}

/** Least reference price at which a profit_win row of a spot long fires: `E·(1 + θ/100)`. @see options.md 6.4 */
export function winLevel(entry: Price, row: RuleRow): Price {
  return shiftPriceBy(entry, row.profit, 'up');
}

/** Least peak that arms the callback: `E·(1 + a/100)`. @see options.md 6.5 */
export function armLevel(entry: Price, start: Ratio): Price {
  return shiftPriceBy(entry, start, 'up');
}

/** Greatest reference price at which a callback row fires: E plus k % of the best gain. @see options.md 6.5 */
export function callbackLine(entry: Price, peak: Price, row: RuleRow): Price {
  return entry + mulDiv(peak - entry, row.profit, SCALE, 'down');
}
