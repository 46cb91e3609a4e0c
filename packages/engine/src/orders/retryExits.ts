import type { BotTurn } from '../state/turn.ts';

/** Makes exits that wait to be sent again due at once. */
export function retryExits({ bot, at }: BotTurn): void {
  for (const { exit } of bot.state.pairs) if (exit !== null && exit.order === null && exit.dueAt > at) exit.dueAt = at;
}
