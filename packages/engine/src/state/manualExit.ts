import type { PairState } from './botState.ts';
import type { ParentOrder } from './parentOrder.ts';

/**
 * Returns the exit that its owner alone has asked for, or null. One that an exit table or the kill switch has joined must be
 * sent as soon as it can be; one by hand is not sent minutes later at another price.
 */
export function manualExitOf({ exit, paused }: PairState): ParentOrder | null {
  return exit !== null && exit.reason === 'manual' && exit.rows.length === 0 && paused === null ? exit : null;
}
