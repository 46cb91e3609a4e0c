import type { PairState } from '../state/botState.ts';
import { upgradeStrategyState } from './upgradeStrategyState.ts';

/**
 * Version of a saved session, on paper and live. It is raised when a field that was there before changes its shape or its
 * meaning, together with an upgrade step; a field that is only new needs neither.
 */
export const STATE_VERSION = 4;

/** A session saved by a newer version of this program. Nothing of it is read; run the bot with the newer program. */
export class SessionTooNew extends Error {
  /** Version of the saved session. */
  readonly version: number;

  constructor(version: number) {
    super(
      `the bot was saved by a newer program: version ${version} of its state, here up to ${STATE_VERSION} is known`,
    );
    this.name = 'SessionTooNew';
    this.version = version;
  }
}

/** First version of paper and live sessions in which the sums of indicators are whole units. */
export const SUMS_IN_UNITS = 3;

/** Upgrades the saved states of strategies. @param saved pairs of a version before {@link SUMS_IN_UNITS} */
export function upgradeStrategies(fresh: readonly Strategic[], saved: readonly Strategic[]): void {
  for (const [index, pair] of saved.entries()) {
    pair.strategyState = upgradeStrategyState(fresh[index]?.strategyState, pair.strategyState);
  }
}

type Strategic = Pick<PairState, 'strategyState'>;
