import { type Market, marketOf } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { Suspension } from '@heron/engine/state/suspension.ts';
import { exchangeErrorOf } from '../ccxt/ccxtErrors.ts';
import {
  type CcxtClass,
  type CcxtExchange,
  type CcxtMarket,
  type CcxtTicker,
  type FetchLike,
  loadErrors,
} from '../ccxt/library.ts';
import { publicOnly } from '../ccxt/publicOnly.ts';
import { ExchangeMisused, ExchangeUnreachable } from '../errors.ts';
import type { PublicExchange, PublicStream, StreamEvent, Ticker } from '../exchange.ts';
import type { VenueNet } from '../net/venueNet.ts';
import { sizeOf } from './displayedSize.ts';
import type { StreamConfig } from './streamConfig.ts';

const FEW = 10;
/** A candle read by REST counts as closed this long after its end. @see docs/bot-lifecycle.md#market-data */
const CLOSED_AFTER_MS = 1_000;
const MARKETS_FOR_MS = 3_600_000;
const MARKETS_RETRY_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** Options of a public adapter. */
export interface PublicConfig {
  /** Network access of the venue. The caller that opened it closes it. */
  readonly net: VenueNet;
  /** ms since 1970. */
  now(): number;
  /** Called with each response, so that a `RateBudget` can learn what was used. */
  readonly onResponse?: (status: number, headers: Headers) => void;
}

/** What tells one venue that ccxt knows from another. */
export interface Venue {
  readonly name: string;
  readonly Base: CcxtClass;
  /** Origin of ccxt's REST requests. */
  readonly libraryRest: string;
  /** How every address that a connection dials begins. @param address of the venue's streams */
  streamBegins(address: string): string;
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
  /** The venue's own rows of pairs, as its list of pairs has them; left out where states of pairs are not read. */
  readRows?(exchange: CcxtExchange, ids: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  openStream(config: StreamConfig, listener: (event: StreamEvent) => void): PublicStream;
}

/** What an adapter that reads more than others needs of the common part. */
export interface PublicExchangeBase {
  readonly exchange: CcxtExchange;
  /** Asks the venue; what it rejects with is an `ExchangeError`. */
  call<Answer>(action: () => Promise<Answer>): Promise<Answer>;
  /** Rejects when there is no such pair. */
  known(pair: string): Promise<{ market: Market; symbol: string }>;
  all(): Promise<readonly { market: Market; symbol: string }[]>;
}

/** A venue that ccxt knows, as everybody may read it. */
export async function openPublicExchange(venue: Venue, config: PublicConfig): Promise<PublicExchange> {
  return (await openPublicExchangeBase(venue, config)).adapter;
}

/** As `openPublicExchange`, for adapters that read more. */
export async function openPublicExchangeBase(
  venue: Venue,
  config: PublicConfig,
): Promise<{ adapter: PublicExchange; parts: PublicExchangeBase }> {
  const { name, Base, page: most, periods, trades = ({ spot }) => spot } = venue;
  const errors = await loadErrors();

  const { net } = config;
  const fetchWatched: FetchLike = async (url, init) => {
    const response = await net.send('public', url, init);
    config.onResponse?.(response.status, response.headers);
    if (response.status < 500) return response;
    const fault = { kind: 'server_error', host: new URL(url).hostname, status: response.status } as const;
    throw new ExchangeUnreachable(
      name,
      `${response.status} ${await response.text().catch(() => '')}`,
      undefined,
      fault,
    );
  };
  const [rest = venue.libraryRest] = net.hosts.rest;
  const [address = ''] = net.hosts.streams;
  const Public = publicOnly(Base, name, {
    origins: new Map([[venue.libraryRest, rest]]),
    stream: venue.streamBegins(address),
    fetch: fetchWatched,
    makeSocket: net.makeSocket,
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
  /** Pairs that can be traded now; others stay known, since their data and their orders may still be wanted. */
  let active = new Set<string>();
  let raw: Record<string, CcxtMarket> = {};
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;
  let clockOffset = 0;

  async function call<Answer>(action: () => Promise<Answer>): Promise<Answer> {
    try {
      return await action();
    } catch (error) {
      throw errorOf(error);
    }
  }

  function errorOf(error: unknown) {
    return exchangeErrorOf(error, { exchange: name, errors, write: false, fault: net.fault(), now: config.now() });
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
    byPair = new Map(byPair);
    byId = new Map(byId);
    active = new Set();
    for (const described of Object.values(raw)) {
      const market = trades(described) ? tradableMarket(described, venue.stop?.(described)) : null;
      if (market === null) continue;
      byPair.set(market.pair, { market, symbol: described.symbol, id: described.id });
      byId.set(described.id, market);
      active.add(market.pair);
    }
    loadedAt = config.now();
  }

  async function known(pair: string): Promise<Known> {
    await loadMarkets();
    const found = byPair.get(pair);
    if (!found) throw new ExchangeMisused(name, `there is no pair ${pair}`);
    return found;
  }

  async function readSuspended(pairs: readonly string[]): Promise<ReadonlyMap<string, Suspension>> {
    await loadMarkets();
    const ids = pairs.flatMap((pair) => byPair.get(pair)?.id ?? []);
    if (ids.length === 0) return new Map();
    const rows = (await call(() => venue.readRows?.(exchange, ids) ?? Promise.resolve([]))) ?? [];
    const states = new Map(rows.map(({ symbol, status }) => [symbol, status]));
    const found = new Map<string, Suspension>();
    for (const id of ids) {
      const state = states.get(id);
      const market = byId.get(id);
      if (market === undefined || state === 'TRADING') continue;
      // No order is sent in a state unknown here, nor for a pair that is no longer listed.
      found.set(market.pair, state === 'CANCEL_ONLY' ? 'cancel_only' : 'halted');
    }
    // It trades again: the list of pairs has it again too.
    if (pairs.some((pair) => !found.has(pair) && byPair.has(pair) && !active.has(pair))) await loadMarkets(0);
    return found;
  }

  /** ccxt counts any list of pairs as all pairs and waits 0.8 s for it: a few are asked for one by one. */
  async function fetchTickers(symbols: string[] | undefined): Promise<Record<string, CcxtTicker>> {
    if (symbols === undefined || symbols.length > FEW) return exchange.fetchTickers(symbols);
    const tickers = await Promise.all(symbols.map((symbol) => exchange.fetchTicker(symbol)));
    return Object.fromEntries(tickers.map((ticker) => [ticker.symbol, ticker]));
  }

  const listed = () => [...byPair.values()].filter(({ market }) => active.has(market.pair));
  const exchangeNow = () => config.now() + clockOffset;

  const adapter: PublicExchange = {
    name,
    periods,
    time: exchangeNow,

    async markets(wanted) {
      await loadMarkets();
      if (wanted !== undefined && !active.has(wanted)) await loadMarkets(MARKETS_RETRY_MS);
      return listed().map(({ market }) => market);
    },

    async tickers(pairs) {
      await loadMarkets();
      const symbols = pairs && (await Promise.all(pairs.map(known))).map(({ symbol }) => symbol);
      if (symbols?.length === 0) return [];
      const tickers = await call(() => fetchTickers(symbols));
      const found: Ticker[] = [];
      for (const { market, symbol } of pairs === undefined ? listed() : byPair.values()) {
        const ticker = tickers[symbol];
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

    ...(venue.readRows !== undefined && { suspended: (pairs: readonly string[]) => readSuspended(pairs) }),

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
    return listed();
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
