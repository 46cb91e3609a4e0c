import type { Price, Quantity } from '@heron/engine/money/units.ts';
import type { PairQuote } from '@heron/engine/state/pairQuote.ts';
import type { KnownSuspension } from '@heron/engine/state/suspension.ts';
import type { Channel, Ticker } from '../exchange.ts';
import { type FeedEvent, type FeedPace, MAX_QUOTE_AGE_MS, quietAfter, type TickerEvent } from './feedTypes.ts';

/** State of a pair that has listeners. */
export interface FollowedPair {
  readonly listeners: Set<(event: FeedEvent) => void>;
  readonly paces: Set<() => FeedPace>;
  readonly channels: readonly Channel[];
  quote: PairQuote | null;
  /** Request for a first quote and the 24-hour figures, in flight. */
  firstTicker: Promise<void> | null;
  last: Price;
  /** Time of the newest push, ms. */
  pushedAt: number;
  ticker: TickerEvent | null;
}

type BestPrices = { readonly bid: Price; readonly bidSize: Quantity; readonly ask: Price; readonly askSize: Quantity };

/** The pairs that have listeners. */
export interface FollowedPairs {
  readonly map: Map<string, FollowedPair>;
  /** Adds a pair without listeners. */
  add(pair: string): FollowedPair;
  emit(event: FeedEvent): void;
  /** Emits a quote that was pushed. */
  onQuote(pair: string, best: BestPrices): void;
  /** Emits the quote in a ticker that was polled. It does not count as a push, so that polls go on until pushes return. */
  onTicker(followed: FollowedPair, ticker: Ticker): void;
  storeTicker(
    followed: FollowedPair,
    ticker: Pick<Ticker, 'pair' | 'last' | 'volume24h'>,
    suspended: KnownSuspension | undefined,
  ): TickerEvent;
  /** Whether a pair has no current quote. */
  isQuoteOld(followed: FollowedPair): boolean;
  /** Returns the pairs without pushes for longer than the quickest of their listeners waits. */
  quiet(at: number): string[];
  /** Returns the shortest poll interval of these pairs, ms. */
  pollMs(pairs: readonly string[]): number;
}

/** @param markOf returns the mark price of a pair; 0 for none */
export function openFollowedPairs(now: () => number, markOf: (pair: string) => Price): FollowedPairs {
  const map = new Map<string, FollowedPair>();

  function emit(event: FeedEvent): void {
    // One object for all listeners: a pair may have thousands of them.
    for (const listener of map.get(event.pair)?.listeners ?? []) listener(event);
  }

  function emitQuote(pair: string, followed: FollowedPair, best: BestPrices): void {
    const mark = markOf(pair);
    followed.quote = { at: now(), ...best, last: followed.last, ...(mark > 0 && { mark }) };
    emit({ type: 'quote', pair, ...followed.quote });
  }

  return {
    map,
    emit,
    add(pair) {
      const channels: Channel[] = [
        { kind: 'quotes', pair },
        { kind: 'trades', pair },
      ];
      const followed: FollowedPair = {
        ...{ listeners: new Set(), paces: new Set(), channels },
        ...{ quote: null, firstTicker: null, last: 0, pushedAt: now(), ticker: null },
      };
      map.set(pair, followed);
      return followed;
    },
    onQuote(pair, best) {
      const followed = map.get(pair);
      if (followed === undefined) return;
      followed.pushedAt = now();
      emitQuote(pair, followed, best);
    },
    onTicker(followed, { pair, last, bid, bidSize, ask, askSize }) {
      if (last !== null) followed.last = last;
      if (bid === null || ask === null) return;
      emitQuote(pair, followed, { bid, bidSize: bidSize ?? 0, ask, askSize: askSize ?? 0 });
    },
    storeTicker(followed, { pair, last, volume24h }, suspended) {
      followed.ticker = {
        ...{ type: 'ticker', at: now(), pair, last: last ?? 0, volume24h },
        ...(suspended !== undefined && { suspended }),
      };
      return followed.ticker;
    },
    isQuoteOld: ({ quote }) => quote === null || now() - quote.at > MAX_QUOTE_AGE_MS,
    quiet: (at) => [...map].filter(([, followed]) => isQuiet(followed, at)).map(([pair]) => pair),
    pollMs: (pairs) =>
      Math.min(...pairs.flatMap((pair) => [...(map.get(pair)?.paces ?? [])].map((pace) => pace().pollMs))),
  };
}

function isQuiet({ pushedAt, paces }: FollowedPair, at: number): boolean {
  const scanMs = Math.min(...[...paces].map((pace) => pace().scanMs));
  return at - pushedAt > quietAfter(Number.isFinite(scanMs) ? scanMs : 0);
}
