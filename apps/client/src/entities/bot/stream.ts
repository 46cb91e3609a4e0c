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
  'journal',
  'outside',
  'candles',
  'keys',
  'equity',
  'figures',
  'profits',
  'notices',
  'alarms',
] as const;

/** Keys among these that are pushed or invalidated only for the watched bot. */
const OF_WATCHED = ['trades', 'journal', 'outside', 'equity', 'figures', 'candles'] as const;
/** Keys among these whose gaps no later message reveals. */
const OF_FILLS = ['trades', 'outside', 'equity', 'figures'] as const;

/** Keeps what the screens show equal to what the bot host pushes, and fetches anew what a cut line has missed. */
export function followStream(stream: Stream, queries: QueryClient): void {
  const apply = oncePerFrame(
    (message) => applyMessage(queries, message),
    (flush) => void requestAnimationFrame(flush),
  );
  stream.onMessage(apply);
  let begun: string | null = null;
  stream.onMessage((message) => {
    if (message.type !== 'detail' || message.bot.id !== begun) return;
    begun = null;
    // Everything is pushed from here on. An answer requested together with the watch may have been read before.
    for (const key of OF_FILLS) renew(queries, [key, message.bot.id]);
  });
  stream.onWatch((id) => {
    begun = id;
    // Changes while nobody watched were not pushed. A fetch in flight was requested just now, so it has them.
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

/**
 * Holds quotes back until the next frame, of each pair only the newest: every one of them repaints its bot's whole page.
 * Everything else goes through at once, after the quotes that came before it.
 *
 * @param atNextFrame calls back before the next frame; a page that nobody sees has none, and keeps one quote a pair
 */
export function oncePerFrame(
  apply: (message: StreamMessage) => void,
  atNextFrame: (flush: () => void) => void,
): (message: StreamMessage) => void {
  const held = new Map<string, StreamMessage>();
  let asked = false;
  const flush = () => {
    const messages = [...held.values()];
    held.clear();
    for (const message of messages) apply(message);
  };
  return (message) => {
    if (message.type !== 'quote') {
      flush();
      apply(message);
      return;
    }
    held.set(`${message.id} ${message.pair}`, message);
    if (asked) return;
    asked = true;
    atNextFrame(() => {
      asked = false;
      flush();
    });
  };
}

/** Writes one pushed message into the cache. Candles are the chart's own affair. */
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
      // A screen that shows it asks again and is told that it is gone.
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
        // Lines in between were written while nobody watched.
        if (newestLine(journal) < message.entry.seq - 1) queueMicrotask(() => renew(queries, ['journal', message.id]));
        return journal && withEntry(journal, message.entry);
      });
      if (message.entry.kind === 'external') renew(queries, ['outside', message.id]);
      break;
    case 'notice':
      queries.setQueryData<number>(UNSEEN_KEY, (count = 0) => count + 1);
      pushInto<Notifications>(
        queries,
        ['notices'],
        (notifications) => notifications && withNotification(notifications, message.notice),
      );
      if (!URGENT_NOTIFICATIONS.includes(message.notice.kind)) break;
      pushInto<Notifications>(
        queries,
        ['notices', message.notice.bot],
        (notifications) => notifications && withNotification(notifications, message.notice),
      );
      pushInto<Alarms>(queries, ['alarms'], (alarms) => alarms && { bots: withAlarm(alarms.bots, message.notice) });
      break;
    case 'unseen': {
      const before = queries.getQueryData<number>(UNSEEN_KEY);
      queries.setQueryData<number>(UNSEEN_KEY, message.count);
      // Somebody has looked, in this window or another one.
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

/** A paired bot host has come or gone; what it told meanwhile was missed. */
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
  // An answer in flight has the state of the host at the time of its request.
  if (queries.getQueryData(['bots']) === undefined && queries.isFetching({ queryKey: ['bots'] }) === 0) fetchMissed();
}

/** Returns whether a bot is new or was reset; false while nothing is cached yet. */
function isNews(queries: QueryClient, now: BotSummary): boolean {
  const list = queries.getQueryData<Bots>(['bots']);
  const before = list?.bots.find(({ id }) => id === now.id) ?? queries.getQueryData<BotDetail>(['bot', now.id]);
  return (list !== undefined || before !== undefined) && beginsAnew(before, now);
}

/** Whether what is known of its past is not that of the bot now: it went to work or to rest, or has another account. */
function beginsAnew(before: BotSummary | undefined, now: BotSummary): boolean {
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

/** What moved a pair may be told a moment after the price that it had then. */
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
  const last = entries[KEPT_ENTRIES - 1];
  if (entries.length < 2 * KEPT_ENTRIES || !last) return { ...journal, pages: [{ ...first, entries }, ...older] };
  // Older lines are fetched again when somebody scrolls to them.
  return {
    pages: [{ entries: entries.slice(0, KEPT_ENTRIES), next: last.seq }],
    pageParams: journal.pageParams.slice(0, 1),
  };
}

/** With a new one before the others; older ones are fetched again when somebody scrolls to them. */
function withNotification(notifications: Notifications, notification: BotNotification): Notifications {
  const [first, ...older] = notifications.pages;
  if (!first || first.notices.some(({ id }) => id === notification.id)) return notifications;
  const all = [notification, ...first.notices];
  const last = all[KEPT_ENTRIES - 1];
  if (all.length < 2 * KEPT_ENTRIES || !last)
    return { ...notifications, pages: [{ ...first, notices: all }, ...older] };
  // As the server names the place where a page ends.
  const page = { ...first, notices: all.slice(0, KEPT_ENTRIES), next: `${last.at}.${last.id}` };
  return { pages: [page], pageParams: notifications.pageParams.slice(0, 1) };
}

/** Told twice it counts once: what was asked for may hold already what is pushed. */
function withAlarm(bots: readonly BotAlarms[], newest: BotNotification): BotAlarms[] {
  const known = bots.find(({ bot }) => bot === newest.bot);
  if (known && lineOf(known.newest) >= lineOf(newest)) return [...bots];
  const others = bots.filter((each) => each !== known);
  return [...others, { bot: newest.bot, count: (known?.count ?? 0) + 1, newest }];
}

/** Number of the journal line that a notification tells of. */
const lineOf = ({ id }: BotNotification) => Number(id.split('.')[1]);

/** Every page that is held is fetched again after a fill; older trades when somebody scrolls to them. */
function newestOf(trades: Trades): Trades {
  return { pages: trades.pages.slice(0, KEPT_PAGES), pageParams: trades.pageParams.slice(0, KEPT_PAGES) };
}

const KEPT_PAGES = 2;

/** Lines of the journal that are kept of a page that is left open, or up to twice as many. */
const KEPT_ENTRIES = 250;
