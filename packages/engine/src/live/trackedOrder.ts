import type { Quantity } from '../money/units.ts';
import type { OrderEnd } from '../state/botEvents.ts';
import type { OrderRequest } from './orderRequest.ts';

/** An order of the bot from its decision until it is finished; plain data. */
export interface TrackedOrder extends OrderRequest {
  /** The exchange confirmed the order. It may not exist before. */
  known: boolean;
  /** Sum of its fills that are booked. */
  booked: Quantity;
  /** Total filled as reported by the exchange; fills up to it may still be missing. */
  reported: Quantity;
  /** How the order ended by the report; it counts once all fills are booked. */
  end: OrderEnd | null;
  /** A cancel waits for the reply to the order itself, or is sent. */
  cancel: 'none' | 'wanted' | 'sent';
  /** When its cancel was sent last, ms; 0 for never. */
  cancelAt: number;
  /** Time of the first reply "no such order", ms; 0 for none. */
  absentSince: number;
  /** When to query the order, ms; 0 for never. */
  askAt: number;
  /** When to query the missing fills, ms; 0 for never. */
  fetchAt: number;
}

/** Tracks an order that is about to be sent. @param answerBy time at which a reply is due, ms */
export function trackedOrder(request: OrderRequest, answerBy: number): TrackedOrder {
  return {
    ...request,
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
