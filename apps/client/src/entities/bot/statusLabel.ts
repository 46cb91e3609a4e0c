import type { BotStatus } from '@heron/contract/bots/entities.ts';
import type { Locale } from '../../lib/preferences.ts';

/** Returns the label of a bot's status. */
export function statusLabel(status: BotStatus, { t }: Locale): string {
  return t(`status.${status}`);
}
