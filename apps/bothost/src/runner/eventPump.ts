import type { EventQueue, QueueItem } from './eventQueue.ts';

/** Dependencies of an event pump. */
export interface EventPumpDeps {
  readonly queue: EventQueue;
  /** Handles one item. @returns a promise when the next item must wait for it */
  handle(item: QueueItem): Promise<void> | null;
  hasEnded(): boolean;
  /** Is called whenever the queue is empty. */
  onIdle(): void;
  onFault(error: unknown): void;
}

/** Feeds the items of a queue to a handler, one at a time and in order. */
export interface EventPump {
  /** Handles the queue without a pause until an item must be waited for, and continues after it. Does nothing while it runs. */
  start(): void;
  /** Resolves when the item that is waited for is done. */
  settled(): Promise<void>;
}

export function createEventPump({ queue, handle, hasEnded, onIdle, onFault }: EventPumpDeps): EventPump {
  let busy = false;
  let waiting: Promise<void> = Promise.resolve();

  function pump(): void {
    busy = true;
    try {
      for (let item = queue.next(); item !== null && !hasEnded(); item = queue.next()) {
        const handled = handle(item);
        if (handled === null) continue;
        waiting = handled.catch(onFault).then(pump);
        return;
      }
    } catch (error) {
      onFault(error);
    }
    busy = false;
    onIdle();
  }

  return {
    start() {
      if (!busy) pump();
    },
    settled: () => waiting,
  };
}
