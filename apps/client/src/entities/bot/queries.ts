import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { hostMethods, hostOf } from '@heron/contract/bots/pairedHosts.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { infiniteQueryOptions, queryOptions, skipToken } from '@tanstack/react-query';
import { ask, send } from '../../lib/server.ts';
import { candlesKey } from './candlesKey.ts';
import { untilClosed } from './untilClosed.ts';

const PAGE = 50;

/**
 * Refetch interval of the list of bots while a host does not respond. The stream does not report a host that was only slow.
 */
const AWAY_AGAIN_MS = 10_000;

export const botsQuery = () =>
  queryOptions({
    queryKey: ['bots'],
    queryFn: () => ask(botCalls.list),
    refetchInterval: ({ state: { data } }) =>
      data?.ownAway || data?.hosts?.some(({ state }) => state === 'away') ? AWAY_AGAIN_MS : false,
  });

export const botQuery = (id: string) =>
  queryOptions({ queryKey: ['bot', id], queryFn: () => ask(botCalls.get, { params: { id } }) });

/** @param host a paired bot host; null for this Heron's own host. The queries below use it in the same way. */
export const exchangesQuery = (host: string | null = null) =>
  queryOptions({
    queryKey: ['exchanges', host],
    queryFn: () => ask(botCalls.exchanges, { host }),
    staleTime: 60_000,
  });

/** Is fetched whenever it is shown, because bots that use the keys may change. */
export const keysQuery = (host: string | null = null) =>
  queryOptions({ queryKey: ['keys', host], queryFn: () => ask(botCalls.keys, { host }), staleTime: 0 });

/** A currency as exchanges write it. */
const CURRENCY = /^[A-Z0-9]{2,12}$/;

/** Fetches how much of a currency a new bot could use on the account of a key; nothing while no key is chosen. */
export const keyBalanceQuery = (id: string, currency: string, host: string | null) =>
  queryOptions({
    queryKey: ['keyBalance', host, id, currency],
    queryFn:
      id === '' || !CURRENCY.test(currency)
        ? skipToken
        : () => ask(botCalls.keyBalance, { params: { id }, query: { currency }, host }),
    staleTime: 10_000,
    retry: false,
  });

/** Fetches the paired bot hosts with their states. */
export const hostsQuery = () =>
  queryOptions({ queryKey: ['hosts'], queryFn: () => send(hostMethods.listHosts, {}), staleTime: 0 });

/** Fetches whether keys of a venue can be checked. It repeats the request, which waits on the server, until they can. */
export const keysReadyQuery = (venue: VenueId | null) =>
  queryOptions({
    queryKey: ['keysReady', venue],
    // The query is enabled only when there is a venue.
    queryFn: () => ask(botCalls.prepareKeys, { body: { venue: venue as VenueId } }),
    refetchInterval: (query) => (query.state.data?.ready ? false : 250),
    enabled: venue !== null,
  });

/** Fetches the markets of a venue; nothing while none is chosen. */
export const marketsQuery = (venue: VenueId | null, host: string | null) =>
  queryOptions({
    queryKey: ['markets', host, venue],
    queryFn: venue === null ? skipToken : () => ask(botCalls.markets, { query: { venue }, host }),
    refetchInterval: 30_000,
  });

