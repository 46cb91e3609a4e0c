import type { Direction } from '../market/direction.ts';

/**
 * An exit signal of the strategy that has not acted completely. `whole`: the next exit by signal exits the whole position, as the
 * first half of a reversal does. `enter`: the direction to enter once the exit is completely filled, or the other side's entry
 * cancelled; 0 for none.
 *
 * @see docs/exits.md#exits-by-signal, docs/entries.md#reversals
 */
export type ExitSignal = WaitingExit | PendingReversal | WholeExit;

/** An exit that has not begun. */
interface WaitingExit {
  /**
   * - `held`: the loss guard holds the exit back, and each candle retries it.
   * - `late`: the signal could not act yet, because the bot was away or an entry was being cancelled. The next quote or the end of
   *   that entry's order begins the exit.
   * - `held_late`: another signal is late while the loss guard holds the exit back. Candles, quotes and order events retry it.
   */
  readonly kind: 'held' | 'late' | 'held_late';
  readonly whole: boolean;
  readonly enter: Direction | 0;
}

/** No exit waits. The other side is entered once no order works. */
interface PendingReversal {
  readonly kind: 'reversal';
  readonly whole: boolean;
  readonly enter: Direction;
}

/** Nothing waits, but a reversal was dropped before its exit began or ended. */
interface WholeExit {
  readonly kind: 'whole';
}

type Pending = ExitSignal | null;

/** Returns whether the loss guard holds an exit back, which each candle retries. */
export function isHeldBack(signal: Pending): boolean {
  return signal !== null && (signal.kind === 'held' || signal.kind === 'held_late');
}

/** Returns whether an exit waits for the next quote, or for the end of an entry's order. */
export function isLate(signal: Pending): boolean {
  return signal !== null && (signal.kind === 'late' || signal.kind === 'held_late');
}

/** Returns whether the next exit by signal exits the whole position regardless of `sell_pct`. */
export function exitsWhole(signal: Pending): boolean {
  return signal !== null && (signal.kind === 'whole' || signal.whole);
}

/** Returns the direction to enter after the exit; 0 for none. */
export function directionAfter(signal: Pending): Direction | 0 {
  return signal === null || signal.kind === 'whole' ? 0 : signal.enter;
}

/**
 * Returns the signal after a candle that exits the position or the working entry.
 *
 * @param enter the other side for a reversal; 0 for an exit alone, which drops the entry of an earlier reversal
 */
export function signalExit(signal: Pending, enter: Direction | 0): Pending {
  const whole = enter !== 0 || exitsWhole(signal);
  return isWaiting(signal) ? { kind: signal.kind, whole, enter } : withoutExit(whole, enter);
}

/** Returns the signal after an exit that cannot act yet. @param whole the exit is the first half of a reversal */
export function delayExit(signal: Pending, whole: boolean): ExitSignal {
  const kind = isHeldBack(signal) ? 'held_late' : 'late';
  return { kind, whole: whole || exitsWhole(signal), enter: directionAfter(signal) };
}

/** Returns the signal when the exit is tried: it is not late any more. */
export function tryExit(signal: Pending): Pending {
  if (!isWaiting(signal) || signal.kind === 'held') return signal;
  return signal.kind === 'late' ? withoutExit(signal.whole, signal.enter) : { ...signal, kind: 'held' };
}

/** Returns the signal when the exit is tried without a position, because the cancelled entry filled nothing. */
export function tryExitWhenFlat(signal: Pending): Pending {
  return isHeldBack(signal)
    ? { kind: 'held', whole: false, enter: directionAfter(signal) }
    : withoutExit(false, directionAfter(signal));
}

/**
 * Returns the signal after the loss guard has held an exit back. The exit is retried with the same scope; the entry of a reversal
 * is dropped.
 *
 * @param whole the exit is that of the whole position
 * @see docs/exits.md#exits-by-signal
 */
export function holdBack(signal: Pending, whole: boolean): ExitSignal {
  return { kind: isLate(signal) ? 'held_late' : 'held', whole, enter: 0 };
}

/** Returns the signal after an exit has begun or was cancelled. A late signal and the entry of a reversal stay. */
export function settleExit(signal: Pending): Pending {
  return isLate(signal)
    ? { kind: 'late', whole: false, enter: directionAfter(signal) }
    : withoutExit(false, directionAfter(signal));
}

/** Returns the signal without the exit that the loss guard holds back. Its scope stays. */
export function dropHeldExit(signal: Pending): Pending {
  if (!isWaiting(signal) || signal.kind === 'late') return signal;
  return signal.kind === 'held' ? withoutExit(signal.whole, signal.enter) : { ...signal, kind: 'late' };
}

/** Returns the signal without the entry of the other side. The scope of the exit stays. */
export function dropReversal(signal: Pending): Pending {
  return isWaiting(signal) ? { ...signal, enter: 0 } : withoutExit(exitsWhole(signal), 0);
}

/** Returns the signal after a halt, which drops the exit and the entry. The scope of the next exit stays. */
export function haltExit(signal: Pending): Pending {
  return withoutExit(exitsWhole(signal), 0);
}

/** Returns the signal after the position is closed: only the entry of a reversal stays. */
export function closeExit(signal: Pending): Pending {
  return withoutExit(false, directionAfter(signal));
}

function isWaiting(signal: Pending): signal is WaitingExit {
  return signal !== null && signal.kind !== 'reversal' && signal.kind !== 'whole';
}

/** Returns what is pending when no exit waits. */
function withoutExit(whole: boolean, enter: Direction | 0): Pending {
  if (enter !== 0) return { kind: 'reversal', whole, enter };
  return whole ? { kind: 'whole' } : null;
}
