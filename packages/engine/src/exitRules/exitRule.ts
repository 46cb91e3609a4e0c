import { type Direction, isAsGoodAs } from '../market/direction.ts';
import { mulDiv, type Price, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';

/** Entry of a position as far as its exit levels depend on it. */
export interface EntryFacts {
  readonly entryPrice: Price;
  /** 1 on spot. */
  readonly leverage: number;
}

/** State of a position as far as its exit levels depend on it. */
export interface PositionFacts {
  readonly direction: Direction;
  /** Best reference price since entry; 0 before the first tick. */
  readonly peak: Price;
}

/** A row of an exit table in the units of the engine. */
export interface ExitLevel {
  /** Its place in the table as the user wrote it. */
  readonly index: number;
  /** Its bit in the set of triggered levels. */
  readonly bit: number;
  /** Percentage of the row; its rule says of what. */
  readonly trigger: Ratio;
  /** Share of the remaining position that it exits. */
  readonly share: Ratio;
  /** Return on margin that the peak must have reached once; null when the level is active at once. */
  readonly activation: Ratio | null;
}

/** An exit table: which levels it has, and where they trigger. */
export interface ExitRule {
  /** Its name in saved positions, which never changes. */
  readonly table: 'stopSell' | 'trailingStop' | 'profitWin' | 'callback';
  /** The option with its rows, which is also the reason of its exits. */
  readonly option: 'stop_sell' | 'trailing_stop' | 'profit_win' | 'profit_callback';
  /** Kind of its levels where they are shown. */
  readonly kind: 'stop' | 'trail' | 'win' | 'callback';
  /** Option with the return on margin that activates its levels; null when they are active at once. */
  readonly activationOption: 'profit_callback_start' | null;
  /** Whether its levels lie in favour of the position, so that the exit may wait in the book. */
  readonly inFavour: boolean;
  /** Whether the row with the largest percentage triggers first. */
  readonly largestFirst: boolean;
  /** Whether it also acts on the holding of a grid or a DCA deal, which have exits of their own. */
  readonly onPlans: boolean;
  /** Returns the reference price at which an active level triggers. */
  readonly priceOf: (entry: EntryFacts, position: PositionFacts, level: ExitLevel) => Price;
  /** Returns the price whose improvement moves the active levels; null when they do not trail. */
  readonly followed: ((entry: EntryFacts, position: PositionFacts) => Price) | null;
}

/** Returns the price whose reaching activates a level with an activation. @see docs/exits.md#trailing-take-profit */
export function activationPrice({ entryPrice, leverage }: EntryFacts, direction: Direction, activation: Ratio): Price {
  return priceAtReturn(entryPrice, direction, leverage, activation);
}

/** Returns whether the peak of a position has activated a level. */
export function isActive(entry: EntryFacts, { direction, peak }: PositionFacts, { activation }: ExitLevel): boolean {
  if (activation === null) return true;
  return peak > 0 && isAsGoodAs(direction, peak, activationPrice(entry, direction, activation));
}

/** Returns the first price at which the return on margin is at least `roe`. @see docs/exits.md#return-on-margin */
export function priceAtReturn(entry: Price, direction: Direction, leverage: number, roe: Ratio): Price {
  if (leverage === 1) return shiftPriceBy(entry, direction * roe, direction === 1 ? 'up' : 'down');
  const whole = SCALE * leverage;
  return mulDiv(entry, whole + direction * roe, whole, direction === 1 ? 'up' : 'down');
}

/** Returns the price that is `distance` of `price` against a position, rounded away from `price`. */
export function priceAgainst(price: Price, direction: Direction, distance: Ratio): Price {
  return shiftPriceBy(price, -direction * distance, direction === 1 ? 'down' : 'up');
}
