import type { BotSummary } from '@heron/contract/bots/entities.ts';

/** The outcome of an action for one bot. `waiting` until its turn comes. */
export type Outcome =
  | { readonly is: 'waiting' }
  | { readonly is: 'done' }
  | { readonly is: 'failed'; readonly error: unknown };

/** Number of requests at the same time. */
const AT_ONCE = 4;

/**
 * Sends a request for each bot. A failure does not keep the others from being sent.
 *
 * @param onOutcome called once per bot, in the order in which the responses arrive
 */
export async function runBulk(
  bots: readonly BotSummary[],
  send: (bot: BotSummary) => Promise<unknown>,
  onOutcome: (bot: BotSummary, outcome: Outcome) => void,
): Promise<void> {
  const queue = bots.values();
  const work = async () => {
    for (const bot of queue) {
      try {
        await send(bot);
        onOutcome(bot, { is: 'done' });
      } catch (error) {
        onOutcome(bot, { is: 'failed', error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
