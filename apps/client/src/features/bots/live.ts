import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, BotSummary, JournalEntry, Order, PairView } from '@heron/contract/bots/entities.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Stream } from '../../lib/stream.ts';

type Bots = z.output<typeof botCalls.list.response>;
type Journal = InfiniteData<z.output<typeof botCalls.journal.response>>;

/** Keeps what the screens show equal to what the bot host pushes, and fetches anew what a cut line has missed. */
export function followStream(stream: Stream, queries: QueryClient): void {
  stream.onMessage((message) => applyMessage(queries, message));
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
      patch(message.id, (bot) => withPair(bot, message.view.pair, () => message.view));
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

function withOrder(orders: readonly Order[], changed: Order, ended: boolean): Order[] {
  const others = orders.filter(({ clientOrderId }) => clientOrderId !== changed.clientOrderId);
  return ended ? others : [...others, changed];
}

function withEntry(journal: Journal, entry: JournalEntry): Journal {
  const [first, ...older] = journal.pages;
  if (!first || first.entries.some(({ seq }) => seq >= entry.seq)) return journal;
  return { ...journal, pages: [{ ...first, entries: [entry, ...first.entries] }, ...older] };
}
