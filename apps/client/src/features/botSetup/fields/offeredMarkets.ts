import type { MarketView } from '@heron/contract/bots/entities.ts';

export const MARKET_ORDERS = ['volume', 'change', 'name'] as const;
export type MarketOrder = (typeof MARKET_ORDERS)[number];

/** The part of a setup that decides which markets a bot can trade. */
export interface Wanted {
  readonly currency: string;
  /** Least value traded in 24 hours, in the currency; no number while it is being typed. */
  readonly leastVolume: number;
}

/**
 * Markets of which a bot could trade: in its currency, with enough traded, no leveraged tokens. A market that does not tell what
 * it trades is offered.
 *
 * @see docs/bot-lifecycle.md#watched-pairs
 */
export function offeredMarkets(markets: readonly MarketView[], { currency, leastVolume }: Wanted): MarketView[] {
  const bases = new Set(markets.map(({ pair }) => baseOf(pair)));
  return markets.filter(
    ({ pair, volume24h }) =>
      pair.endsWith(`-${currency.toUpperCase()}`) &&
      !isLeveraged(baseOf(pair), bases) &&
      !(volume24h !== null && volume24h < leastVolume),
  );
}

/** A token that multiplies another one, which is listed too: BTCUP, ETHBEAR, SOL3L. */
function isLeveraged(base: string, bases: ReadonlySet<string>): boolean {
  const stem = /^(.+?)(?:UP|DOWN|BULL|BEAR|\d+[LS])$/.exec(base)?.[1];
  return stem !== undefined && bases.has(stem);
}

const baseOf = (pair: string) => pair.slice(0, pair.lastIndexOf('-'));

/** In the order asked for, those that are chosen before the others; what is not known comes last. */
export function sortedMarkets(
  markets: readonly MarketView[],
  order: MarketOrder,
  chosen: ReadonlySet<string>,
): MarketView[] {
  const figure = ({ volume24h, change24h }: MarketView) => (order === 'volume' ? volume24h : change24h) ?? -Infinity;
  const rank = ({ pair }: MarketView) => (chosen.has(pair) ? 0 : 1);
  const byName = (a: MarketView, b: MarketView) => (a.pair < b.pair ? -1 : a.pair > b.pair ? 1 : 0);
  // Two that are both unknown have no difference that is a number.
  const byFigure = (a: MarketView, b: MarketView) => (figure(a) === figure(b) ? 0 : figure(b) - figure(a));
  return [...markets].sort(
    (a, b) => rank(a) - rank(b) || (order === 'name' ? byName(a, b) : byFigure(a, b)) || byName(a, b),
  );
}
