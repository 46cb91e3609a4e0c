import type { PairState } from './botState.ts';
import { comesFromLevel, type ParentOrder } from './parentOrder.ts';

/**
 * Returns the working exit if it is purely manual, or null. A manual exit is not sent minutes later at another price; one that
 * an exit table or the kill switch joined is sent as soon as possible.
 */
export function manualExitOf({ exit, paused }: PairState): ParentOrder | null {
  return exit !== null && exit.reason === 'manual' && !comesFromLevel(exit) && paused === null ? exit : null;
}
