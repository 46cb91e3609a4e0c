import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';

/** An event for a bot, or a save when `event` is null. `answer` settles once the item is committed. */
export interface QueueItem {
  readonly event: MarketEvent | ExecutionEvent | null;
  readonly answer?: PromiseWithResolvers<CommandResult | null>;
  /** Whether the item is obsolete, so that it is dropped. */
  outdated?(): boolean;
}

/** The items that a bot has not handled yet, in order. */
export interface EventQueue {
  put(item: QueueItem): void;
  next(): QueueItem | null;
  /** Removes all items, and rejects each `answer` with `error`. */
  fail(error: unknown): void;
}

/**
 * @param stalled whether the bot cannot handle events for long. Then only the newest quote of each pair stays, and public trades
 *   are dropped, because a fill against an old trade would be fictitious. Candles and commands always stay.
 */
export function createEventQueue(stalled: () => boolean): EventQueue {
  let items: (QueueItem | null)[] = [];
  let head = 0;
  /** Index of the queued quote of each pair. */
  const quotes = new Map<string, number>();

  return {
    put(item) {
      const { event } = item;
      if (stalled() && event?.type === 'trade') return;
      if (event?.type === 'quote') {
        const waiting = quotes.get(event.pair);
        if (stalled() && waiting !== undefined) items[waiting] = null;
        quotes.set(event.pair, items.length);
      }
      items.push(item);
    },
    next() {
      while (head < items.length) {
        const item = items[head++];
        if (head === items.length) {
          items = [];
          head = 0;
          quotes.clear();
        }
        if (!item) continue;
        if (item.event?.type === 'quote' && quotes.get(item.event.pair) === head - 1) quotes.delete(item.event.pair);
        return item;
      }
      return null;
    },
    fail(error) {
      for (const item of items.slice(head)) item?.answer?.reject(error);
      items = [];
      head = 0;
      quotes.clear();
    },
  };
}
