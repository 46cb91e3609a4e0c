import { VENUES, type Venue, type VenueId } from '@heron/engine/options/venues.ts';

/** Exchanges that this host has an adapter for. */
export const HOSTED_NAMES = ['binance', 'binanceusdm', 'mexc'] as const;

export type HostedName = (typeof HOSTED_NAMES)[number];

/** A venue that this host has an adapter for. */
export interface HostedVenue extends Venue {
  readonly id: VenueId;
  readonly exchange: HostedName;
}

/** Every venue that this host has an adapter for, in display order. */
export const HOSTED: readonly HostedVenue[] = VENUES.filter(isHostedVenue);

/** Exchanges that do not report whether a key may withdraw. */
const WITHOUT_KEY_PERMISSIONS: readonly string[] = ['mexc'] satisfies HostedName[];

/** Whether an exchange reports if a key may withdraw. Where it does not, the owner of the key has to confirm that it may not. */
export function showsWithdrawals(exchange: string): boolean {
  return !WITHOUT_KEY_PERMISSIONS.includes(exchange);
}

/** Returns a venue that this host has an adapter for, or undefined. */
export function hostedVenue(id: string): HostedVenue | undefined {
  return HOSTED.find((venue) => venue.id === id);
}

function isHostedVenue(venue: (typeof VENUES)[number]): venue is (typeof VENUES)[number] & HostedVenue {
  return HOSTED_NAMES.some((name) => name === venue.exchange);
}
