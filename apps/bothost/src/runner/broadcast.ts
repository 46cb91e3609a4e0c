import type { StreamMessage } from '@heron/contract/bots/stream.ts';

/** A message for clients, which a worker sends to the control process. */
export interface Push {
  readonly owner: string;
  readonly bot: string;
  /** Whether only clients that watch this bot get it; otherwise all clients of its owner do. */
  readonly watchers: boolean;
  readonly message: StreamMessage;
}

/**
 * Sends messages to clients. Callers check for listeners first, so that no message is built without one.
 *
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export interface Broadcast {
  hasListener(owner: string): boolean;
  hasWatcher(bot: string): boolean;
  /** A notification goes to every control process, because they also send it to paired hosts and devices. */
  push(push: Push): void;
}