/** Fetches a bot's candles. The stream adds new ones; they are fetched again only after the connection was lost. */
export const candlesQuery = (bot: BotDetail, pair: string) =>
  queryOptions({
    queryKey: candlesKey(bot, pair),
    queryFn: () => ask(botCalls.candles, { params: { id: bot.id }, query: { pair } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Number of candles per request of a chart. */
const CANDLE_PAGE = 500;

/** Fetches the newest closed candles of any period, and again after the next candle has closed. */
export const marketCandlesQuery = ({ venue, id }: BotDetail, pair: string, period: Period) =>
  venueCandlesQuery({ venue, host: hostOf(id) }, pair, period);

/** A venue as a bot host trades on it; null is this Heron's own host. */
interface HostedVenue {
  readonly venue: VenueId;
  readonly host: string | null;
}

/**
 * Fetches the newest closed candles of a pair that no bot needs to watch.
 *
 * @param until only candles that had closed by this time, ms; null for now
 */
export const venueCandlesQuery = (
  { venue, host }: HostedVenue,
  pair: string,
  period: Period,
  until: number | null = null,
) =>
  queryOptions({
    queryKey: ['marketCandles', host, venue, pair, period, until],
    queryFn: () => {
      const before = until === null ? {} : { before: until };
      return ask(botCalls.marketCandles, { query: { venue, pair, period, limit: CANDLE_PAGE, ...before }, host });
    },
    refetchInterval: () => (until === null ? untilClosed(period, Date.now()) : false),
    gcTime: 0,
  });

/** Fetches the newest candles of a pair that had closed by `before`. */
export const olderCandles = ({ venue, id }: BotDetail, pair: string, period: Period, before: number) =>
  olderVenueCandles({ venue, host: hostOf(id) }, pair, period, before);

/** Fetches the newest candles of a pair of a venue that had closed by `before`. */
export const olderVenueCandles = ({ venue, host }: HostedVenue, pair: string, period: Period, before: number) =>
  ask(botCalls.marketCandles, { query: { venue, pair, period, before, limit: CANDLE_PAGE }, host });

/** Fetches the newest trades of one pair, for the marks on its chart. */
export const pairTradesQuery = (id: string, pair: string) =>
  queryOptions({
    queryKey: ['trades', id, pair],
    queryFn: () => ask(botCalls.trades, { params: { id }, query: { pair, limit: 200 } }),
  });

/** Fetches the trades with fills of one position, newest first. */
export const positionTradesQuery = (id: string, position: number) =>
  infiniteQueryOptions({
    queryKey: ['trades', id, 'position', position],
    queryFn: ({ pageParam }) =>
      ask(botCalls.trades, {
        params: { id },
        query: { position, limit: PAGE, ...(pageParam ? { before: pageParam } : {}) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

export const tradesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['trades', id],
    queryFn: ({ pageParam }) =>
      ask(botCalls.trades, { params: { id }, query: { limit: PAGE, ...(pageParam ? { before: pageParam } : {}) } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** Number of journal entries per request, of which about ten belong to one decision. */
const JOURNAL_PAGE = 200;

/** Fetches the journal entries of one parent order. */
export const orderJournalQuery = (id: string, order: string) =>
  queryOptions({
    queryKey: ['journal', id, 'order', order],
    queryFn: () => ask(botCalls.journal, { params: { id }, query: { order, limit: 500 } }),
  });

export const journalQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['journal', id],
    queryFn: ({ pageParam }) =>
      ask(botCalls.journal, {
        params: { id },
        query: { limit: JOURNAL_PAGE, ...(pageParam ? { before: pageParam } : {}) },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });

/**
 * Fetches the notifications of the member's bots. They are fetched again whenever the list opens, so that seen notifications
 * show as seen.
 *
 * @param alarmsOf limits the list to the alerts of this bot
 */
export const notificationsQuery = (alarmsOf?: string) =>
  infiniteQueryOptions({
    queryKey: alarmsOf === undefined ? ['notifications'] : ['notifications', alarmsOf],
    queryFn: ({ pageParam }) =>
      ask(botCalls.notifications, {
        query: {
          limit: PAGE,
          ...(alarmsOf !== undefined && { bot: alarmsOf, only: 'urgent' }),
          ...(pageParam ? { before: pageParam } : {}),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Fetches the unseen alerts by bot. The stream adds new alerts and removes seen ones. */
export const alarmsQuery = () => queryOptions({ queryKey: ['alarms'], queryFn: () => ask(botCalls.alarms) });

const DAY_MS = 86_400_000;
const RANGE_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, all: null } as const;

/** Fetches the equity of a bot over a range that ends now. */
export const equityQuery = (id: string, range: keyof typeof RANGE_MS) =>
  queryOptions({
    queryKey: ['equity', id, range],
    queryFn: () => {
      const length = RANGE_MS[range];
      return ask(botCalls.equity, { params: { id }, query: length === null ? {} : { from: Date.now() - length } });
    },
    refetchInterval: 60_000,
  });

/** Fetches a bot's result by source, with months in the time zone of this device. */
export const figuresQuery = (id: string) =>
  queryOptions({
    queryKey: ['figures', id],
    queryFn: () => {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      return ask(botCalls.figures, { params: { id }, query: { zone } });
    },
  });

/** Fetches the profit of the member's bots since a time, and over the last 24 hours. */
export const profitsQuery = (since: number) =>
  queryOptions({
    queryKey: ['profits', since],
    queryFn: () => ask(botCalls.profits, { query: { since } }),
    refetchInterval: 300_000,
  });

const EXTERNAL_SHOWN = 3;

/** Fetches the newest journal entries about external changes on a live bot's account. */
export const externalChangesQuery = (id: string) =>
  queryOptions({
    queryKey: ['external', id],
    queryFn: () => ask(botCalls.journal, { params: { id }, query: { kind: 'external', limit: EXTERNAL_SHOWN } }),
  });
