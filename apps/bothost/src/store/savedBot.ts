import type { Text } from '@heron/contract/locales/text.ts';
import type { LiveSession } from '@heron/engine/live/eventContext.ts';
import { restoreLive } from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { createPaperSession, type PaperSession, restoreSession } from '@heron/engine/paper/paperSession.ts';
import { SessionTooNew } from '@heron/engine/session/stateVersion.ts';
import type { BotRow } from './botRow.ts';

/** The reason why a saved session cannot be used, as the alarms in the journal name it. */
export type Unreadable = 'state_too_new' | 'state_unreadable' | 'venue_differs';

/** A session of either kind. */
export type HostedSession = PaperSession | LiveSession;

/** A bot that is shown without its saved state, which cannot be used. */
export interface UnreadableBot {
  readonly session: PaperSession;
  readonly unreadable: Unreadable;
}

/** A bot as it was saved, or an unreadable one. */
export type SavedBot = { readonly session: HostedSession; readonly unreadable: null } | UnreadableBot;

const PROBLEMS: Readonly<Record<Unreadable, Text>> = {
  state_too_new: {
    zh: '机器人由更新版本的程序保存，请升级后再启动；已保存的内容未改动',
    en: 'The state was saved by a newer version of Heron. Upgrade, then start the bot. The saved data is unchanged',
  },
  venue_differs: {
    zh: '保存的状态属于另一个市场，机器人不会在此恢复；已保存的内容未改动',
    en: 'The saved state belongs to another venue, so the bot does not resume here. The saved data is unchanged',
  },
  state_unreadable: {
    zh: '无法读取机器人保存的状态，机器人已中止；已保存的内容未改动',
    en: 'The saved state cannot be read, so the bot has halted. The saved data is unchanged',
  },
};

/** @param text result of the engine's `saveSession`, of this version or another */
export function readSaved(row: BotRow, text: string): SavedBot {
  try {
    const session = restored(text);
    // Positions and orders of one venue do not exist on another.
    if (session.state.bot.options.exchange !== row.venue) return { session: asMade(row), unreadable: 'venue_differs' };
    return { session, unreadable: null };
  } catch (error) {
    return { session: asMade(row), unreadable: error instanceof SessionTooNew ? 'state_too_new' : 'state_unreadable' };
  }
}

function restored(text: string): HostedSession {
  const saved = JSON.parse(text) as LiveState | { kind?: undefined };
  return saved.kind === 'live' ? restoreLive(saved) : restoreSession(text);
}

/** Returns the message to the owner of an unreadable bot. */
export function unreadableText(unreadable: Unreadable): Text {
  return PROBLEMS[unreadable];
}

/** Creates a session that has not started, for display. It has the default options if this version rejects those of the bot. */
function asMade({ id, options, params }: BotRow): PaperSession {
  const checked = checkSetup({ options, params });
  if (checked.ok) return createPaperSession({ id, options: checked.options, params: checked.params });
  return createPaperSession({ id, options: { ...defaultOptions(), watch_pairs: '' }, params: {} });
}
