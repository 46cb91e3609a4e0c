import { PAIRS, type Pair } from '../../market/pairs.ts';

/** One leverage bracket of a contract. Money in whole USDT, ratios in parts per 100,000. */
export type Bracket = {
  bracket: number;
  initialLeverage: number;
  notionalFloor: number;
  notionalCap: number;
  /** Maintenance margin ratio, parts per 100,000. */
  ratio: number;
  /** The amount that makes brackets continuous: maintenance = notional × ratio − cum. */
  cum: number;
};

/** A perpetual contract in USDT: a pair with margin rules. */
export type Contract = Pair & {
  brackets: readonly Bracket[];
  /** Decimals that a price may have. On Binance the tick may be coarser than the last of them. */
  pricePrecision: number;
  /** A limit price may be this far above or below the mark price, parts per 10,000. */
  priceBand: number;
  /** Liquidation fee for the insurance fund, parts per 1,000,000 of the value closed. */
  clearanceFee: number;
};

/** Ratios are counted in these parts of one. */
export const RATIO_SCALE = 100_000;

/** Caps, ratios and leverages of Bitcoin (docs/margin.md#leverage-brackets). */
const BITCOIN_BRACKETS = [
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
 * Returns the brackets of a contract.
 *
 * @param scale caps are those of Bitcoin divided by this
 * @param skip number of lowest brackets left out, so that smaller coins need more margin
 */
function bracketsOf(scale: number, skip: number): Bracket[] {
  const brackets: Bracket[] = [];
  let floor = 0;
  for (const [cap, ratio, leverage] of BITCOIN_BRACKETS.slice(skip)) {
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

/** The contracts of the sandbox: the same coins as spot, with the tick and step sizes of Binance. */
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
      brackets: bracketsOf(scale, skip),
      pricePrecision: Math.max(price, 2),
      priceBand: 500,
      clearanceFee: 12_500,
    },
  ];
});
