import { type CommandResult, takeCommand } from '../bot/bot.ts';
import type { Command, Effect } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';

/** A request that comes again later than this many others is no repetition any more. */
const ANSWERS_KEPT = 1_000;

/**
 * Gives a command to the bot. One with a request id acts once: told again, it has the answer of the first time.
 *
 * @param answers of the newest requests; the new one is added
 */
export function commandOnce(
  bot: Bot,
  answers: Record<string, CommandResult>,
  command: Command,
  at: number,
  effects: Effect[],
): CommandResult {
  if (!('requestId' in command)) return takeCommand(bot, command, at, effects);
  if (Object.hasOwn(answers, command.requestId)) return answers[command.requestId] as CommandResult;
  const result = takeCommand(bot, command, at, effects);
  answers[command.requestId] = result;
  const ids = Object.keys(answers);
  if (ids.length > ANSWERS_KEPT) delete answers[ids[0] as string];
  return result;
}
