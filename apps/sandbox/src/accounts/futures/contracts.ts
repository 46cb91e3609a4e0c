import { PAIRS, type Pair } from '../../market/pairs.ts';

/** One step of a contract's margin ladder. Money in whole USDT, ratios in parts per 100,000. */
export type Bracket = {
  bracket: number;
  initialLeverage: number;
  notionalFloor: number;
  notionalCap: number;
  /** maintenance margin ratio, parts per 100,000 */
  ratio: number;
  /** what the ladder below makes cheaper: maintenance = notional × ratio − cum */
  cum: number;
};

/** A perpetual contract in USDT: a pair, and what margin it takes. */
export type Contract = Pair & {
  brackets: readonly Bracket[];
  /** decimals within which a price may be written; the tick may be coarser than their last digit only on Binance */
  pricePrecision: number;
  /** a limit price may be this fraction above or below the mark price, parts per 10,000 */
  priceBand: number;
  /** fee of a forced closing that goes to the insurance fund, parts per 1,000,000 of the value closed */
  clearanceFee: number;
};

/** Parts per 100,000 in one. */
export const RATIO_SCALE = 100_000;

/** Caps, ratios and leverages of Bitcoin's ladder (docs/margin.md#leverage-brackets). */
const LADDER = [
  [50_000, 400, 125],
  [250_000, 500, 100],
  [1_000_000, 1_000, 50],
  [10_000_000, 2_500, 20],
  [20_000_000, 5_000, 10],
  [50_000_000, 10_000, 5],
  [100_000_000, 12_500, 4],
  [200_000_000, 15_000, 3],
  [300_000_000, 25_000, 2],
  [500_000_000, 50_000, 1],
] as const;

/**
 * A contract's ladder.
 *
 * @param scale caps are Bitcoin's, divided by this
 * @param skip lowest levels left out, so that smaller coins take more margin
 */
function ladder(scale: number, skip: number): Bracket[] {
  const brackets: Bracket[] = [];
  let floor = 0;
  for (const [cap, ratio, leverage] of LADDER.slice(skip)) {
    const last = brackets.at(-1);
    const cum = last ? last.cum + (floor * (ratio - last.ratio)) / RATIO_SCALE : 0;
    const notionalCap = cap / scale;
    brackets.push({
      bracket: brackets.length + 1,
      initialLeverage: leverage,
      notionalFloor: floor,
      notionalCap,
      ratio,
      cum,
    });
    floor = notionalCap;
  }
  return brackets;
}

/** Ticks, steps and minimums of Binance's contracts, by base asset. */
const SHAPES: {
  [base: string]: { price: number; quantity: number; minNotional: number; scale: number; skip: number };
} = {
  BTC: { price: 1, quantity: 3, minNotional: 100, scale: 1, skip: 0 },
  ETH: { price: 2, quantity: 3, minNotional: 20, scale: 1, skip: 0 },
  SOL: { price: 2, quantity: 2, minNotional: 5, scale: 10, skip: 1 },
  BNB: { price: 2, quantity: 2, minNotional: 5, scale: 10, skip: 1 },
  XRP: { price: 4, quantity: 1, minNotional: 5, scale: 10, skip: 1 },
  DOGE: { price: 5, quantity: 0, minNotional: 5, scale: 10, skip: 1 },
  ADA: { price: 4, quantity: 0, minNotional: 5, scale: 10, skip: 1 },
  LINK: { price: 3, quantity: 2, minNotional: 5, scale: 10, skip: 2 },
  LTC: { price: 2, quantity: 3, minNotional: 5, scale: 10, skip: 2 },
  AVAX: { price: 3, quantity: 0, minNotional: 5, scale: 10, skip: 2 },
};

/** The contracts of the sandbox: the same coins as spot, in contracts as Binance cuts them. */
export const CONTRACTS: readonly Contract[] = PAIRS.flatMap((pair) => {
  const shape = SHAPES[pair.base];
  if (!shape) return [];
  const { price, quantity, minNotional, scale, skip } = shape;
  const rescale = (count: number, from: number, to: number) => Math.max(1, Math.round(count * 10 ** (to - from)));
  return [
    {
      ...pair,
      priceDecimals: price,
      quantityDecimals: quantity,
      maxTick: rescale(pair.maxTick, pair.priceDecimals, price),
      maxSteps: rescale(pair.maxSteps, pair.quantityDecimals, quantity),
      maxMarketSteps: rescale(pair.maxMarketSteps, pair.quantityDecimals, quantity),
      spreadTicks: rescale(pair.spreadTicks, pair.priceDecimals, price),
      minNotional,
      brackets: ladder(scale, skip),
      pricePrecision: Math.max(price, 2),
      priceBand: 500,
      clearanceFee: 12_500,
    },
  ];
});
