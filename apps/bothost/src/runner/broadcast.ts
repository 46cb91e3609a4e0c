import type { StreamMessage } from '@heron/contract/bots/stream.ts';

/** Something that clients should hear, on its way from a worker to control. */
export interface Push {
  readonly owner: string;
  readonly bot: string;
  /** Only for those who look at this bot; else for all windows of its owner. */
  readonly watchers: boolean;
  readonly message: StreamMessage;
}

/**
 * The worker's door to clients. Ask before computing: nothing is made for nobody.
 *
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export interface Broadcast {
  hasListener(owner: string): boolean;
  hasWatcher(bot: string): boolean;
  /** A notice goes to every control process: not only windows wait for it. */
  push(push: Push): void;
}
