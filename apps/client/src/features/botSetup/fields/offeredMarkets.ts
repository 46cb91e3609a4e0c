import type { MarketView } from '@heron/contract/bots/entities.ts';

export const MARKET_ORDERS = ['volume', 'change', 'name'] as const;
export type MarketOrder = (typeof MARKET_ORDERS)[number];

/** Holds the part of a setup that decides which markets a bot can trade. */
export interface Wanted {
  readonly currency: string;
  /** Min value traded in 24 hours, in the currency; NaN while the typed text is not a number. */
  readonly minVolume: number;
}

/**
 * Returns the markets that a bot can trade: in its currency, with enough volume, without leveraged tokens. A market without
 * a known volume is included.
 *
 * @see docs/bot-lifecycle.md#watched-pairs
 */
export function offeredMarkets(markets: readonly MarketView[], { currency, minVolume }: Wanted): MarketView[] {
  const bases = new Set(markets.map(({ pair }) => baseOf(pair)));
  return markets.filter(
    ({ pair, volume24h }) =>
      pair.endsWith(`-${currency.toUpperCase()}`) &&
      !isLeveraged(baseOf(pair), bases) &&
      !(volume24h !== null && volume24h < minVolume),
  );
}

/** Returns whether an asset is a leveraged token of another listed asset, such as BTCUP, ETHBEAR or SOL3L. */
function isLeveraged(base: string, bases: ReadonlySet<string>): boolean {
  const stem = /^(.+?)(?:UP|DOWN|BULL|BEAR|\d+[LS])$/.exec(base)?.[1];
  return stem !== undefined && bases.has(stem);
}

const baseOf = (pair: string) => pair.slice(0, pair.lastIndexOf('-'));

/** Sorts markets. Chosen ones come first, unknown figures last. */
export function sortedMarkets(
  markets: readonly MarketView[],
  order: MarketOrder,
  chosen: ReadonlySet<string>,
): MarketView[] {
  const figure = ({ volume24h, change24h }: MarketView) => (order === 'volume' ? volume24h : change24h) ?? -Infinity;
  const rank = ({ pair }: MarketView) => (chosen.has(pair) ? 0 : 1);
  const byName = (a: MarketView, b: MarketView) => (a.pair < b.pair ? -1 : a.pair > b.pair ? 1 : 0);
  // The difference of two unknown figures would be NaN.
  const byFigure = (a: MarketView, b: MarketView) => (figure(a) === figure(b) ? 0 : figure(b) - figure(a));
  return [...markets].sort(
    (a, b) => rank(a) - rank(b) || (order === 'name' ? byName(a, b) : byFigure(a, b)) || byName(a, b),
  );
}
