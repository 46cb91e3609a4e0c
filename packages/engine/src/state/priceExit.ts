import { type Direction, isAsGoodAs } from '../market/direction.ts';
import type { Price, Ratio } from '../money/units.ts';

/** Maximum number of price exits of a position. */
export const MAX_PRICE_EXITS = 10;

/** Prices of a price exit: a stop-loss, a take-profit, or both, of which one cancels the other. 0 for none. */
export interface ExitPrices {
  readonly stopLoss: Price;
  readonly takeProfit: Price;
}

/** An exit of a position at prices that its owner has set. @see docs/exits.md#price-exits */
export interface PriceExit extends ExitPrices {
  /** Its number within its position, from 1. */
  readonly id: number;
  /** Share of the position that it exits, of what is held then. */
  readonly share: Ratio;
}

/** Returns whether the stop-loss of a price exit is reached at reference price `price`. */
export function reachesStopLoss({ stopLoss }: ExitPrices, direction: Direction, price: Price): boolean {
  return stopLoss > 0 && isAsGoodAs(direction, stopLoss, price);
}

/** Returns whether the take-profit of a price exit is reached at reference price `price`. */
export function reachesTakeProfit({ takeProfit }: ExitPrices, direction: Direction, price: Price): boolean {
  return takeProfit > 0 && isAsGoodAs(direction, price, takeProfit);
}

/** A position as far as its price exits are concerned. */
interface WithPriceExits {
  priceExits?: readonly PriceExit[];
  lastPriceExit?: number;
}

/** Adds price exits to a position, in place of those with the same numbers. */
export function putPriceExits(position: WithPriceExits, exits: readonly PriceExit[]): void {
  const ids = new Set(exits.map(({ id }) => id));
  const others = (position.priceExits ?? []).filter(({ id }) => !ids.has(id));
  position.priceExits = [...others, ...exits].toSorted((a, b) => a.id - b.id);
}

/** Removes price exits from a position, such as those that have triggered. */
export function removePriceExits(position: WithPriceExits, exits: readonly Pick<PriceExit, 'id'>[]): void {
  const ids = new Set(exits.map(({ id }) => id));
  const left = (position.priceExits ?? []).filter(({ id }) => !ids.has(id));
  if (left.length === 0) delete position.priceExits;
  else position.priceExits = left;
}

/** Adds a price exit to a position, with a number that none of it has had. */
export function addPriceExit(position: WithPriceExits, exit: Omit<PriceExit, 'id'>): void {
  const id = (position.lastPriceExit ?? 0) + 1;
  position.lastPriceExit = id;
  putPriceExits(position, [{ ...exit, id }]);
}
