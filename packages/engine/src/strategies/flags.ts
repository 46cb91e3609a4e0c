import type { Direction } from '../market/direction.ts';

/**
 * The four flags of a signal, as bits of one small integer, which is fast to write and read for every candle.
 *
 * @see docs/strategies.md#what-a-strategy-is
 */
export const ENTER_LONG = 1;
export const EXIT_LONG = 2;
export const ENTER_SHORT = 4;
export const EXIT_SHORT = 8;
/** Marks a shorter replayed candle at whose close no candle of the strategy closes. It is not a flag. */
export const NO_CANDLE = 16;

/** Bit of each flag, by its name in documents. */
export const FLAG_BITS = {
  enterLong: ENTER_LONG,
  exitLong: EXIT_LONG,
  enterShort: ENTER_SHORT,
  exitShort: EXIT_SHORT,
} as const;

/** Returns the four flags as bits. */
export function flagsOf(enterLong: boolean, exitLong: boolean, enterShort: boolean, exitShort: boolean): number {
  return (
    (enterLong ? ENTER_LONG : 0) |
    (exitLong ? EXIT_LONG : 0) |
    (enterShort ? ENTER_SHORT : 0) |
    (exitShort ? EXIT_SHORT : 0)
  );
}

/** Returns the flags of a symmetric rule: BUY is enterLong and exitShort, SELL the reverse. @see docs/strategies.md#notation */
export function bothFlags(buy: boolean, sell: boolean): number {
  return (buy ? ENTER_LONG | EXIT_SHORT : 0) | (sell ? EXIT_LONG | ENTER_SHORT : 0);
}

/** Returns the flag that enters `direction`. */
export function enterFlag(direction: Direction): number {
  return direction === 1 ? ENTER_LONG : ENTER_SHORT;
}

/** Returns the flag that exits `direction`. */
export function exitFlag(direction: Direction): number {
  return direction === 1 ? EXIT_LONG : EXIT_SHORT;
}

/**
 * Returns the direction that a flat pair enters: 0 when the enter flags of both sides, or both flags of one side, are set.
 *
 * @param longs whether long entries are allowed; @param shorts whether short entries are allowed
 * @see docs/strategies.md#from-flags-to-orders
 */
export function entryDirection(flags: number, longs: boolean, shorts: boolean): Direction | 0 {
  const enters = flags & (ENTER_LONG | ENTER_SHORT);
  if (enters === ENTER_LONG) return longs && (flags & EXIT_LONG) === 0 ? 1 : 0;
  if (enters === ENTER_SHORT) return shorts && (flags & EXIT_SHORT) === 0 ? -1 : 0;
  return 0;
}
