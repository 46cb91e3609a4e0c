import type { Price, Quantity } from '../money/units.ts';
import type { LiveOrder, Trigger } from '../state/parentOrder.ts';

/**
 * The exchange refuses a request that arrives later than this after its decision. A request that a crash, a frozen process
 * or a full socket delays is thus harmless.
 */
export const ORDER_LIFETIME_MS = 5_000;

/** Kind of the order. Some exchanges query and cancel stops by requests of their own. */
export type OrderKind = 'plain' | 'stop';

/** An order as the journal records it before it is sent. */
export interface OrderRequest {
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  readonly type: LiveOrder['type'];
  /** 0 for orders at market. */
  readonly price: Price;
  /** Only on stops. */
  readonly trigger?: Trigger;
  readonly quantity: Quantity;
  /** The order only reduces a position; required on futures. */
  readonly exit: boolean;
  /**
   * Futures: settings that the contract needs before an entry from flat.
   *
   * @see docs/entries.md#leverage-and-margin-mode
   */
  readonly margin?: { readonly leverage: number; readonly isolated: boolean };
  /** Futures: the order opens a position, or reduces one of the other side that exists when it fills. */
  readonly nets?: true;
  /** ms since 1970; the request carries this time, not that of its sending. */
  readonly decidedAt: number;
}

/** An order as it is sent, with the unit of its quantity, so that bot and exchange adapter cannot mean different amounts. */
export interface SizedOrderRequest extends OrderRequest {
  /** Decimals of a unit of `quantity`. */
  readonly assetDecimals: number;
}

export function orderKind({ trigger }: Pick<OrderRequest, 'trigger'>): OrderKind {
  return trigger === undefined ? 'plain' : 'stop';
}
