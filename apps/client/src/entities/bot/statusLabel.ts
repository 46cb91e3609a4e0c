import type { BotStatus } from '@heron/contract/bots/entities.ts';
import type { Locale } from '../../lib/preferences.ts';

/** What a bot is doing, in a word. */
export function statusLabel(status: BotStatus, { t }: Locale): string {
  return t(`status.${status}`);
}
