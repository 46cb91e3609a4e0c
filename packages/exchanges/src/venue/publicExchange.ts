import { type Market, type MarketFilters, marketOf, newAssetDecimals } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { Suspension } from '@heron/engine/state/suspension.ts';
import { ExchangeMisused, ExchangeRefused } from '../errors.ts';
import { CLOSED_AFTER_MS, type PublicExchange, type PublicStream, type StreamEvent, type Ticker } from '../exchange.ts';
import { openPacer } from '../http/pacer.ts';
import { openPublicClient, type PublicClient } from '../http/publicClient.ts';
import type { Row } from '../http/row.ts';
import { type ErrorReader, failedCall, readPart } from '../http/venueError.ts';
import type { VenueNet } from '../net/venueNet.ts';
import { type AssetUnits, openAssetUnits } from './assetUnits.ts';
import type { StreamConfig } from './streamConfig.ts';
import { tickerOf } from './ticker.ts';

/** Up to this many tickers are read one by one: the list of all pairs costs far more. */
const MAX_SINGLE_TICKERS = 10;
const MARKETS_FOR_MS = 3_600_000;
const MARKETS_RETRY_MS = 60_000;
/** A pair that fits no longer may get a finer unit after this time: by then no process offers it in the present unit. */
const REFINED_AFTER_MS = 2 * MARKETS_FOR_MS;

/** Options of a public adapter. */
export interface PublicConfig {
  /** Network access of the venue. The caller that opened it closes it. */
  readonly net: VenueNet;
  /** ms since 1970. */
  now(): number;
  /** Is called with each response, so that a `RateBudget` can count the used weight. */
  readonly onResponse?: (status: number, headers: Headers) => void;
  /** Units of the pairs; by default they are remembered as long as the adapter is open. */
  readonly units?: AssetUnits;
}

/** A pair as a venue lists it. */
export interface ListedPair extends MarketFilters {
  /** The venue's name of the pair. */
  readonly id: string;
}

/** A request for one page of candles. */
export interface CandlePage {
  /** The venue's name of the pair. */
  readonly id: string;
  readonly period: Period;
  /** First open time, ms. */
  readonly from: number;
  /** Last open time, ms. */
  readonly until: number;
  readonly limit: number;
}

/** One venue's public endpoints. */
export interface PublicVenue {
  readonly name: string;
  /** Paths that the adapter reads. */
  readonly endpoints: ReadonlySet<string>;
  /** Pause that a request of weight 1 needs, ms. */
  readonly msPerWeight: number;
  readonly readError: ErrorReader;
  /** Candle lengths that the venue makes itself. */
  readonly periods: ReadonlySet<Period>;
  /** Most candles in one response. */
  readonly page: number;
  /** Reads the venue's clock, ms. */
  readTime(client: PublicClient): Promise<number>;
  /** Reads the pairs that can be traded now. */
  readPairs(client: PublicClient): Promise<readonly ListedPair[]>;
  /** Reads 24-hour tickers. @param ids names of pairs; null for all */
  readTickers(client: PublicClient, ids: readonly string[] | null): Promise<readonly Row[]>;
  readCandles(client: PublicClient, page: CandlePage): Promise<readonly ClosedCandle[]>;
  /** Reads the trading states of pairs; left out where they are not read. */
  readStates?(client: PublicClient, ids: readonly string[]): Promise<readonly Row[]>;
  openStream(config: StreamConfig, listener: (event: StreamEvent) => void): PublicStream;
}

/** Parts of an adapter that reads more than others. */
export interface PublicExchangeBase {
  readonly client: PublicClient;
  /** Runs a part that reads a response. @throws ExchangeUnreachable when it does not have the documented form */
  readable<T>(read: () => T): T;
  /** @throws ExchangeMisused when there is no such pair */
  known(pair: string): Promise<KnownPair>;
  all(): Promise<readonly KnownPair[]>;
}

/** A market and the venue's name of it. */
interface KnownPair {
  readonly market: Market;
  readonly id: string;
}

/** Opens the reading side of a venue. */
export async function openPublicExchange(venue: PublicVenue, config: PublicConfig): Promise<PublicExchange> {
  return openPublicExchangeBase(venue, config).adapter;
}

