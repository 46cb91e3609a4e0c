import { z } from 'zod';
import { decimal, order, refusal, side } from './entities.ts';

/** Result that a manual order would have now. Amounts are estimates at the newest quote. @see docs/orders.md#order-preview */
export const orderPreview = z.object({
  /** Side at the exchange: an entry of a short sells. */
  side,
  direction: z.enum(['long', 'short']),
  /** Null on spot. */
  leverage: z.number().nullable(),
  marginMode: z.enum(['isolated', 'cross']).nullable(),
  /** Entries: what the order may cost at most, in the quote currency; on futures margin and fee. Null for exits. */
  available: decimal.nullable(),
  /** Quantity that this buys; of an exit the position. Null without a price. */
  availableQuantity: decimal.nullable(),
  /** Entries: the least that an order may cost. */
  minimum: decimal.nullable(),
  minimumQuantity: decimal.nullable(),
  /** Why the order would be refused, in the language of the caller; null while it would not. */
  refused: z.object({ gate: refusal, reason: z.string() }).nullable(),
  /** Null when the order would be refused, and without an amount. */
  estimate: z
    .object({
      type: order.shape.type,
      /** Worst price of the first child order; null for an order at market. */
      limitPrice: decimal.nullable(),
      /** Average price; null when nothing would be filled. */
      price: decimal.nullable(),
      quantity: decimal,
      /** Order value in the quote currency. */
      value: decimal,
      /** Futures entries: margin of the order. */
      margin: decimal.nullable(),
      fee: decimal,
      feeAsset: z.string(),
      feeQuote: decimal,
      /** Entries: value and fee; on futures margin and fee. */
      cost: decimal.nullable(),
      /** Exits: net result. */
      realised: decimal.nullable(),
      /** Futures entries: liquidation price of the position afterwards; null for none. */
      liquidationPrice: decimal.nullable(),
      /** Entries: the nearest stop-loss of the position afterwards; null for none. */
      stopLossPrice: decimal.nullable(),
    })
    .nullable(),
});
