import type { BotStatus } from '@heron/contract/bots/entities.ts';
import type { Words } from './labels.ts';

/** What a bot is doing, in a word. */
export function statusLabel(status: BotStatus, { t }: Words): string {
  return t(`status.${status}`);
}