/** As `openPublicExchange`, for adapters that read more. */
export function openPublicExchangeBase(
  venue: PublicVenue,
  config: PublicConfig,
): { adapter: PublicExchange; base: PublicExchangeBase } {
  const { name, page: maxCandles, periods } = venue;
  const { net, now } = config;
  const client = openPublicClient({
    ...{ name, net, endpoints: venue.endpoints, pacer: openPacer(venue.msPerWeight), readError: venue.readError, now },
    ...(config.onResponse !== undefined && { onResponse: config.onResponse }),
  });
  const contextOf = () => ({ exchange: name, write: false, fault: net.fault(), now: now() });
  const readable = <T>(read: () => T): T => readPart(read, contextOf());
  /** Runs a read; a response without the documented form counts as unreachable. */
  async function call<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw failedCall(error, 'the answer could not be read', contextOf());
    }
  }
  const markets = openMarketList({ venue, client, now, call, units: config.units ?? openAssetUnits() });

  async function readTickers(ids: readonly string[] | null): Promise<readonly Row[]> {
    if (ids === null || ids.length > MAX_SINGLE_TICKERS) return call(() => venue.readTickers(client, ids));
    return (await Promise.all(ids.map((id) => call(() => venue.readTickers(client, [id]))))).flat();
  }

  /** @param ids names of the wanted pairs; null for all pairs */
  async function tickersOf(wanted: readonly KnownPair[], ids: readonly string[] | null): Promise<readonly Ticker[]> {
    if (wanted.length === 0) return [];
    const byId = new Map((await readTickers(ids)).map((row) => [String(row.symbol), row]));
    return wanted.flatMap(({ market, id }) => {
      const row = byId.get(id);
      return row === undefined ? [] : [readable(() => tickerOf(row, market))];
    });
  }

  /** Reads the tickers of those pairs that are listed: a venue refuses the whole request for any other. */
  async function listedTickers(wanted: readonly KnownPair[]): Promise<readonly Ticker[]> {
    const listed = () => wanted.filter(({ market }) => markets.isActive(market.pair));
    const before = listed();
    try {
      return await tickersOf(before, idsOf(before));
    } catch (error) {
      if (!(error instanceof ExchangeMisused)) throw error;
      // A pair may have been delisted since the list was read.
      await markets.load(MARKETS_RETRY_MS);
      const left = listed();
      if (left.length === before.length) throw error;
      return tickersOf(left, idsOf(left));
    }
  }

  const adapter: PublicExchange = {
    name,
    periods,
    time: markets.time,

    async markets(wanted) {
      await markets.load();
      if (wanted !== undefined && !markets.isActive(wanted)) await markets.load(MARKETS_RETRY_MS);
      // A pair that does not fit its unit is followed as one that is halted, where that is reported.
      const unfit = venue.readStates !== undefined && wanted !== undefined ? markets.unfit(wanted) : null;
      return [...markets.active().map(({ market }) => market), ...(unfit === null ? [] : [unfit])];
    },

    async tickers(pairs) {
      await markets.load();
      if (pairs === undefined) return tickersOf(markets.active(), null);
      return listedTickers(await Promise.all(pairs.map(markets.known)));
    },

    ...(venue.readStates !== undefined && { suspended: markets.suspended }),

    async candles(pair, period, from, to) {
      if (!periods.has(period)) throw new ExchangeMisused(name, `it makes no candles of ${period}`);
      const { id } = await markets.known(pair);
      const length = PERIODS[period];
      const end = Math.min(to, markets.time() - length - CLOSED_AFTER_MS + 1);
      const candles: ClosedCandle[] = [];
      for (let since = from; since < end; ) {
        const wanted = { id, period, from: since, until: end - 1, limit: maxCandles };
        const page = await call(() => venue.readCandles(client, wanted));
        for (const candle of page) if (candle.time >= since && candle.time < end) candles.push(candle);
        const newest = page.at(-1)?.time;
        if (newest === undefined || newest < since || page.length < maxCandles) break;
        since = newest + length;
      }
      return candles;
    },

    stream(listener) {
      const [address = ''] = net.hosts.streams;
      return venue.openStream(
        {
          ...{ exchange: name, net, address, marketById: markets.marketById, idOf: markets.idOf },
          loadMarkets: () => markets.load(),
          refused: (why) => new ExchangeRefused(name, `a subscription was refused (${why})`),
        },
        listener,
      );
    },

    async close() {},
  };

  const all = async () => {
    await markets.load();
    return markets.active();
  };
  return { adapter, base: { client, readable, known: markets.known, all } };
}

function idsOf(pairs: readonly KnownPair[]): string[] {
  return pairs.map(({ id }) => id);
}

interface MarketListDeps {
  readonly venue: PublicVenue;
  readonly client: PublicClient;
  readonly units: AssetUnits;
  now(): number;
  call<T>(read: () => Promise<T>): Promise<T>;
}

