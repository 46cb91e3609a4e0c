import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, BotSummary, JournalEntry, Order, PairView } from '@heron/contract/bots/entities.ts';
import { type BotAlarms, type BotNotification, URGENT_NOTIFICATIONS } from '@heron/contract/bots/notifications.ts';
import type { PairedState } from '@heron/contract/bots/pairedHosts.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Stream } from '../../lib/stream.ts';
import { UNSEEN_KEY } from './alarm/unseen.ts';
import { pushInto, renew } from './pushes.ts';

type Alarms = z.output<typeof botCalls.alarms.response>;
type Bots = z.output<typeof botCalls.list.response>;
type Journal = InfiniteData<z.output<typeof botCalls.journal.response>>;
type Notifications = InfiniteData<z.output<typeof botCalls.notifications.response>>;
type Trades = InfiniteData<z.output<typeof botCalls.trades.response>>;

/** Data that bot hosts push or change, by the first part of the query key. */
const OF_HOSTS = [
  'bots',
  'bot',
  'trades',
  'positions',
  'journal',
  'external',
  'candles',
  'keys',
  'equity',
  'figures',
  'profits',
  'portfolio',
  'notifications',
  'alarms',
] as const;

/** Keys among these that are pushed or invalidated only for the watched bot. */
const OF_WATCHED = ['trades', 'positions', 'journal', 'external', 'equity', 'figures', 'candles'] as const;
/** Keys among these whose gaps no later message reveals. */
const OF_FILLS = ['trades', 'positions', 'external', 'equity', 'figures'] as const;

/** Kinds of journal entries that close a position, or change one that is closed. */
const CHANGES_POSITIONS: ReadonlySet<JournalEntry['kind']> = new Set(['position_closed', 'funding', 'external']);

/** Applies pushed messages to the cache, and fetches data again that may have changed while the connection was lost. */
export function followStream(stream: Stream, queries: QueryClient): void {
  const apply = gatherPairUpdates(
    (message) => applyMessage(queries, message),
    spacedFrames((draw) => void requestAnimationFrame(draw)),
  );
  stream.onMessage(apply);
  let begun: string | null = null;
  stream.onMessage((message) => {
    if (message.type !== 'detail' || message.bot.id !== begun) return;
    begun = null;
    // All changes are pushed from here on. A response requested together with the watch may be older.
    for (const key of OF_FILLS) renew(queries, [key, message.bot.id]);
  });
  stream.onWatch((id) => {
    begun = id;
    // Changes before the watch were not pushed. A pending fetch was requested just now, so it contains them.
    for (const key of OF_WATCHED) void queries.invalidateQueries({ queryKey: [key, id], fetchStatus: 'idle' });
  });
  let lost = false;
  stream.onStatus((status) => {
    if (status === 'lost') lost = true;
    if (status === 'open' && lost) {
      lost = false;
      for (const key of OF_HOSTS) renew(queries, [key]);
    }
  });
}

/** Minimum interval between two renderings of quotes and pairs, in ms. */
const PAIR_INTERVAL_MS = 250;

/**
 * Delays callbacks to a frame at least {@link PAIR_INTERVAL_MS} after the frame of the previous callback. A hidden page
 * has no frames.
 */
export function spacedFrames(atNextFrame: (draw: () => void) => void): (flush: () => void) => void {
  let earliest = 0;
  return (flush) => {
    const wait = () =>
      atNextFrame(() => {
        earliest = performance.now() + PAIR_INTERVAL_MS;
        flush();
      });
    const early = earliest - performance.now();
    if (early > 0) setTimeout(wait, early);
    else wait();
  };
}

/**
 * Delays quotes and views of pairs and keeps only the newest of each pair, because each renders the bot's whole page, and the
 * bot host pushes each pair several times a second. All other messages are applied at once, after those that came before them;
 * candles, which only the chart shows, do not end the delay.
 *
 * @param later calls back once, when the held messages are to be applied
 */
export function gatherPairUpdates(
  apply: (message: StreamMessage) => void,
  later: (flush: () => void) => void,
): (message: StreamMessage) => void {
  const held = new Map<string, StreamMessage>();
  let asked = false;
  const flush = () => {
    const messages = [...held.values()];
    held.clear();
    for (const message of messages) apply(message);
  };
  return (message) => {
    if (message.type !== 'quote' && message.type !== 'pair') {
      if (message.type !== 'candle') flush();
      apply(message);
      return;
    }
    held.set(`${message.type} ${message.id} ${message.type === 'pair' ? message.view.pair : message.pair}`, message);
    if (asked) return;
    asked = true;
    later(() => {
      asked = false;
      flush();
    });
  };
}

