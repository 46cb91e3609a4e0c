import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';

/** Returns whether a bot trades positions on margin. Direction, leverage and liquidation price exist only there. */
export function isFuture({ venue }: Pick<BotSummary, 'venue'>): boolean {
  return exchangeOfVenue(venue)?.future === true;
}
