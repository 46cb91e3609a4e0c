/** A trading pair: the rules of Binance and the parameters of its simulated market. */
export type Pair = {
  symbol: string;
  base: string;
  quote: 'USDT';
  /** Decimals of the price; tick size = 10^-priceDecimals. */
  priceDecimals: number;
  /** Decimals of the quantity; step size = 10^-quantityDecimals. */
  quantityDecimals: number;
  /** Highest price, in ticks. */
  maxTick: number;
  /** Maximum quantity of a limit order, in steps. */
  maxSteps: number;
  /** Maximum quantity of a market order, in steps. */
  maxMarketSteps: number;
  /** Minimum and maximum value of an order, in quote. */
  minNotional: number;
  maxNotional: number;
  /** Price at which a new market begins, and to which it reverts over weeks. */
  typicalPrice: number;
  /** Standard deviation of one minute's logarithmic return in quiet regimes. */
  volatility: number;
  /** Correlation with the common movement of all pairs, 0–1. */
  correlation: number;
  /** Usual distance of best ask and best bid, in ticks. */
  spreadTicks: number;
  /** Mean distance of simulated orders from the best price, as a fraction of the price. */
  depth: number;
  /** Number of simulated orders on each side. */
  levels: number;
  /** Mean number of market takers per second. */
  takersPerSecond: number;
  /** Mean value traded in a minute, in quote. */
  minuteTurnover: number;
};

type Shape = Omit<
  Pair,
  'symbol' | 'quote' | 'minNotional' | 'maxNotional' | 'maxTick' | 'maxSteps' | 'maxMarketSteps'
> & {
  maxPrice: number;
  maxQuantity: number;
  maxMarketQuantity: number;
};

function pair(shape: Shape): Pair {
  const { maxPrice, maxQuantity, maxMarketQuantity, ...rest } = shape;
  return {
    ...rest,
    symbol: `${shape.base}USDT`,
    quote: 'USDT',
    minNotional: 5,
    maxNotional: 9_000_000,
    maxTick: Math.round(maxPrice * 10 ** shape.priceDecimals),
    maxSteps: Math.round(maxQuantity * 10 ** shape.quantityDecimals),
    maxMarketSteps: Math.round(maxMarketQuantity * 10 ** shape.quantityDecimals),
  };
}

/** The pairs of the sandbox. Ticks, steps and minimums are Binance's; every tick × step is a whole number of 1e-8. */
export const PAIRS: readonly Pair[] = [
  pair({
    base: 'BTC',
    priceDecimals: 2,
    quantityDecimals: 5,
    maxPrice: 1_000_000,
    maxQuantity: 9000,
    maxMarketQuantity: 120,
    typicalPrice: 96_000,
    volatility: 0.00055,
    correlation: 0.9,
    spreadTicks: 1,
    depth: 0.0006,
    levels: 150,
    takersPerSecond: 3,
    minuteTurnover: 1_500_000,
  }),
  pair({
    base: 'ETH',
    priceDecimals: 2,
    quantityDecimals: 4,
    maxPrice: 1_000_000,
    maxQuantity: 9000,
    maxMarketQuantity: 2400,
    typicalPrice: 3_300,
    volatility: 0.0007,
    correlation: 0.85,
    spreadTicks: 1,
    depth: 0.0007,
    levels: 150,
    takersPerSecond: 2,
    minuteTurnover: 800_000,
  }),
  pair({
    base: 'SOL',
    priceDecimals: 2,
    quantityDecimals: 3,
    maxPrice: 10_000,
    maxQuantity: 90_000,
    maxMarketQuantity: 20_000,
    typicalPrice: 185,
    volatility: 0.001,
    correlation: 0.75,
    spreadTicks: 1,
    depth: 0.0016,
    levels: 120,
    takersPerSecond: 1.2,
    minuteTurnover: 300_000,
  }),
  pair({
    base: 'BNB',
    priceDecimals: 2,
    quantityDecimals: 3,
    maxPrice: 100_000,
    maxQuantity: 900_000,
    maxMarketQuantity: 4_000,
    typicalPrice: 640,
    volatility: 0.0006,
    correlation: 0.7,
    spreadTicks: 1,
    depth: 0.001,
    levels: 120,
    takersPerSecond: 0.8,
    minuteTurnover: 120_000,
  }),
  pair({
    base: 'XRP',
    priceDecimals: 4,
    quantityDecimals: 1,
    maxPrice: 10_000,
    maxQuantity: 9_222_449,
    maxMarketQuantity: 1_800_000,
    typicalPrice: 2.2,
    volatility: 0.001,
    correlation: 0.65,
    spreadTicks: 1,
    depth: 0.0018,
    levels: 110,
    takersPerSecond: 0.9,
    minuteTurnover: 250_000,
  }),
  pair({
    base: 'DOGE',
    priceDecimals: 5,
    quantityDecimals: 0,
    maxPrice: 1_000,
    maxQuantity: 90_000_000,
    maxMarketQuantity: 9_000_000,
    typicalPrice: 0.31,
    volatility: 0.0012,
    correlation: 0.7,
    spreadTicks: 1,
    depth: 0.0016,
    levels: 110,
    takersPerSecond: 0.8,
    minuteTurnover: 150_000,
  }),
  pair({
    base: 'ADA',
    priceDecimals: 4,
    quantityDecimals: 1,
    maxPrice: 1_000,
    maxQuantity: 900_000,
    maxMarketQuantity: 700_000,
    typicalPrice: 0.82,
    volatility: 0.0011,
    correlation: 0.7,
    spreadTicks: 1,
    depth: 0.0025,
    levels: 90,
    takersPerSecond: 0.5,
    minuteTurnover: 60_000,
  }),
  pair({
    base: 'LINK',
    priceDecimals: 2,
    quantityDecimals: 2,
    maxPrice: 10_000,
    maxQuantity: 90_000,
    maxMarketQuantity: 30_000,
    typicalPrice: 19.5,
    volatility: 0.0011,
    correlation: 0.7,
    spreadTicks: 1,
    depth: 0.004,
    levels: 70,
    takersPerSecond: 0.4,
    minuteTurnover: 40_000,
  }),
  pair({
    base: 'LTC',
    priceDecimals: 2,
    quantityDecimals: 3,
    maxPrice: 100_000,
    maxQuantity: 90_000,
    maxMarketQuantity: 6_000,
    typicalPrice: 98,
    volatility: 0.0009,
    correlation: 0.7,
    spreadTicks: 1,
    depth: 0.002,
    levels: 80,
    takersPerSecond: 0.4,
    minuteTurnover: 35_000,
  }),
  pair({
    base: 'AVAX',
    priceDecimals: 2,
    quantityDecimals: 2,
    maxPrice: 10_000,
    maxQuantity: 90_000,
    maxMarketQuantity: 20_000,
    typicalPrice: 36,
    volatility: 0.0012,
    correlation: 0.7,
    spreadTicks: 1,
    depth: 0.003,
    levels: 80,
    takersPerSecond: 0.4,
    minuteTurnover: 40_000,
  }),
];

/** Returns the decimals of tick × step. */
export function notionalDecimals(pair: Pair): number {
  return pair.priceDecimals + pair.quantityDecimals;
}
