import { RejectedByVenue } from '../venue.ts';

export type FuturesRejection =
  | 'position-side'
  | 'reduce-only'
  | 'duplicate-client-id'
  | 'would-match'
  | 'not-fillable'
  | 'no-liquidity'
  | 'insufficient-margin'
  | 'most-position'
  | 'unknown-order'
  | 'not-changed'
  | 'only-limit'
  | 'same-margin-type'
  | 'same-position-mode'
  | 'open-orders'
  | 'open-position'
  | 'leverage-of-isolated'
  | 'leverage-too-high'
  | 'not-isolated'
  | 'isolated-margin'
  | 'would-trigger'
  | 'closing-exists'
  | 'needs-position'
  | 'market-closed';

/** The market or the account rejects a request; nothing has changed. */
export class FuturesRejected extends RejectedByVenue {
  readonly reason: FuturesRejection;

  constructor(reason: FuturesRejection) {
    super(reason);
    this.reason = reason;
  }
}
