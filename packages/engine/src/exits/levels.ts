import type { Direction } from '../market/direction.ts';
import { mulDiv, mulDivDown, type Price, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';
import type { ExitRule } from '../state/botRules.ts';

/**
 * Reference price at which a stop_sell row fires, or beyond it against us: `entry·(1 − direction·profit/100)`. A
 * price distance, not a return on margin: leverage does not move it.
 *
 * @see docs/exits.md#stop-loss
 */
export function stopLevel(entry: Price, direction: Direction, row: ExitRule): Price {
  return shiftPriceBy(entry, -direction * row.profit, direction === 1 ? 'down' : 'up');
}

/**
 * Reference price at which a profit_win row fires, or beyond it for us: the return on margin is at least `profit`,
 * so `entry·(1 + direction·profit/100/leverage)`.
 *
 * @see docs/exits.md#take-profit
 */
export function takeProfitPrice(entry: Price, direction: Direction, leverage: number, row: ExitRule): Price {
  return atReturn(entry, direction, leverage, row.profit);
}

/** Least peak of a long, greatest of a short, that arms the callback. @see docs/exits.md#trailing-take-profit */
export function trailingActivationPrice(entry: Price, direction: Direction, leverage: number, start: Ratio): Price {
  return atReturn(entry, direction, leverage, start);
}

/** Whether the best price of a position has armed the callback whose {@link trailingActivationPrice} is `arm`; a peak of 0 is none. */
export function isArmed(direction: Direction, peak: Price, arm: Price): boolean {
  return peak > 0 && (direction === 1 ? peak >= arm : peak <= arm);
}

/**
 * Reference price at which a callback row fires, or beyond it against us: the entry price plus `profit` % of
 * the best gain.
 *
 * @see docs/exits.md#trailing-take-profit
 */
export function trailingStopPrice(entry: Price, direction: Direction, peak: Price, row: ExitRule): Price {
  return entry + direction * mulDivDown(direction * (peak - entry), row.profit, SCALE);
}

/** First price at which the return on margin is at least `roe`. @see docs/exits.md#return-on-margin */
function atReturn(entry: Price, direction: Direction, leverage: number, roe: Ratio): Price {
  if (leverage === 1) return shiftPriceBy(entry, direction * roe, direction === 1 ? 'up' : 'down');
  const whole = SCALE * leverage;
  return mulDiv(entry, whole + direction * roe, whole, direction === 1 ? 'up' : 'down');
}
