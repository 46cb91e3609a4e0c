import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';

/** Whether a bot trades positions on margin: direction, leverage and liquidation price mean something there only. */
export function isFuture({ venue }: Pick<BotSummary, 'venue'>): boolean {
  return exchangeOfVenue(venue)?.future === true;
}
