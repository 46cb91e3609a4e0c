/** A public trade. Price in ticks, quantity in steps. */
export type Trade = {
  id: number;
  /** trades of one taker at one price share it */
  aggregateId: number;
  tick: number;
  quantity: number;
  /** epoch milliseconds */
  time: number;
  buyerOrderId: number;
  sellerOrderId: number;
  buyerIsMaker: boolean;
};
