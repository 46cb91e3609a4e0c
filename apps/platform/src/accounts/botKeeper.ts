import type { Language } from '@heron/contract/http/errors.ts';

/** What accounts ask of the bot host before somebody is gone. */
export type BotKeeper = {
  /**
   * Stops all bots of somebody and waits until none can trade any more. Positions stay at the exchange as they are.
   *
   * @throws CallError `bots_not_stopped` when the bot host is not there, or a bot does not stop in time
   */
  stopAll(userId: number, language: Language): Promise<void>;
  /**
   * Deletes all stopped bots of somebody with their history, and their exchange keys.
   *
   * @throws CallError as `stopAll`
   */
  removeAll(userId: number): Promise<void>;
};
