import type { Market } from '@heron/engine/market/market.ts';
import { ExchangeMisused } from '../errors.ts';
import type { SignedClock } from '../http/clock.ts';
import type { RateBudget, RequestKind } from '../http/rateBudget.ts';
import { isWrongTime } from '../http/venueError.ts';
import type { TradingConfig } from '../trading.ts';

/** Sends signed requests within the rate budget and by the venue's clock, and knows the markets. */
export interface SignedCalls {
  /**
   * Sends a request. A request that the venue refuses for its time was not executed: it is sent once more, after a new
   * measurement of the clock.
   *
   * @throws ExchangeError
   */
  call<Answer>(
    weight: number,
    kind: RequestKind,
    send: (venueTime: (at: number) => number) => Promise<Answer>,
  ): Promise<Answer>;
  /** Sends a signed read that bears the time of sending. */
  read<Answer>(weight: number, send: (signed: { timestamp: number }) => Promise<Answer>): Promise<Answer>;
  loadMarkets(): Promise<void>;
  /** @throws ExchangeMisused for a pair that the venue does not list */
  marketOf(pair: string): Promise<Market>;
  /** As `marketOf`, after the markets were read again. */
  rereadMarket(pair: string): Promise<Market>;
  /** Returns a market by the venue's name of it. */
  marketById(id: string): Market | undefined;
}

/** Dependencies of {@link openSignedCalls}. */
export interface SignedCallsDeps extends Pick<TradingConfig, 'markets' | 'now'> {
  /** Named in errors. */
  readonly name: string;
  readonly budget: RateBudget;
  readonly clock: SignedClock;
}

export function openSignedCalls(deps: SignedCallsDeps): SignedCalls {
  const { name, budget, clock, now } = deps;
  const byPair = new Map<string, Market>();
  const byId = new Map<string, Market>();

  async function loadMarkets(): Promise<void> {
    if (byPair.size === 0) await readMarkets();
  }

  /** Delisted pairs stay known, because their orders may still be reported. */
  async function readMarkets(): Promise<void> {
    for (const market of await deps.markets()) {
      byPair.set(market.pair, market);
      byId.set(venueSymbol(market), market);
    }
  }

  async function rereadMarket(pair: string): Promise<Market> {
    await readMarkets();
    const market = byPair.get(pair);
    if (market === undefined) throw new ExchangeMisused(name, `there is no pair ${pair}`);
    return market;
  }

  async function call<Answer>(
    weight: number,
    kind: RequestKind,
    send: (venueTime: (at: number) => number) => Promise<Answer>,
  ): Promise<Answer> {
    for (let mayRetry = true; ; mayRetry = false) {
      await budget.acquire(weight, kind);
      await clock.sync();
      try {
        return await send(clock.venueTime);
      } catch (error) {
        if (isWrongTime(error)) clock.invalidate();
        if (!isWrongTime(error) || !mayRetry) throw error;
      }
    }
  }

  return {
    call,
    read: (weight, send) => call(weight, 'account', (venueTime) => send({ timestamp: venueTime(now()) })),
    loadMarkets,
    // The pair may have been halted when the list was read.
    marketOf: async (pair) => byPair.get(pair) ?? rereadMarket(pair),
    rereadMarket,
    marketById: (id) => byId.get(id),
  };
}

/** Returns the name that Binance and MEXC give a pair: `BTCUSDT`. */
export function venueSymbol(market: Market): string {
  return market.base + market.quote;
}
