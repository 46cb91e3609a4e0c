import type { Direction } from '../market/direction.ts';
import type { PairState } from '../state/botState.ts';
import type { ExitSignal } from '../state/exitSignal.ts';

/** First version of paper and live sessions with `exitSignal` in place of {@link ExitFlags}. */
export const EXIT_SIGNAL = 4;

/** Fields of a pair before version 4. Early versions lack some of them. */
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

/**
 * Upgrades the pending exits of pairs from a version before {@link EXIT_SIGNAL}.
 *
 * @param fresh bot with the same pairs, whose fields are in the order of this version
 * @param saved bot as JSON gave it; its pairs are replaced
 */
export function upgradeExitSignals(fresh: { pairs: readonly PairState[] }, saved: { pairs: object[] }): void {
  saved.pairs = saved.pairs.map((pair, index) => {
    const { pendingExit, reverse, lateExit, exitsAll, ...rest } = pair as ExitFlags;
    const exitSignal = exitSignalOf(pendingExit, lateExit, exitsAll, reverse);
    // One field replaces the four flags; the others stay as they were.
    return { ...fresh.pairs[index], ...rest, exitSignal };
  });
}

function exitSignalOf(
  held: ExitFlags['pendingExit'] = false,
  late: ExitFlags['lateExit'] = false,
  whole: ExitFlags['exitsAll'] = false,
  enter: ExitFlags['reverse'] = 0,
): ExitSignal | null {
  if (held || late) return { kind: !late ? 'held' : held ? 'held_late' : 'late', whole, enter };
  if (enter !== 0) return { kind: 'reversal', whole, enter };
  return whole ? { kind: 'whole' } : null;
}
