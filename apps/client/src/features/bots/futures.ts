import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { EXCHANGES } from '@heron/engine/options/exchanges.ts';

/** Whether a bot trades positions on margin: direction, leverage and liquidation price mean something there only. */
export function isFuture({ exchange }: Pick<BotSummary, 'exchange'>): boolean {
  return EXCHANGES.some(({ name, future }) => name === exchange && future);
}
