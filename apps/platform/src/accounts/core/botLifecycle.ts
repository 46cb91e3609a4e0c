import type { Language } from '@heron/contract/http/errors.ts';

/** Operations of the bot host that accounts need before a deletion. */
export type BotLifecycle = {
  /**
   * Stops all bots of a user and waits until none can trade. Positions stay open at the exchange.
   *
   * @throws CallError `bots_not_stopped` when the bot host is down, or a bot does not stop in time
   */
  stopAll(userId: number, language: Language): Promise<void>;
  /**
   * Deletes all bots of a user with their history, and the exchange keys of the user.
   *
   * @param orders whether open orders are cancelled, which needs a valid key, or left at the exchange
   * @throws CallError as `stopAll`
   */
  removeAll(userId: number, orders: 'cancel' | 'leave'): Promise<void>;
};
