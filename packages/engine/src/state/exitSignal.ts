import type { Direction } from '../market/direction.ts';

/**
 * An exit signal of the strategy that has not acted completely.
 *
 * @see docs/exits.md#exits-by-signal, docs/entries.md#reversals
 */
export type ExitSignal = WaitingExit | HeldExit | PendingReversal;

/**
 * The exit has not been tried. It acts at once, or with the first quote after downtime, or at the end of the order of an entry that
 * is being cancelled.
 */
interface WaitingExit {
  readonly kind: 'waiting';
  /** The exit is that of the whole position regardless of `sell_pct`, as the first half of a reversal is. */
  readonly whole: boolean;
  /** Direction to enter after the exit, which then is whole; 0 for none. */
  readonly enter: Direction | 0;
}

/** The loss guard holds the exit back, and each candle retries it. The entry of a reversal is dropped. */
interface HeldExit {
  readonly kind: 'held';
  /** As in {@link WaitingExit}. */
  readonly whole: boolean;
}

/** The exit has begun or was not needed. The other side is entered once no order works. */
interface PendingReversal {
  readonly kind: 'reversal';
  readonly enter: Direction;
}

type Pending = ExitSignal | null;

/** Returns whether the loss guard holds an exit back, which each candle retries. */
export function isHeldBack(signal: Pending): boolean {
  return signal?.kind === 'held';
}

/** Returns whether an exit waits for the next quote, or for the end of an entry's order. */
export function isWaiting(signal: Pending): boolean {
  return signal?.kind === 'waiting';
}

/** Returns whether the exit is that of the whole position regardless of `sell_pct`. */
export function exitsWhole(signal: Pending): boolean {
  return signal !== null && signal.kind !== 'reversal' && signal.whole;
}

/** Returns the direction to enter now that the exit has begun or was not needed; 0 for none. */
export function reversesTo(signal: Pending): Direction | 0 {
  return signal?.kind === 'reversal' ? signal.enter : 0;
}

/**
 * Returns the signal after a candle that exits the position or the working entry.
 *
 * @param enter the other side for a reversal; 0 for an exit alone, which drops the entry of an earlier reversal
 */
export function signalExit(signal: Pending, enter: Direction | 0): ExitSignal {
  return { kind: 'waiting', whole: enter !== 0 || exitsWhole(signal), enter };
}

/**
 * Returns the signal after a missed candle that exits. No entry follows from it; that of an earlier reversal stays.
 *
 * @param reverses the candle would have entered the other side
 */
export function missExit(signal: Pending, reverses: boolean): ExitSignal {
  const enter = signal?.kind === 'waiting' ? signal.enter : reversesTo(signal);
  return { kind: 'waiting', whole: reverses || enter !== 0 || exitsWhole(signal), enter };
}

/** Returns the signal after the loss guard has held an exit back. It is retried with the same scope. */
export function holdBack(signal: Pending): ExitSignal {
  return { kind: 'held', whole: exitsWhole(signal) };
}

/** Returns the signal after an exit has begun or is not needed: only the entry of a reversal stays. */
export function afterExit(signal: Pending): Pending {
  if (signal === null || signal.kind === 'reversal') return signal;
  return signal.kind === 'held' || signal.enter === 0 ? null : { kind: 'reversal', enter: signal.enter };
}

/** Returns the signal when an exit could not begin: it is tried again with the same scope. */
export function waitAgain(signal: Pending): ExitSignal {
  return { kind: 'waiting', whole: exitsWhole(signal), enter: signal?.kind === 'waiting' ? signal.enter : 0 };
}

/** Returns the signal after an exit was cancelled or the exchange has liquidated: only an exit that was not tried stays. */
export function cancelExit(signal: Pending): Pending {
  return signal?.kind === 'waiting' ? { ...signal, enter: 0 } : null;
}

/** Returns the signal without the exit that the loss guard holds back. */
export function dropHeldExit(signal: Pending): Pending {
  return isHeldBack(signal) ? null : signal;
}

/** Returns the signal without the entry of the other side. The exit keeps its scope. */
export function dropReversal(signal: Pending): Pending {
  return isHeldBack(signal) ? signal : cancelExit(signal);
}
