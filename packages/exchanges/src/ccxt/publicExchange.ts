import type { ClosedCandle } from '@heron/engine/bot/event.ts';
import { type Market, marketOf } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { ExchangeMisused, RateLimited } from '../errors.ts';
import type { PublicExchange, PublicStream, StreamEvent, Ticker } from '../exchange.ts';
import { exchangeErrorOf } from './ccxtErrors.ts';
import {
  type CcxtClass,
  type CcxtExchange,
  type CcxtMarket,
  type CcxtTicker,
  type FetchLike,
  loadErrors,
} from './library.ts';
import { publicOnly } from './publicOnly.ts';
import { sizeOf } from './size.ts';
import type { StreamConfig } from './streamConfig.ts';

const FEW = 10;
/** A candle read by REST counts as closed this long after its end. @see options.md 3.1 */
const CLOSED_AFTER_MS = 1_000;
const MARKETS_FOR_MS = 3_600_000;
const MARKETS_RETRY_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** How a public adapter is made. */
export interface PublicConfig {
  /** Another venue that speaks the same protocol, such as the demo market: base addresses of REST and streams. */
  readonly redirect: { readonly rest: string; readonly ws: string } | null;
  /** ms since 1970. */
  now(): number;
  /** Is told of every answer, so that a `RateBudget` can learn what was used. */
  readonly heard?: (status: number, headers: Headers) => void;
}

/** What tells one venue that ccxt knows from another. */
export interface Venue {
  readonly name: string;
  readonly Base: CcxtClass;
  /** Origin of ccxt's REST requests. */
  readonly rest: string;
  /** Address of its streams, and how every address that a connection dials begins. */
  readonly stream: { readonly address: string; begins(address: string): string };
  /** ccxt's name of its public endpoints; default `public`. */
  readonly section?: string;
  /** What of all that ccxt lists is traded here; default: what is spot. */
  trades?(described: CcxtMarket): boolean;
  /** What a stop order of a pair becomes when it is triggered; default: there are none. */
  stop?(described: CcxtMarket): Market['stop'];
  /** Candle lengths that it makes itself. */
  readonly periods: ReadonlySet<Period>;
  /** Most candles in one answer. */
  readonly page: number;
  /** Options of ccxt's own. */
  readonly options: object;
  openStream(config: StreamConfig, listener: (event: StreamEvent) => void): PublicStream;
}

/** What an adapter that reads more than others needs of the common part. */
export interface PublicParts {
  readonly exchange: CcxtExchange;
  /** Asks the venue; what it rejects with is an `ExchangeError`. */
  call<Answer>(action: () => Promise<Answer>): Promise<Answer>;
  /** Rejects when there is no such pair. */
  known(pair: string): Promise<{ market: Market; symbol: string }>;
  all(): Promise<readonly { market: Market; symbol: string }[]>;
}

/** A venue that ccxt knows, as everybody may read it. */
export async function openPublicExchange(venue: Venue, config: PublicConfig): Promise<PublicExchange> {
  return (await openPublicParts(venue, config)).adapter;
}

