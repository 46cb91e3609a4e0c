import type { Language } from '@heron/contract/http/errors.ts';

/** What accounts ask of the bot host before somebody is gone. */
export type BotLifecycle = {
  /**
   * Stops all bots of somebody and waits until none can trade any more. Positions stay at the exchange as they are.
   *
   * @throws CallError `bots_not_stopped` when the bot host is not there, or a bot does not stop in time
   */
  stopAll(userId: number, language: Language): Promise<void>;
  /**
   * Deletes all bots of somebody with their history, and their exchange keys.
   *
   * @param orders what of those that still rest at the exchange: their cancelling needs a key that works
   * @throws CallError as `stopAll`
   */
  removeAll(userId: number, orders: 'cancel' | 'leave'): Promise<void>;
};
