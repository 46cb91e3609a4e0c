import type { BotStatus } from '@heron/contract/bots/entities.ts';
import type { Words } from './words.ts';

/** What a bot is doing, in a word. */
export function statusWord(status: BotStatus, { t }: Words): string {
  return t(`status.${status}`);
}
