import { environmentOf, exchangeOfVenue } from '@heron/engine/options/venues.ts';
import type { HostConfig } from '../config.ts';

/** Returns the key of the demo exchange behind a venue; null for other venues, and where that exchange is on another machine. */
export function demoKeyOf({ demo }: Pick<HostConfig, 'demo'>, venue: string): { key: string; secret: string } | null {
  const exchange = exchangeOfVenue(venue);
  if (exchange === undefined || environmentOf(venue) !== 'demo') return null;
  return Object.entries(demo).find(([name]) => name === exchange.name)?.[1]?.apiKey ?? null;
}
