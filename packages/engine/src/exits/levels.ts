import type { Direction } from '../market/direction.ts';
import { mulDiv, mulDivDown, type Price, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';
import type { ExitRule } from '../state/botRules.ts';

/**
 * Returns the reference price at which a stop-loss level triggers: `entry·(1 − direction·profit/100)`. It is a price
 * distance, not a return on margin, so leverage does not change it.
 *
 * @see docs/exits.md#stop-loss
 */
export function stopLevel(entry: Price, direction: Direction, row: ExitRule): Price {
  return shiftPriceBy(entry, -direction * row.profit, direction === 1 ? 'down' : 'up');
}

/**
 * Returns the reference price at which a take-profit level triggers. The return on margin is then at least `profit`:
 * `entry·(1 + direction·profit/100/leverage)`.
 *
 * @see docs/exits.md#take-profit
 */
export function takeProfitPrice(entry: Price, direction: Direction, leverage: number, row: ExitRule): Price {
  return atReturn(entry, direction, leverage, row.profit);
}

/** Returns the peak price that activates the trailing take-profit. @see docs/exits.md#trailing-take-profit */
export function trailingActivationPrice(entry: Price, direction: Direction, leverage: number, start: Ratio): Price {
  return atReturn(entry, direction, leverage, start);
}

/** Returns whether the peak of a position has reached the {@link trailingActivationPrice} `arm`; 0 means no peak. */
export function isArmed(direction: Direction, peak: Price, arm: Price): boolean {
  return peak > 0 && (direction === 1 ? peak >= arm : peak <= arm);
}

/**
 * Returns the reference price at which a level of the trailing take-profit triggers: the entry price plus `profit` % of the
 * best gain.
 *
 * @see docs/exits.md#trailing-take-profit
 */
export function trailingStopPrice(entry: Price, direction: Direction, peak: Price, row: ExitRule): Price {
  return entry + direction * mulDivDown(direction * (peak - entry), row.profit, SCALE);
}

/** Returns the first price at which the return on margin is at least `roe`. @see docs/exits.md#return-on-margin */
function atReturn(entry: Price, direction: Direction, leverage: number, roe: Ratio): Price {
  if (leverage === 1) return shiftPriceBy(entry, direction * roe, direction === 1 ? 'up' : 'down');
  const whole = SCALE * leverage;
  return mulDiv(entry, whole + direction * roe, whole, direction === 1 ? 'up' : 'down');
}
