import type { KnownSuspension } from '@heron/engine/state/suspension.ts';
import type { ExchangeError } from '../errors.ts';
import type { PublicExchange, Ticker } from '../exchange.ts';
import type { FollowedPair, FollowedPairs } from './followedPairs.ts';

/** The 24-hour figures of a pair are read at most this often. @see docs/paper.md#volume */
const READ_EVERY_MS = 60_000;
/** Pause after a request that failed. */
const RETRY_MS = 10_000;

/** Names of requests in warnings. */
const TICKERS = '24-hour figures';
const SUSPENSIONS = 'trading states';

/** Reads the 24-hour figures and trading states of the followed pairs. */
export interface TickerReader {
  /** Reads the pairs whose last reading is a minute old, or lacks the state. */
  check(at: number): void;
  /**
   * Reads a quote of a pair unless it has a current one, and its first figures; `check` reads later ones. All callers share one
   * request.
   *
   * @throws ExchangeError
   */
  readFirst(pair: string, followed: FollowedPair): Promise<void>;
}

/** Dependencies of {@link openTickerReader}. */
export interface TickerReaderDeps {
  readonly exchange: PublicExchange;
  readonly pairs: FollowedPairs;
  /** Is called when a request begins to fail. */
  warn(error: ExchangeError, request: string): void;
  /** Is called after a successful reading. */
  onSuccess(): void;
}

export function openTickerReader({ exchange, pairs, warn, onSuccess }: TickerReaderDeps): TickerReader {
  /** Requests that failed and were reported. */
  const failing = new Set<string>();
  let isReading = false;
  let triedAt = Number.NEGATIVE_INFINITY;

  /** Warns at the first of several failures. */
  function warnOnce(error: ExchangeError, request: string): void {
    if (failing.has(request)) return;
    failing.add(request);
    warn(error, request);
  }

  async function readAll(due: readonly string[]): Promise<void> {
    const listed = new Set((await exchange.markets()).map(({ pair }) => pair));
    const [tickers, suspended] = await Promise.all([exchange.tickers(due), readSuspended(due, listed)]);
    const byPair = new Map(tickers.map((ticker) => [ticker.pair, ticker]));
    for (const pair of due) {
      const followed = pairs.map.get(pair);
      const state = suspended.get(pair);
      const isKnown = state !== 'unread' && (state ?? followed?.ticker?.suspended) !== undefined;
      const ticker = byPair.get(pair) ?? (isKnown ? unlisted(pair) : null);
      if (followed === undefined || ticker === null) continue;
      pairs.emit(pairs.storeTicker(followed, ticker, state));
    }
  }

  /**
   * Returns the suspended pairs. Listed pairs share a request; each other pair has its own, because the venue may refuse it.
   * The last known state is kept when the venue does not respond.
   */
  async function readSuspended(
    due: readonly string[],
    listed: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, KnownSuspension>> {
    const { suspended: read } = exchange;
    if (read === undefined) return new Map();
    const batch = due.filter((pair) => listed.has(pair));
    const alone = due.filter((pair) => !listed.has(pair)).map((pair) => [pair]);
    const answers = await Promise.all(
      [...(batch.length > 0 ? [batch] : []), ...alone].map(async (group) => {
        const request = group === batch ? SUSPENSIONS : `${SUSPENSIONS} of ${group}`;
        try {
          const found = [...(await read(group))];
          failing.delete(request);
          return found;
        } catch (error) {
          // `PublicExchange` rejects with an `ExchangeError` only.
          warnOnce(error as ExchangeError, request);
          return lastStates(group);
        }
      }),
    );
    return new Map(answers.flat());
  }

  function lastStates(group: readonly string[]) {
    return group.flatMap((pair) => {
      const state = stateOf(pairs.map.get(pair));
      return state === undefined ? [] : [[pair, state] as const];
    });
  }

  /** Returns the last known state of a pair. */
  function stateOf(followed: FollowedPair | undefined): KnownSuspension | undefined {
    if (exchange.suspended === undefined) return undefined;
    return followed?.ticker ? followed.ticker.suspended : 'unread';
  }

  return {
    check(at) {
      if (isReading || at < triedAt + RETRY_MS) return;
      const due = [...pairs.map].filter(
        ([, { ticker }]) => ticker === null || ticker.suspended === 'unread' || at >= ticker.at + READ_EVERY_MS,
      );
      if (due.length === 0) return;
      isReading = true;
      triedAt = at;
      readAll(due.map(([pair]) => pair))
        .then(() => {
          onSuccess();
          failing.delete(TICKERS);
        })
        // Pushed prices do not depend on this request.
        .catch((error: ExchangeError) => warnOnce(error, TICKERS))
        .finally(() => {
          isReading = false;
        });
    },
    // One request for all: a thousand bots that start at once would use up the limit of minutes.
    readFirst(pair, followed) {
      followed.firstTicker ??= exchange
        .tickers([pair])
        .then(([ticker]) => {
          if (ticker === undefined) return;
          // `check` reads figures and state together, by the age of the figures.
          if (followed.ticker === null) pairs.storeTicker(followed, ticker, stateOf(followed));
          if (pairs.isQuoteOld(followed)) pairs.onTicker(followed, ticker);
        })
        .finally(() => {
          followed.firstTicker = null;
        });
      return followed.firstTicker;
    },
  };
}

/** Returns a ticker without figures for a pair that the venue has delisted. */
function unlisted(pair: string): Pick<Ticker, 'pair' | 'last' | 'volume24h'> {
  return { pair, last: null, volume24h: null };
}
