import { Candles, MINUTE_MS } from '../market/candles.ts';
import { Fundamentals } from '../market/fundamentals.ts';
import { generateHistory } from '../market/history.ts';
import { type Counters, PairMarket } from '../market/pairMarket.ts';
import type { Pair } from '../market/pairs.ts';
import { Random } from '../market/random.ts';
import type { DataFolder, StoredMarket } from '../storage/dataFolder.ts';
import type { JournalledTrade } from './accountTrades.ts';

/** After a longer pause a new history is generated up to now, from the last price. */
const MAX_GAP_MINUTES = 90 * 1440;
const HISTORY_DAYS = 30;
const DAY_MINUTES = 1440;
/** Counters may have advanced by this much between the last save and a kill. */
const COUNTER_GAP = 100_000;

export type VenueOptions<P extends Pair = Pair> = {
  seed: number;
  pairs: readonly P[];
  /** Epoch milliseconds. */
  now: number;
  /** The venue lives on in this folder after a restart; without it everything is forgotten. */
  folder?: DataFolder | undefined;
  /** The content of the folder. */
  stored?: StoredMarket | undefined;
};

export type OpenedMarkets = {
  markets: readonly PairMarket[];
  fundamentals: Fundamentals;
  /** Number of candles of each pair that the folder holds. */
  written: number[];
  /** Whether the history was generated because the folder had none, or too old a one. */
  isNew: boolean;
};

/** Opens new markets, or continues those of a folder. */
export function openMarkets(options: VenueOptions, journalled: readonly JournalledTrade[]): OpenedMarkets {
  const { seed, pairs, now, folder, stored } = options;
  const state = stored?.state;
  const fundamentals = state
    ? Fundamentals.restored(state.fundamentals, seed, pairs)
    : Fundamentals.seeded(seed, pairs);
  let candles = stored?.candles ?? pairs.map(() => new Candles());
  const written = candles.map(({ length }) => length);
  const isNew = needsHistory(stored, candles, now);
  if (isNew) {
    const nextIds = nextTradeIds(pairs, candles, stored, journalled);
    candles = newHistory(options, fundamentals, candles, nextIds);
    folder?.restartCandles(candles.map((one) => one.bytes()));
    candles.forEach(({ length }, i) => {
      written[i] = length;
    });
  }
  const markets = pairs.map((pair, i) => openMarket(pair, i, candles[i] as Candles, options));
  return { markets, fundamentals, written, isNew };
}

/** Whether the candles of the folder cannot be continued. Without a saved state the first start was interrupted. */
function needsHistory(stored: StoredMarket | undefined, candles: readonly Candles[], now: number): boolean {
  const lastTrade = (stored?.trades ?? []).reduce((latest, { trade }) => Math.max(latest, trade.time), 0);
  const storedUntil = Math.max(...candles.map(({ endMinute }) => endMinute), Math.floor(lastTrade / MINUTE_MS));
  const gap = Math.floor(now / MINUTE_MS) - storedUntil;
  return !stored?.state || gap > MAX_GAP_MINUTES || candles.some(({ length }) => length === 0);
}

/** Generates the candles of all pairs up to now, from the last prices of the old ones. */
function newHistory(
  { seed, pairs, now }: VenueOptions,
  fundamentals: Fundamentals,
  oldCandles: readonly Candles[],
  nextIds: readonly number[],
): Candles[] {
  const nowMinute = Math.floor(now / MINUTE_MS);
  // The history has a whole number of UTC days, so that daily candles begin whole.
  const from = Math.floor(nowMinute / DAY_MINUTES) * DAY_MINUTES - HISTORY_DAYS * DAY_MINUTES;
  oldCandles.forEach((candles, i) => {
    const last = candles.last();
    if (last) fundamentals.setPrice(i, last.close / 10 ** (pairs[i] as Pair).priceDecimals);
  });
  const markets = pairs.map((pair, i) => ({
    pair,
    candles: new Candles((HISTORY_DAYS + 3) * DAY_MINUTES),
    nextTradeId: nextIds[i] as number,
  }));
  generateHistory(seed, fundamentals, markets, from, nowMinute);
  return markets.map(({ candles }) => candles);
}

function openMarket(pair: Pair, index: number, candles: Candles, { seed, stored }: VenueOptions): PairMarket {
  const last = candles.last();
  const saved = stored?.state?.pairs[pair.symbol];
  const counters = restoreCounters(saved?.counters, stored?.state?.clean === true);
  counters.nextTradeId = Math.max(counters.nextTradeId, last ? last.firstTradeId + last.trades : 1);
  counters.nextAggregateId = Math.max(counters.nextAggregateId, counters.nextTradeId);
  const random = saved ? new Random(saved.random) : Random.seeded(seed, `${pair.symbol}/crowd`);
  return new PairMarket({ pair, index, candles, counters, random });
}

function restoreCounters(saved: Counters | undefined, clean: boolean): Counters {
  if (!saved) return { nextTradeId: 1, nextAggregateId: 1, nextOrderId: 1, updateId: 1 };
  if (clean) return { ...saved };
  // The tape holds every trade; the other counters may have advanced since the save.
  return { ...saved, nextOrderId: saved.nextOrderId + COUNTER_GAP, updateId: saved.updateId + COUNTER_GAP };
}

/** Returns the first unused trade id of each pair, from candles, tape and journal. */
function nextTradeIds(
  pairs: readonly Pair[],
  stores: readonly Candles[],
  stored: StoredMarket | undefined,
  known: readonly JournalledTrade[],
): number[] {
  const next = stores.map((store) => {
    const last = store.last();
    return last ? last.firstTradeId + last.trades : 1;
  });
  const raise = (pair: number, id: number) => {
    next[pair] = Math.max(next[pair] as number, id + 1);
  };
  for (const { pair, trade } of stored?.trades ?? []) raise(pair, trade.id);
  for (const fill of known) {
    raise(
      pairs.findIndex(({ symbol }) => symbol === fill.symbol),
      fill.trade.id,
    );
  }
  return next;
}