/** Writes one pushed message into the cache. The chart handles candles itself. */
export function applyMessage(queries: QueryClient, message: StreamMessage): void {
  const patch = (id: string, change: (bot: BotDetail) => BotDetail) =>
    pushInto<BotDetail>(queries, ['bot', id], (bot) => bot && change(bot));
  switch (message.type) {
    case 'bot':
      if (isNews(queries, message.bot)) {
        renew(queries, ['profits']);
        for (const key of ['equity', 'figures']) renew(queries, [key, message.bot.id]);
      }
      pushInto<Bots>(queries, ['bots'], (list) => list && { ...list, bots: withBot(list.bots, message.bot) });
      patch(message.bot.id, (bot) => ({ ...bot, ...message.bot }));
      break;
    case 'removed':
      pushInto<Bots>(
        queries,
        ['bots'],
        (list) => list && { ...list, bots: list.bots.filter(({ id }) => id !== message.id) },
      );
      // A screen that shows the bot fetches it again and gets the error that it is gone.
      void queries.resetQueries({ queryKey: ['bot', message.id] });
      break;
    case 'detail':
      pushInto<BotDetail>(queries, ['bot', message.bot.id], () => message.bot);
      break;
    case 'pair':
      patch(message.id, (bot) => withPair(bot, message.view.pair, (before) => withNewestQuote(before, message.view)));
      break;
    case 'quote':
      patch(message.id, (bot) =>
        withPair(bot, message.pair, (view) => {
          const { bid, ask, last, at: quotedAt } = message;
          return withNewestQuote(view, { ...view, bid, ask, last, quotedAt });
        }),
      );
      break;
    case 'order':
      patch(message.id, (bot) =>
        withPair(bot, message.order.pair, (view) => ({
          ...view,
          orders: withOrder(view.orders, message.order, message.ended !== null),
        })),
      );
      break;
    case 'fill':
      pushInto<Trades>(queries, ['trades', message.id], (trades) => trades && newestOf(trades));
      for (const key of ['trades', 'figures', 'equity']) renew(queries, [key, message.id]);
      break;
    case 'journal':
      pushInto<Journal>(queries, ['journal', message.id], (journal) => {
        // Entries in between were written before the watch.
        if (newestLine(journal) < message.entry.seq - 1) queueMicrotask(() => renew(queries, ['journal', message.id]));
        return journal && withEntry(journal, message.entry);
      });
      if (message.entry.kind === 'external') renew(queries, ['external', message.id]);
      if (CHANGES_POSITIONS.has(message.entry.kind)) renew(queries, ['positions', message.id]);
      break;
    case 'notice':
      queries.setQueryData<number>(UNSEEN_KEY, (count = 0) => count + 1);
      pushInto<Notifications>(
        queries,
        ['notifications'],
        (notifications) => notifications && withNotification(notifications, message.notice),
      );
      if (!URGENT_NOTIFICATIONS.includes(message.notice.kind)) break;
      pushInto<Notifications>(
        queries,
        ['notifications', message.notice.bot],
        (notifications) => notifications && withNotification(notifications, message.notice),
      );
      pushInto<Alarms>(queries, ['alarms'], (alarms) => alarms && { bots: withAlarm(alarms.bots, message.notice) });
      break;
    case 'unseen': {
      const before = queries.getQueryData<number>(UNSEEN_KEY);
      queries.setQueryData<number>(UNSEEN_KEY, message.count);
      // Notifications were seen in this window or in another one.
      if (before !== undefined && before !== message.count) renew(queries, ['alarms']);
      break;
    }
    case 'host':
      hostBecame(queries, message.host);
      break;
    case 'candle':
      break;
  }
}

/**
 * Applies the state of a paired bot host. When the state changes, data that may have changed meanwhile are fetched again.
 */
function hostBecame(queries: QueryClient, host: PairedState): void {
  const fetchMissed = () => {
    renew(queries, ['hosts']);
    if (host.state !== 'up') return;
    for (const key of OF_HOSTS) renew(queries, [key]);
  };
  pushInto<Bots>(queries, ['bots'], (list) => {
    if (!list) return list;
    const known = list.hosts?.find(({ id }) => id === host.id);
    if (known?.state !== host.state) queueMicrotask(fetchMissed);
    return { ...list, hosts: [...(list.hosts ?? []).filter(({ id }) => id !== host.id), host] };
  });
  // A pending response contains the state of the host at the time of its request.
  if (queries.getQueryData(['bots']) === undefined && queries.isFetching({ queryKey: ['bots'] }) === 0) fetchMissed();
}

