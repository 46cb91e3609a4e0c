import type { Market } from '@heron/engine/market/market.ts';
import type { CcxtErrors } from '../ccxt/library.ts';
import { type ExchangeError, ExchangeMisused } from '../errors.ts';
import type { SignedClock } from '../http/clock.ts';
import type { RateBudget, RequestKind } from '../http/rateBudget.ts';
import type { TradingConfig } from '../trading.ts';

/** What a trading adapter does with every request, whatever the venue. */
export interface SignedCalls {
  /** One request; a second one only after the venue has refused the first for its time, which means that nothing was done. */
  call<Answer>(
    weight: number,
    kind: RequestKind,
    write: boolean,
    send: (venueTime: (at: number) => number) => Promise<Answer>,
  ): Promise<Answer>;
  /** A signed read, timed when it is sent. */
  read<Answer>(weight: number, ask: (signed: { timestamp: number }) => Promise<Answer>): Promise<Answer>;
  /** What was done is done; an answer that cannot be read must be asked for again in another way. */
  readable<T>(make: () => T): T;
  loadMarkets(): Promise<void>;
  /** @throws ExchangeMisused for a pair that the venue does not have */
  marketOf(pair: string): Promise<Market>;
  /** By the venue's name of a pair. */
  marketById(id: string): Market | undefined;
}

/** What {@link openSignedCalls} works on. */
export interface SignedCallsDeps extends Pick<TradingConfig, 'markets' | 'now'> {
  readonly name: string;
  readonly errors: CcxtErrors;
  readonly budget: RateBudget;
  readonly clock: SignedClock;
  /** What an error of the library means. @param write the request could change something */
  errorOf(error: unknown, write: boolean): ExchangeError;
}

export function openSignedCalls(deps: SignedCallsDeps): SignedCalls {
  const { name, errors, budget, clock, now, errorOf } = deps;
  const byPair = new Map<string, Market>();
  const byId = new Map<string, Market>();

  async function loadMarkets(): Promise<void> {
    if (byPair.size === 0) await readMarkets();
  }

  /** Those that are gone stay known: orders of theirs may still be told. */
  async function readMarkets(): Promise<void> {
    for (const market of await deps.markets()) {
      byPair.set(market.pair, market);
      byId.set(venueSymbol(market), market);
    }
  }

  async function call<Answer>(
    weight: number,
    kind: RequestKind,
    write: boolean,
    send: (venueTime: (at: number) => number) => Promise<Answer>,
  ): Promise<Answer> {
    for (let again = true; ; again = false) {
      await budget.acquire(weight, kind);
      try {
        await clock.sync();
      } catch (error) {
        throw errorOf(error, false);
      }
      try {
        return await send(clock.venueTime);
      } catch (error) {
        const drifted = error instanceof errors.InvalidNonce;
        if (drifted) clock.invalidate();
        if (!drifted || !again) throw errorOf(error, write);
      }
    }
  }

  return {
    call,
    read: (weight, ask) => call(weight, 'account', false, (venueTime) => ask({ timestamp: venueTime(now()) })),
    readable(make) {
      try {
        return make();
      } catch (error) {
        throw errorOf(error, true);
      }
    },
    loadMarkets,
    async marketOf(pair) {
      // It may have been halted when the others were read.
      if (!byPair.has(pair)) await readMarkets();
      const market = byPair.get(pair);
      if (market === undefined) throw new ExchangeMisused(name, `there is no pair ${pair}`);
      return market;
    },
    marketById: (id) => byId.get(id),
  };
}

/** Name of a spot pair at venues that write its assets without anything between. */
export function venueSymbol(market: Market): string {
  return market.base + market.quote;
}
