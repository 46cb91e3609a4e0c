import type { Price, Quantity } from '../money/units.ts';
import type { LiveOrder, Trigger } from '../state/parentOrder.ts';

/**
 * A request that reaches the exchange later than this after it was decided is refused by the exchange itself: whatever
 * delays it, a crash, a frozen process, a full socket, it can do nothing any more.
 */
export const ORDER_LIFETIME_MS = 5_000;

/** Exchanges may keep stops apart from other orders: who asks for one or cancels it says which it is. */
export type OrderKind = 'plain' | 'stop';

/** An order as it is journalled before it is sent. */
export interface OrderRequest {
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  readonly type: LiveOrder['type'];
  /** 0 for orders at market. */
  readonly price: Price;
  /** Of stops only. */
  readonly trigger?: Trigger;
  readonly quantity: Quantity;
  /** Only reduces what is held; futures must be told. */
  readonly exit: boolean;
  /**
   * Futures: how the contract must be set up before a flat pair is entered.
   *
   * @see docs/entries.md#leverage-and-margin-mode
   */
  readonly margin?: { readonly leverage: number; readonly isolated: boolean };
  /** Futures: it opens a position, or reduces one of the other side, whichever there is when it is filled. */
  readonly nets?: true;
  /** ms since 1970; the request carries this time, not that of its sending. */
  readonly decidedAt: number;
}

export function orderKind({ trigger }: Pick<OrderRequest, 'trigger'>): OrderKind {
  return trigger === undefined ? 'plain' : 'stop';
}
