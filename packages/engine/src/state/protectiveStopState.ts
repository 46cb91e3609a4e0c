import type { Quantity } from '../money/units.ts';

/** Spot: the orders of a plan sell the holding. The value is that of saved sessions and clients. */
export const PLAN_SELLS = 'ladder_sells';

/** Why a position has no protective stop. */
export const STOP_GAPS = [
  /** The exchange has no stop orders. */
  'venue',
  /** stop_sell is empty. */
  'no_row',
  /** Every level has triggered already. */
  'row_fired',
  'below_minimum',
  PLAN_SELLS,
  /** A working exit sells the quantity. */
  'exit_at_work',
  /** The stop follows once the working entry has filled further. */
  'entry_at_work',
  /** The price is beyond the trigger; the bot exits itself. */
  'price_beyond',
  /** The exchange rejected it; it is retried. */
  'refused',
  /** It was cancelled, not by the bot; a new one follows after a pause. */
  'cancelled',
  /** The exchange accepts no new order in the pair. */
  'suspended',
  /** The exchange accepts no request for a while. */
  'exchange_paused',
  /** The bot does not run. */
  'not_running',
] as const;

export type StopGap = (typeof STOP_GAPS)[number];

/** State of the protective stop of one position; plain data. */
export interface ProtectiveStopState {
  /** Id of the position. */
  position: number;
  /** Why there is none; null while there is one. */
  gap: StopGap | null;
  /** Time of the next try after a rejection or a cancel, ms. */
  tryAt: number;
  /** Number of rejections in a row. */
  tries: number;
  /** Time at which the stop grows by the fills of a working entry, ms; 0 for none. */
  growAt: number;
  /** Unprotected quantity beyond the maximum order size. */
  lacking: Quantity;
}
