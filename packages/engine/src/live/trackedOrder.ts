import type { Quantity } from '../money/units.ts';
import type { OrderEnd } from '../state/botEvents.ts';
import type { OrderRequest } from './orderRequest.ts';

/** An order of ours, from its decision until nothing more can come of it; plain data. */
export interface TrackedOrder extends OrderRequest {
  /** The exchange has told of it. Until then it may not exist. */
  known: boolean;
  /** Sum of its fills that are booked. */
  booked: Quantity;
  /** Filled in all, as far as the exchange has told: fills up to it have still to come. */
  reported: Quantity;
  /** It has ended, as the exchange told; it counts once its fills are booked. */
  end: OrderEnd | null;
  /** A cancel waits for the answer to the order itself, or is on its way. */
  cancel: 'none' | 'wanted' | 'sent';
  /** When its cancel was sent last, ms; 0 for never. */
  cancelAt: number;
  /** Since when the exchange says that it has no such order, ms; 0 while it does not. */
  absentSince: number;
  /** When to ask what has become of it, ms; 0 for never. */
  askAt: number;
  /** When to ask for the fills that are missing, ms; 0 for never. */
  fetchAt: number;
}

/** An order that is about to be sent. @param answerBy when an answer should have come, ms */
export function trackedOrder(ticket: OrderRequest, answerBy: number): TrackedOrder {
  return {
    ...ticket,
    known: false,
    booked: 0,
    reported: 0,
    end: null,
    cancel: 'none',
    cancelAt: 0,
    absentSince: 0,
    askAt: answerBy,
    fetchAt: 0,
  };
}
