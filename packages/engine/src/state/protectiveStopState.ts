import type { Quantity } from '../money/units.ts';

/** Why nothing protects a position at the exchange. */
export const STOP_GAPS = [
  /** The exchange has no stop orders. */
  'venue',
  /** stop_sell is empty. */
  'no_row',
  /** The outermost row has sold its part. */
  'row_fired',
  'below_minimum',
  /** Spot: the orders of a ladder offer what is held. */
  'ladder_sells',
  /** An exit is selling it. */
  'exit_at_work',
  /** A moment later, when the entry that is at work has brought in more. */
  'entry_at_work',
  /** The price is beyond it: the bot sells by itself. */
  'price_beyond',
  /** The exchange has refused it; it is tried again. */
  'refused',
  /** It was cancelled, not by the bot; a moment later there is another. */
  'cancelled',
  /** The exchange takes no new order in the pair. */
  'suspended',
  /** The exchange wants no request for a while. */
  'exchange_paused',
  /** The bot does not run, or has not begun to. */
  'not_running',
] as const;

export type StopGap = (typeof STOP_GAPS)[number];

/** How it stands with the stop of one position; plain data. */
export interface ProtectiveStopState {
  /** Id of the position. */
  position: number;
  /** Why there is none; null while there is one. */
  gap: StopGap | null;
  /** Refused or cancelled: when there is to be another, ms. */
  tryAt: number;
  /** Refusals in a row. */
  tries: number;
  /** When what a working entry has brought in is added, ms; 0 for nothing to add. */
  growAt: number;
  /** What the stop does not protect, since the exchange takes no larger order. */
  lacking: Quantity;
}
