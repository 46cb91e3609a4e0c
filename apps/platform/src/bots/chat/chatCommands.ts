import { randomInt } from 'node:crypto';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { CallError, errorText } from '@heron/contract/http/errors.ts';
import type { z } from 'zod';
import type { ChatCommands, CommandingChat } from '../../gateway/chatCommands.ts';
import { createRequestLimiter } from '../../gateway/requestLimiter.ts';
import { chatText, idInCommand, profitReply, statusReply } from './chatReplies.ts';

/** Time in which a command must be confirmed, ms. */
const CONFIRM_MS = 60_000;
/** More than a person types. */
const PER_MINUTE = 20;

/** Calls of a chat's owner to all bot hosts. */
export interface ChatBots {
  list(of: CommandingChat): Promise<unknown>;
  stop(of: CommandingChat, bot: string): Promise<unknown>;
  halt(of: CommandingChat, close: boolean): Promise<unknown>;
}

type Halted = z.output<typeof botCalls.haltAll.response> & {
  readonly away?: readonly { readonly name: string }[];
  readonly ownAway?: true;
};

/** A command that waits for its confirmation. */
interface Pending {
  readonly code: string;
  readonly until: number;
  run(): Promise<string>;
}

/**
 * Creates the commands of chats. Those that change something need a code that was sent to the same chat a moment ago. So
 * neither a tap by mistake nor a message that arrives late acts. A code acts once; a wrong one ends it.
 *
 * @param now ms; for tests
 */
export function createChatCommands(bots: ChatBots, now: () => number = Date.now): ChatCommands {
  const pending = new Map<string, Pending>();
  const limit = createRequestLimiter(PER_MINUTE, now);

  function isTooOften(chat: string): boolean {
    try {
      limit(chat);
      return false;
    } catch (error) {
      if (error instanceof CallError) return true;
      throw error;
    }
  }

  async function listed(of: CommandingChat): Promise<{ bots: readonly BotSummary[]; note: string }> {
    const { bots: found, hosts = [], ownAway } = botCalls.list.response.parse(await bots.list(of));
    const isPartial = ownAway === true || hosts.some(({ state }) => state !== 'up');
    return { bots: found, note: isPartial ? `\n\n${chatText(of.language, 'someAway')}` : '' };
  }

  function askFor(of: CommandingChat, question: (code: string) => string, run: Pending['run']): string {
    const code = String(randomInt(1_000, 10_000));
    pending.set(of.chat, { code, until: now() + CONFIRM_MS, run });
    return question(code);
  }

  async function askStop(of: CommandingChat, id: string): Promise<string> {
    const { language } = of;
    const bot = (await listed(of)).bots.find((each) => idInCommand(each.id) === id);
    if (bot === undefined) return chatText(language, 'unknown');
    const { name } = bot;
    return askFor(
      of,
      (code) => chatText(language, 'askStop', { name, code }),
      async () => {
        await bots.stop(of, bot.id);
        return chatText(language, 'stopped', { name });
      },
    );
  }

  function askHalt(of: CommandingChat, close: boolean): string {
    const question = close ? 'askClose' : 'askHalt';
    return askFor(
      of,
      (code) => chatText(of.language, question, { code }),
      async () => {
        return haltReply((await bots.halt(of, close)) as Halted, of);
      },
    );
  }

  async function confirm(of: CommandingChat, code: string): Promise<string> {
    const found = pending.get(of.chat);
    pending.delete(of.chat);
    if (found === undefined || found.code !== code || found.until < now()) return chatText(of.language, 'notConfirmed');
    return found.run();
  }

  async function act(of: CommandingChat, text: string): Promise<string | null> {
    const { language, right } = of;
    const [, name = '', argument = ''] = /^\/([a-z]+)(?:_([a-z0-9_]{1,20}))?\s*$/.exec(text) ?? [];
    switch (name) {
      case 'help':
      case 'start':
        return [
          chatText(language, 'help'),
          right === 'stop' && chatText(language, 'helpStop'),
          chatText(language, 'helpEnd'),
        ]
          .filter((part) => part !== false)
          .join('');
      case 'status':
      case 'bots': {
        const { bots: found, note } = await listed(of);
        return statusReply(found, language, right === 'stop') + note;
      }
      case 'profit': {
        const { bots: found, note } = await listed(of);
        return profitReply(found, language) + note;
      }
      case 'stop':
      case 'halt':
      case 'confirm':
        if (right !== 'stop') return chatText(language, 'notAllowed');
        if (name === 'confirm') return confirm(of, argument);
        if (name === 'halt') return askHalt(of, argument === 'close');
        return argument === '' ? chatText(language, 'unknown') : askStop(of, argument);
      default:
        return null;
    }
  }

  return {
    async answer(of, text) {
      if (isTooOften(of.chat)) return null;
      try {
        return await act(of, text);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (error.code === 'unavailable') return chatText(of.language, 'away');
        return chatText(of.language, 'failed', { reason: errorText(error.code, of.language, error.details) });
      }
    },
  };
}

function haltReply({ bots, away = [], ownAway }: Halted, { language }: CommandingChat): string {
  const confirmed = bots.filter((each) => each.confirmed).length;
  const done =
    bots.length === 0
      ? chatText(language, 'haltedNone')
      : chatText(language, 'halted', { count: bots.length, confirmed });
  const names = [...(ownAway === true ? ['Heron'] : []), ...away.map(({ name }) => name)];
  return names.length === 0 ? done : `${done}\n${chatText(language, 'notReached', { names: names.join(', ') })}`;
}
