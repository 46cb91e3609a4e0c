import type { Direction } from '../market/direction.ts';
import type { ExitSignal } from '../state/exitSignal.ts';

/** Fields of a pair before version 4, in place of `exitSignal`. Early versions lack some of them. */
interface ExitFlags {
  /** The loss guard holds back an exit by signal. */
  readonly pendingExit?: boolean;
  /** Direction to enter once the exit is completely filled; 0 for none. */
  readonly reverse?: Direction | 0;
  /** An exit signal could not act yet. */
  readonly lateExit?: boolean;
  /** The next exit by signal exits the whole position. */
  readonly exitsAll?: boolean;
}

/** Exit signal of version 4. `held_late` is held back while another one is late; `whole` alone kept the scope of a dropped reversal. */
export type ExitSignal4 =
  | {
      readonly kind: 'held' | 'late' | 'held_late';
      readonly whole: boolean;
      readonly enter: Direction | 0;
    }
  | { readonly kind: 'reversal'; readonly whole: boolean; readonly enter: Direction }
  | { readonly kind: 'whole' };

/** Returns a saved pair with the exit signal of version 4 in place of its four flags. */
export function withExitSignal4(pair: object): { exitSignal: ExitSignal4 | null } {
  const { pendingExit, reverse, lateExit, exitsAll, ...rest } = pair as ExitFlags;
  return { ...rest, exitSignal: exitSignal4(pendingExit, lateExit, exitsAll, reverse) };
}

function exitSignal4(
  held: ExitFlags['pendingExit'] = false,
  late: ExitFlags['lateExit'] = false,
  whole: ExitFlags['exitsAll'] = false,
  enter: ExitFlags['reverse'] = 0,
): ExitSignal4 | null {
  if (held || late) return { kind: !late ? 'held' : held ? 'held_late' : 'late', whole, enter };
  if (enter !== 0) return { kind: 'reversal', whole, enter };
  return whole ? { kind: 'whole' } : null;
}

/**
 * Returns the signal of version 5. A late exit is tried again, and held back again where the guard still does. The scope of a
 * reversal that was dropped is no longer kept: the next exit keeps to `sell_pct`.
 *
 * @see docs/exits.md#exits-by-signal
 */
export function exitSignal5(signal: ExitSignal4 | null): ExitSignal | null {
  if (signal === null || signal.kind === 'whole') return null;
  const { kind, enter } = signal;
  if (kind === 'reversal') return { kind, enter: signal.enter };
  const whole = signal.whole || enter !== 0;
  return kind === 'held' ? { kind, whole } : { kind: 'waiting', whole, enter };
}
