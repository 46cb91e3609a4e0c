import type { CandleColumns } from '@heron/engine/market/candle.ts';

/** Numbers with more decimals than this were not written by an exchange; looking for more would only take time. */
const MAX_DECIMALS = 15;

/**
 * Most decimals of any price: the grid that the candles were recorded on. A price has d decimals when it is the number
 * nearest to a whole multiple of 10^−d.
 */
export function priceDecimalsOf({ open, high, low, close }: CandleColumns): number {
  let decimals = 0;
  for (const prices of [open, high, low, close]) decimals = decimalsOf(prices, decimals);
  return decimals;
}

function decimalsOf(prices: Float64Array, least: number): number {
  let decimals = least;
  let power = 10 ** decimals;
  for (let i = 0; i < prices.length && decimals < MAX_DECIMALS; i++) {
    const price = prices[i] as number;
    while (decimals < MAX_DECIMALS && Math.round(price * power) / power !== price) {
      decimals += 1;
      power = 10 ** decimals;
    }
  }
  return decimals;
}
