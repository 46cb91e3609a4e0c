import type { AccountView, BotDetail, BotSummary } from '@heron/contract/bots/entities.ts';
import { describeWarning } from '@heron/contract/locales/optionWarningText.ts';
import type { Text } from '@heron/contract/locales/text.ts';
import { setupWarnings } from '@heron/engine/options/setupWarnings.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import { nextPlanOfBot } from '@heron/engine/session/nextPlan.ts';
import { pairViews, performanceView, positionCount } from '@heron/engine/session/sessionView.ts';
import { isEnding } from '@heron/engine/state/botStatus.ts';
import { isWatched } from '@heron/engine/state/pairActivity.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import { type BotRow, modeOf } from './botRow.ts';
import { type SavedBot, unreadableText } from './savedBot.ts';

/** State of a bot that is in neither its row nor its session. */
export interface BotViewDeps {
  /** The problem that stops the bot at the moment. */
  readonly problem: Text | null;
  /** Whether a fault of the program has stopped the bot. */
  readonly failed: boolean;
  /** The connection of a running live bot to its account; null for other bots. */
  readonly account: Pick<AccountView, 'connection' | 'comparedAt'> | null;
  /** The pause that the exchange has demanded; null while it accepts requests, and for a bot that no worker runs. */
  readonly pause: Pause | null;
}

/** Returns the summary of a bot for lists. */
export function botSummary(row: BotRow, session: BotSession, around: BotViewDeps, at: number): BotSummary {
  const { bot } = session.state;
  return {
    id: row.id,
    name: row.name,
    // The database contains only ids from the table of venues.
    venue: row.venue as VenueId,
    mode: modeOf(bot),
    status: around.failed ? 'error' : bot.status,
    draining: isEnding(bot, at),
    ...(isEnding(bot, at) && bot.pairs.some(({ closing }) => closing) ? { closing: true } : {}),
    problem: around.problem && { zh: around.problem.zh, en: around.problem.en },
    strategy: { id: bot.options.strategy, params: { ...bot.params } },
    period: bot.options.period,
    pairs: bot.pairs.filter(isWatched).map(({ pair }) => pair),
    openPairs: positionCount(session),
    performance: performanceView(session),
    nextPlan: around.failed ? null : nextPlanOfBot(session.bot, at),
    createdAt: row.createdAt,
    startedAt: bot.startedAt === 0 ? null : bot.startedAt,
  };
}

/** Returns the details of a bot for its page. */
export function botDetail(row: BotRow, session: BotSession, around: BotViewDeps, at: number): BotDetail {
  const { keyId, allotment } = row;
  return {
    ...botSummary(row, session, around, at),
    account:
      keyId === null ? null : { key: keyId, allotment, ...(around.account ?? { connection: 'off', comparedAt: null }) },
    pause: around.pause,
    options: { ...session.state.bot.options },
    warnings: setupWarnings(session.state.bot)
      .map(describeWarning)
      .map(({ option, message: { zh, en } }) => ({
        option,
        message: { zh, en },
      })),
    pairViews: pairViews(session, at),
  };
}

/** Returns the details of a bot that does not run, from its saved state. */
export function savedDetail(row: BotRow, { session, unreadable }: SavedBot, at: number): BotDetail {
  const problem = unreadable === null ? null : unreadableText(unreadable);
  return botDetail(row, session, { problem, failed: unreadable !== null, account: null, pause: null }, at);
}
