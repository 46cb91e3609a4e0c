import type { CommandResult } from '../bot/commandResult.ts';
import { handle } from '../bot/handle.ts';
import type { Bot } from '../state/bot.ts';
import type { Command, Effect } from '../state/botEvents.ts';

/**
 * Number of results that are stored to detect repeated requests. They are saved with the bot, and every order waits for that.
 */
const MAX_ANSWERS = 100;

/**
 * Runs a command. One with a request id acts once; a repetition returns the first result.
 *
 * @param answers results of the newest requests; the new one is added
 */
export function commandOnce(
  bot: Bot,
  answers: Record<string, CommandResult>,
  command: Command,
  at: number,
  effects: Effect[],
): CommandResult {
  const act = () => handle(bot, { type: 'command', at, command }, effects);
  const id = 'requestId' in command ? command.requestId : undefined;
  if (id === undefined) return act();
  if (Object.hasOwn(answers, id)) return answers[id] as CommandResult;
  const result = act();
  if ('changes' in result) shortenChanges(answers);
  answers[id] = result;
  for (const old of Object.keys(answers).slice(0, -MAX_ANSWERS)) delete answers[old];
  return result;
}

/** Empties the lists of earlier changes, which can be long. Their ids stay, so that a late repetition does not act again. */
function shortenChanges(answers: Record<string, CommandResult>): void {
  for (const [id, answer] of Object.entries(answers)) {
    if ('changes' in answer) answers[id] = { ...answer, changes: [] };
  }
}