/** Pairs of a venue, read again when they are old, with the venue's clock. */
function openMarketList({ venue, client, units, now, call }: MarketListDeps) {
  let byPair = new Map<string, KnownPair>();
  let byId = new Map<string, Market>();
  /** Pairs that can be traded now. The others stay known, because their data and orders may still be read. */
  let activePairs = new Set<string>();
  /** Pairs whose filters do not fit their units, with the time since when, ms. */
  let unfitPairs: ReadonlyMap<string, number> = new Map();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;
  let clockOffset = 0;

  /** Reads the pairs when they are older than `age` ms. Concurrent callers share one read; a failure keeps an old list. */
  async function load(age = MARKETS_FOR_MS): Promise<void> {
    if (now() - loadedAt < age) return;
    loading ??= read().finally(() => {
      loading = null;
    });
    try {
      await loading;
    } catch (error) {
      if (byPair.size === 0) throw error;
      loadedAt = now() - MARKETS_FOR_MS + MARKETS_RETRY_MS;
    }
  }

  async function read(): Promise<void> {
    const sentAt = now();
    const serverTime = await call(() => venue.readTime(client));
    clockOffset = Math.round(serverTime - (sentAt + now()) / 2);
    const pairs = await call(() => venue.readPairs(client));
    const decimals = await unitsOf(pairs);
    byPair = new Map(byPair);
    byId = new Map(byId);
    activePairs = new Set();
    for (const { id, ...filters } of pairs) {
      const assetDecimals = decimals.get(filters.pair);
      if (assetDecimals === undefined) continue;
      const tradable = marketOrNull({ ...filters, assetDecimals });
      const market = tradable ?? byPair.get(filters.pair)?.market ?? readableMarket({ ...filters, assetDecimals });
      if (market === null) continue;
      byPair.set(market.pair, { market, id });
      byId.set(id, market);
      if (tradable !== null) activePairs.add(market.pair);
    }
    loadedAt = now();
  }

  /** Returns the decimals of the units of all pairs, and remembers the pairs that do not fit theirs. */
  async function unitsOf(pairs: readonly MarketFilters[]): Promise<ReadonlyMap<string, number>> {
    const tradable = pairs.filter((filters) => marketOrNull(filters) !== null);
    const proposed = new Map(tradable.map(({ pair, stepSize }) => [pair, newAssetDecimals(stepSize)]));
    const reserved = await units.reserve(proposed);
    unfitPairs = unfitSince(pairs, reserved);
    const longUnfit = [...proposed].filter(([pair]) => now() - (unfitPairs.get(pair) ?? now()) >= REFINED_AFTER_MS);
    if (longUnfit.length === 0) return reserved;
    const refined = await units.refine(new Map(longUnfit));
    unfitPairs = unfitSince(pairs, refined);
    return refined;
  }

  function unfitSince(pairs: readonly MarketFilters[], decimals: ReadonlyMap<string, number>) {
    const since = new Map<string, number>();
    for (const filters of pairs) {
      const { pair } = filters;
      const assetDecimals = decimals.get(pair);
      if (assetDecimals === undefined || marketOrNull({ ...filters, assetDecimals }) !== null) continue;
      since.set(pair, unfitPairs.get(pair) ?? now());
    }
    return since;
  }

  async function known(pair: string): Promise<KnownPair> {
    await load();
    const found = byPair.get(pair);
    if (!found) throw new ExchangeMisused(venue.name, `there is no pair ${pair}`);
    return found;
  }

  async function suspended(pairs: readonly string[]): Promise<ReadonlyMap<string, Suspension>> {
    await load();
    const ids = pairs.flatMap((pair) => byPair.get(pair)?.id ?? []);
    if (ids.length === 0) return new Map();
    const rows = await call(async () => (await venue.readStates?.(client, ids)) ?? []);
    const states = new Map(rows.map(({ symbol, status }) => [symbol, status]));
    const found = new Map<string, Suspension>();
    for (const id of ids) {
      const state = states.get(id);
      const market = byId.get(id);
      if (market === undefined || (state === 'TRADING' && !unfitPairs.has(market.pair))) continue;
      // No order is sent in a state that is unknown here, nor for a pair that is no longer listed or does not fit its unit.
      found.set(market.pair, state === 'CANCEL_ONLY' ? 'cancel_only' : 'halted');
    }
    // A pair that trades again is in the list of pairs again.
    if (pairs.some((pair) => !found.has(pair) && byPair.has(pair) && !activePairs.has(pair))) await load(0);
    return found;
  }

  return {
    load,
    known,
    suspended,
    /** Time by the venue's clock, ms. */
    time: () => now() + clockOffset,
    isActive: (pair: string) => activePairs.has(pair),
    /** Returns a pair that does not fit its unit; null for any other. */
    unfit: (pair: string) => (unfitPairs.has(pair) ? (byPair.get(pair)?.market ?? null) : null),
    active: () => [...byPair.values()].filter(({ market }) => activePairs.has(market.pair)),
    marketById: (id: string) => byId.get(id),
    idOf: (pair: string) => byPair.get(pair)?.id,
  };
}

/** Returns the market; null for a pair whose tick or step does not fit the units of prices or of the asset. */
function marketOrNull(filters: MarketFilters): Market | null {
  try {
    return marketOf(filters);
  } catch {
    return null;
  }
}

/** Returns a market by which the data of a pair are read whose tick or step is finer than its units. It is never traded. */
function readableMarket(filters: MarketFilters & { assetDecimals: number }): Market | null {
  const unit = 1 / 10 ** filters.assetDecimals;
  return marketOrNull({
    ...filters,
    tickSize: Math.max(filters.tickSize, 1e-8),
    stepSize: Math.max(filters.stepSize, unit),
    minQuantity: Math.max(filters.minQuantity, unit),
  });
}
