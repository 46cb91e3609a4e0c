import { botCalls } from '@heron/contract/bots/calls.ts';
import type { Period } from '@heron/engine/market/period.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ask } from '../../lib/server.ts';
import { untilClosed } from './chart/untilClosed.ts';

const PAGE = 50;

export const botsQuery = () => queryOptions({ queryKey: ['bots'], queryFn: () => ask(botCalls.list) });

export const botQuery = (id: string) =>
  queryOptions({ queryKey: ['bot', id], queryFn: () => ask(botCalls.get, { params: { id } }) });

export const exchangesQuery = () =>
  queryOptions({ queryKey: ['exchanges'], queryFn: () => ask(botCalls.exchanges), staleTime: 60_000 });

/** Asked for anew wherever it is shown: bots come and go beside it. */
export const keysQuery = () => queryOptions({ queryKey: ['keys'], queryFn: () => ask(botCalls.keys), staleTime: 0 });

/** Whether the exchange can be asked about keys; until it can, it is asked again, which waits there. */
export const keysReadyQuery = (exchange: string) =>
  queryOptions({
    queryKey: ['keysReady', exchange],
    queryFn: () => ask(botCalls.prepareKeys, { body: { exchange } }),
    refetchInterval: (query) => (query.state.data?.ready ? false : 250),
    enabled: exchange !== '',
  });

export const marketsQuery = (exchange: string) =>
  queryOptions({
    queryKey: ['markets', exchange],
    queryFn: () => ask(botCalls.markets, { query: { exchange } }),
    refetchInterval: 30_000,
  });

/** Candles grow by the stream; they are fetched again only when the line was cut. */
export const candlesQuery = (id: string, pair: string) =>
  queryOptions({
    queryKey: ['candles', id, pair],
    queryFn: () => ask(botCalls.candles, { params: { id }, query: { pair } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Candles that a chart asks for at once. */
const CANDLE_PAGE = 500;

/** Closed candles of any length; the newest, which are asked for again when the next one has closed. */
export const marketCandlesQuery = (exchange: string, pair: string, period: Period) =>
  queryOptions({
    queryKey: ['marketCandles', exchange, pair, period],
    queryFn: () => ask(botCalls.marketCandles, { query: { exchange, pair, period, limit: CANDLE_PAGE } }),
    refetchInterval: () => untilClosed(period, Date.now()),
    gcTime: 0,
  });

/** Closed candles of a pair that had closed by `before`, newest of those. */
export const olderCandles = (exchange: string, pair: string, period: Period, before: number) =>
  ask(botCalls.marketCandles, { query: { exchange, pair, period, before, limit: CANDLE_PAGE } });

/** Newest trades of one pair, for the markers of its chart. */
export const pairTradesQuery = (id: string, pair: string) =>
  queryOptions({
    queryKey: ['trades', id, pair],
    queryFn: () => ask(botCalls.trades, { params: { id }, query: { pair, limit: 200 } }),
  });

export const tradesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['trades', id],
    queryFn: ({ pageParam }) =>
      ask(botCalls.trades, { params: { id }, query: { limit: PAGE, ...(pageParam ? { before: pageParam } : {}) } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

export const journalQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['journal', id],
    queryFn: ({ pageParam }) =>
      ask(botCalls.journal, { params: { id }, query: { limit: PAGE, ...(pageParam ? { before: pageParam } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });

const DAY_MS = 86_400_000;
const RANGE_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, all: null } as const;

/** What a bot was worth, over a time that ends now. */
export const equityQuery = (id: string, range: keyof typeof RANGE_MS) =>
  queryOptions({
    queryKey: ['equity', id, range],
    queryFn: () => {
      const length = RANGE_MS[range];
      return ask(botCalls.equity, { params: { id }, query: length === null ? {} : { from: Date.now() - length } });
    },
    refetchInterval: 60_000,
  });

/** Where the result of a bot comes from, in months of this device's zone. */
export const figuresQuery = (id: string) =>
  queryOptions({
    queryKey: ['figures', id],
    queryFn: () => {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      return ask(botCalls.figures, { params: { id }, query: { zone } });
    },
  });

/** What own bots have won or lost since a moment, and their last 24 hours. */
export const profitsQuery = (since: number) =>
  queryOptions({
    queryKey: ['profits', since],
    queryFn: () => ask(botCalls.profits, { query: { since } }),
    refetchInterval: 300_000,
  });

const OUTSIDE_SHOWN = 3;

/** The newest lines about what happened on a live bot's account without it. */
export const outsideQuery = (id: string) =>
  queryOptions({
    queryKey: ['outside', id],
    queryFn: () => ask(botCalls.journal, { params: { id }, query: { kind: 'external', limit: OUTSIDE_SHOWN } }),
  });
