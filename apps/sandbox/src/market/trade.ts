/** A public trade. Price in ticks, quantity in steps. */
export type Trade = {
  id: number;
  /** Trades of one taker at one price share this id. */
  aggregateId: number;
  tick: number;
  quantity: number;
  /** Epoch milliseconds. */
  time: number;
  buyerOrderId: number;
  sellerOrderId: number;
  buyerIsMaker: boolean;
};
