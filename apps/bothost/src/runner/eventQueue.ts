import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';

/** One thing for a bot to do: an event, or a save. `answer` hears its outcome once it is committed. */
export interface QueueItem {
  readonly event: MarketEvent | ExecutionEvent | null;
  readonly answer?: PromiseWithResolvers<CommandResult | null>;
  /** True once what it tells is not wanted any more: then nothing is done with it. */
  outdated?(): boolean;
}

/** What a bot has still to handle, in order. */
export interface EventQueue {
  put(item: QueueItem): void;
  next(): QueueItem | null;
  /** Empties it; the commands in it are told `error`. */
  fail(error: unknown): void;
}

/**
 * @param stalled true while the bot cannot handle events: then of quotes only the newest of each pair is kept, and public
 *   trades are not, because a fill by a trade long past would be a dream. Candles and commands always are.
 */
export function createEventQueue(stalled: () => boolean): EventQueue {
  let items: (QueueItem | null)[] = [];
  let head = 0;
  /** Where the waiting quote of each pair is. */
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
