import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, BotSummary, JournalEntry, Order, PairView } from '@heron/contract/bots/entities.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Stream } from '../../lib/stream.ts';

type Bots = z.output<typeof botCalls.list.response>;
type Journal = InfiniteData<z.output<typeof botCalls.journal.response>>;
type Trades = InfiniteData<z.output<typeof botCalls.trades.response>>;

/** Keeps what the screens show equal to what the bot host pushes, and fetches anew what a cut line has missed. */
export function followStream(stream: Stream, queries: QueryClient): void {
  const apply = oncePerFrame(
    (message) => applyMessage(queries, message),
    (flush) => void requestAnimationFrame(flush),
  );
  stream.onMessage(apply);
  let lost = false;
  stream.onStatus((status) => {
    if (status === 'lost') lost = true;
    if (status === 'open' && lost) {
      lost = false;
      for (const key of [
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
      ])
        void queries.invalidateQueries({ queryKey: [key] });
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
    queries.setQueryData<BotDetail>(['bot', id], (bot) => bot && change(bot));
  switch (message.type) {
    case 'bot':
      queries.setQueryData<Bots>(['bots'], (list) => list && { bots: withBot(list.bots, message.bot) });
      patch(message.bot.id, (bot) => ({ ...bot, ...message.bot }));
      break;
    case 'removed':
      queries.setQueryData<Bots>(['bots'], (list) => list && { bots: list.bots.filter(({ id }) => id !== message.id) });
      // A screen that shows it asks again and is told that it is gone.
      void queries.resetQueries({ queryKey: ['bot', message.id] });
      break;
    case 'detail':
      queries.setQueryData<BotDetail>(['bot', message.bot.id], message.bot);
      break;
    case 'pair':
      patch(message.id, (bot) => withPair(bot, message.view.pair, (before) => withNewestQuote(before, message.view)));
      break;
    case 'quote':
      patch(message.id, (bot) =>
        withPair(bot, message.pair, (view) => ({
          ...view,
          bid: message.bid,
          ask: message.ask,
          last: message.last,
          quotedAt: message.at,
        })),
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
      queries.setQueryData<Trades>(['trades', message.id], (trades) => trades && newestOf(trades));
      for (const key of ['trades', 'figures', 'equity'])
        void queries.invalidateQueries({ queryKey: [key, message.id] });
      break;
    case 'journal':
      queries.setQueryData<Journal>(['journal', message.id], (journal) => journal && withEntry(journal, message.entry));
      if (message.entry.kind === 'external') void queries.invalidateQueries({ queryKey: ['outside', message.id] });
      break;
    case 'candle':
      break;
  }
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

/** Every page that is held is fetched again after a fill; older trades when somebody scrolls to them. */
function newestOf(trades: Trades): Trades {
  return { pages: trades.pages.slice(0, KEPT_PAGES), pageParams: trades.pageParams.slice(0, KEPT_PAGES) };
}

const KEPT_PAGES = 2;

/** Lines of the journal that are kept of a page that is left open, or up to twice as many. */
const KEPT_ENTRIES = 250;