/** As `openPublicExchange`, for adapters that read more. */
export async function openPublicParts(
  venue: Venue,
  config: PublicConfig,
): Promise<{ adapter: PublicExchange; parts: PublicParts }> {
  const { name, Base, page: most, periods, trades = ({ spot }) => spot } = venue;
  const errors = await loadErrors();
  let retryAt: number | null = null;

  // ccxt does not hand out the header that says when to come back.
  const fetchWatched: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    config.heard?.(response.status, response.headers);
    if (response.status === 429 || response.status === 418) {
      const seconds = Number(response.headers.get('retry-after') ?? '60');
      retryAt = config.now() + Math.max(1, Number.isFinite(seconds) ? seconds : 60) * 1_000;
    }
    return response;
  };
  const rest = config.redirect === null ? venue.rest : new URL(config.redirect.rest).origin;
  const address = config.redirect === null ? venue.stream.address : config.redirect.ws.replace(/\/$/, '');
  const Public = publicOnly(Base, name, {
    origins: new Map([[venue.rest, rest]]),
    stream: venue.stream.begins(address),
    fetch: fetchWatched,
    ...(venue.section !== undefined && { section: venue.section }),
  });
  const options = {
    timeout: TIMEOUT_MS,
    enableRateLimit: true,
    options: { defaultType: 'spot', maxRetriesOnFailure: 0, ...venue.options },
  };
  const exchange = new Public(options);

  type Known = { market: Market; symbol: string; id: string };
  let byPair = new Map<string, Known>();
  let byId = new Map<string, Market>();
  let raw: Record<string, CcxtMarket> = {};
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;
  let clockOffset = 0;

  async function call<Answer>(action: () => Promise<Answer>): Promise<Answer> {
    if (retryAt !== null && config.now() < retryAt) throw new RateLimited(name, retryAt);
    retryAt = null;
    try {
      return await action();
    } catch (error) {
      throw errorOf(error);
    }
  }

  function errorOf(error: unknown) {
    return exchangeErrorOf(error, { exchange: name, errors, write: false, retryAt, now: config.now() });
  }

  /** Loads the pairs when they are older than this. Concurrent callers share one load; an old list is still a list. */
  async function loadMarkets(age = MARKETS_FOR_MS): Promise<void> {
    if (config.now() - loadedAt < age) return;
    loading ??= load().finally(() => {
      loading = null;
    });
    try {
      await loading;
    } catch (error) {
      if (byPair.size === 0) throw error;
      loadedAt = config.now() - MARKETS_FOR_MS + MARKETS_RETRY_MS;
    }
  }

  async function load(): Promise<void> {
    const sentAt = config.now();
    const serverTime = await call(() => exchange.fetchTime());
    clockOffset = Math.round(serverTime - (sentAt + config.now()) / 2);
    raw = await call(() => exchange.loadMarkets(true));
    byPair = new Map();
    byId = new Map();
    for (const described of Object.values(raw)) {
      const market = trades(described) ? tradableMarket(described, venue.stop?.(described)) : null;
      if (market === null) continue;
      byPair.set(market.pair, { market, symbol: described.symbol, id: described.id });
      byId.set(described.id, market);
    }
    loadedAt = config.now();
  }

  async function known(pair: string): Promise<Known> {
    await loadMarkets();
    const found = byPair.get(pair);
    if (!found) throw new ExchangeMisused(name, `there is no pair ${pair}`);
    return found;
  }

  /** ccxt counts any list of pairs as all pairs and waits 0.8 s for it: a few are asked for one by one. */
  async function askTickers(symbols: string[] | undefined): Promise<Record<string, CcxtTicker>> {
    if (symbols === undefined || symbols.length > FEW) return exchange.fetchTickers(symbols);
    const tickers = await Promise.all(symbols.map((symbol) => exchange.fetchTicker(symbol)));
    return Object.fromEntries(tickers.map((ticker) => [ticker.symbol, ticker]));
  }

  const exchangeNow = () => config.now() + clockOffset;

  const adapter: PublicExchange = {
    name,
    periods,
    time: exchangeNow,

    async markets(wanted) {
      await loadMarkets();
      if (wanted !== undefined && !byPair.has(wanted)) await loadMarkets(MARKETS_RETRY_MS);
      return [...byPair.values()].map(({ market }) => market);
    },

    async tickers(pairs) {
      await loadMarkets();
      const symbols = pairs && (await Promise.all(pairs.map(known))).map(({ symbol }) => symbol);
      if (symbols?.length === 0) return [];
      const told = await call(() => askTickers(symbols));
      const found: Ticker[] = [];
      for (const { market, symbol } of byPair.values()) {
        const ticker = told[symbol];
        if (ticker === undefined) continue;
        const price = (value: number | undefined) => (value !== undefined && value > 0 ? toUnits(value) : null);
        found.push({
          pair: market.pair,
          last: price(ticker.last),
          bid: price(ticker.bid),
          bidSize: ticker.bidVolume === undefined ? null : sizeOf(ticker.bidVolume, market),
          ask: price(ticker.ask),
          askSize: ticker.askVolume === undefined ? null : sizeOf(ticker.askVolume, market),
          change24h: ticker.percentage ?? null,
          volume24h: ticker.quoteVolume ?? null,
        });
      }
      return found;
    },

    async candles(pair, period, from, to) {
      if (!periods.has(period)) throw new ExchangeMisused(name, `it makes no candles of ${period}`);
      const { symbol } = await known(pair);
      const length = PERIODS[period];
      const end = Math.min(to, exchangeNow() - length - CLOSED_AFTER_MS + 1);
      const candles: ClosedCandle[] = [];
      for (let since = from; since < end; ) {
        const page = await call(() => exchange.fetchOHLCV(symbol, period, since, most, { until: end - 1 }));
        for (const [time, open, high, low, close, volume] of page) {
          if (time >= since && time < end) candles.push({ time, open, high, low, close, volume });
        }
        const newest = page.at(-1)?.[0];
        if (newest === undefined || newest < since || page.length < most) break;
        since = newest + length;
      }
      return candles;
    },

    stream(listener) {
      return venue.openStream(
        {
          Class: Public,
          errors,
          options,
          address,
          marketOf: (pair) => byPair.get(pair),
          marketById: (id) => byId.get(id),
          async loadMarkets(streams: CcxtExchange) {
            await loadMarkets();
            // The stream's own object resolves symbols by the same list: one load serves both.
            if (streams.markets === undefined) shareMarkets(exchange, streams);
          },
          errorOf,
        },
        listener,
      );
    },

    async close() {
      await exchange.close();
    },
  };

  const all = async () => {
    await loadMarkets();
    return [...byPair.values()];
  };
  return { adapter, parts: { exchange, call, known, all } };
}

/** Fields in which ccxt keeps what `loadMarkets` found. */
const MARKET_FIELDS = [
  'markets',
  'markets_by_id',
  'symbols',
  'ids',
  'currencies',
  'currencies_by_id',
  'codes',
] as const;

function shareMarkets(from: CcxtExchange, to: CcxtExchange): void {
  const source = from as unknown as Record<string, unknown>;
  const target = to as unknown as Record<string, unknown>;
  for (const field of MARKET_FIELDS) target[field] = source[field];
}

/** Null for pairs that cannot be traded now or whose grids do not fit our units. */
function tradableMarket(described: CcxtMarket, stop: Market['stop']): Market | null {
  const { base, quote, precision, limits } = described;
  if (described.active === false || precision.price === undefined || precision.amount === undefined) return null;
  try {
    return marketOf({
      pair: `${base}-${quote}`,
      tickSize: precision.price,
      stepSize: precision.amount,
      minQuantity: limits.amount?.min ?? 0,
      maxQuantity: limits.amount?.max ?? Number.POSITIVE_INFINITY,
      minNotional: limits.cost?.min ?? 0,
      ...(stop === undefined ? {} : { stop }),
    });
  } catch {
    return null;
  }
}
