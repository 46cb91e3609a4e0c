/** The 24h volume that the exchange reported last, and whether it is too low for entries. */
export interface TradedVolume {
  /** When the exchange reported it, ms. */
  at: number;
  /** In whole units of the quote currency. */
  value: number;
  /** The pair may not enter until its volume has recovered. */
  low: boolean;
}
