import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { mergeGroups } from '@heron/contract/bots/mergeGroups.ts';
import type { Portfolio } from '@heron/contract/bots/portfolio.ts';
import { listBots } from '../../store/botStore.ts';
import { closedSums, NOTHING_CLOSED } from '../../store/closedSums.ts';
import { dailyReturns } from '../../store/dailyReturns.ts';
import { keyLabels } from '../../store/keyViews.ts';
import { readSaved } from '../../store/savedBot.ts';
import type { ApiContext, BotHandlers } from '../apiContext.ts';
import { botGroup } from './botGroup.ts';

/** Creates the handler of the call about the money of all bots of an owner. */
export function createPortfolioHandlers({ database, views, now }: ApiContext): BotHandlers<'portfolio'> {
  /** Returns the bots that are shown without their saved state, so that their money is unknown. */
  async function unreadableOf(user: string, bots: readonly BotDetail[]): Promise<Set<string>> {
    const failed = bots.filter(({ status }) => status === 'error');
    const stored = failed.length === 0 ? [] : await listBots(database, user);
    const readable = stored.filter(({ row, session }) => readSaved(row, session).unreadable === null);
    return new Set(failed.map(({ id }) => id)).difference(new Set(readable.map(({ row }) => row.id)));
  }

  return {
    async portfolio({ user, query }): Promise<Portfolio> {
      const [bots, closed, returns, labels] = await Promise.all([
        views.details(user),
        closedSums(database, user, query.zone),
        dailyReturns(database, user, query.zone, now()),
        keyLabels(database, user),
      ]);
      const unreadable = await unreadableOf(user, bots);
      const counted = bots.filter(({ id }) => !unreadable.has(id));
      return {
        groups: mergeGroups(
          counted.map((bot) =>
            botGroup(bot, {
              closed: closed.get(bot.id) ?? NOTHING_CLOSED,
              returns: returns.get(bot.id),
              keyLabel: labels.get(bot.account?.key ?? ''),
            }),
          ),
        ),
        uncounted: bots.filter(({ id }) => unreadable.has(id)).map(({ id, name }) => ({ bot: id, name })),
      };
    },
  };
}