/** Returns whether a bot is new or was reset; false while nothing is cached yet. */
function isNews(queries: QueryClient, now: BotSummary): boolean {
  const list = queries.getQueryData<Bots>(['bots']);
  const before = list?.bots.find(({ id }) => id === now.id) ?? queries.getQueryData<BotDetail>(['bot', now.id]);
  return (list !== undefined || before !== undefined) && isOutdated(before, now);
}

/** Returns whether the cached past of a bot is outdated: its status, currency or start capital changed, or it was reset. */
function isOutdated(before: BotSummary | undefined, now: BotSummary): boolean {
  return (
    before?.status !== now.status ||
    before.performance.currency !== now.performance.currency ||
    before.performance.startCapital !== now.performance.startCapital ||
    // A lower count means that the paper account was reset.
    before.performance.trades > now.performance.trades
  );
}

function withBot(bots: readonly BotSummary[], changed: BotSummary): BotSummary[] {
  return bots.some(({ id }) => id === changed.id)
    ? bots.map((bot) => (bot.id === changed.id ? changed : bot))
    : [changed, ...bots];
}

function withPair(bot: BotDetail, pair: string, change: (view: PairView) => PairView): BotDetail {
  return { ...bot, pairViews: bot.pairViews.map((view) => (view.pair === pair ? change(view) : view)) };
}

/** Keeps the newer quote, because a pair update may arrive after a newer price. */
function withNewestQuote(before: PairView, view: PairView): PairView {
  if ((before.quotedAt ?? 0) <= (view.quotedAt ?? 0)) return view;
  const { bid, ask, last, quotedAt } = before;
  return { ...view, bid, ask, last, quotedAt };
}

function withOrder(orders: readonly Order[], changed: Order, ended: boolean): Order[] {
  const others = orders.filter(({ clientOrderId }) => clientOrderId !== changed.clientOrderId);
  return ended ? others : [...others, changed];
}

function newestLine(journal: Journal | undefined): number {
  return journal?.pages[0]?.entries[0]?.seq ?? Number.POSITIVE_INFINITY;
}

function withEntry(journal: Journal, entry: JournalEntry): Journal {
  const [first, ...older] = journal.pages;
  if (!first || first.entries.some(({ seq }) => seq >= entry.seq)) return journal;
  const entries = [entry, ...first.entries];
  const last = entries[OPEN_PAGE_ENTRIES - 1];
  if (entries.length < 2 * OPEN_PAGE_ENTRIES || !last) return { ...journal, pages: [{ ...first, entries }, ...older] };
  // Older entries are fetched again on scrolling.
  return {
    pages: [{ entries: entries.slice(0, OPEN_PAGE_ENTRIES), next: last.seq }],
    pageParams: journal.pageParams.slice(0, 1),
  };
}

/** Adds a new notification first. Older ones are fetched again on scrolling. */
function withNotification(notifications: Notifications, notification: BotNotification): Notifications {
  const [first, ...older] = notifications.pages;
  if (!first || first.notices.some(({ id }) => id === notification.id)) return notifications;
  const all = [notification, ...first.notices];
  const last = all[OPEN_PAGE_ENTRIES - 1];
  if (all.length < 2 * OPEN_PAGE_ENTRIES || !last)
    return { ...notifications, pages: [{ ...first, notices: all }, ...older] };
  // The cursor has the format of the server.
  const page = { ...first, notices: all.slice(0, OPEN_PAGE_ENTRIES), next: `${last.at}.${last.id}` };
  return { pages: [page], pageParams: notifications.pageParams.slice(0, 1) };
}

/** Adds an alert to its bot. An alert that a response already contained is not counted again. */
function withAlarm(bots: readonly BotAlarms[], newest: BotNotification): BotAlarms[] {
  const known = bots.find(({ bot }) => bot === newest.bot);
  if (known && lineOf(known.newest) >= lineOf(newest)) return [...bots];
  const others = bots.filter((each) => each !== known);
  return [...others, { bot: newest.bot, count: (known?.count ?? 0) + 1, newest }];
}

/** Returns the sequence number of the journal entry of a notification. */
const lineOf = ({ id }: BotNotification) => Number(id.split('.')[1]);

/**
 * Keeps the newest pages, since each cached page is fetched again after a fill. Older trades are fetched again on scrolling.
 */
function newestOf(trades: Trades): Trades {
  return { pages: trades.pages.slice(0, OPEN_PAGES), pageParams: trades.pageParams.slice(0, OPEN_PAGES) };
}

const OPEN_PAGES = 2;

/** Number of journal entries, and of notifications, kept for an open page. The list is cut at twice this number. */
const OPEN_PAGE_ENTRIES = 250;
