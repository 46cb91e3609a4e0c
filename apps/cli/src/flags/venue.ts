import { exchangeOfVenue, isVenueId, VENUES, type VenueId } from '@heron/engine/options/venues.ts';
import { InvalidArgumentError } from 'commander';

/** Venues that this version can trade on. */
export const HOSTED_VENUES: readonly VenueId[] = VENUES.flatMap(({ id }) => (exchangeOfVenue(id)?.defi ? [] : [id]));

/** Reads the id of a venue. @throws InvalidArgumentError, which commander prints with the name of the argument */
export function readVenue(text: string): VenueId {
  if (isVenueId(text)) return text;
  throw new InvalidArgumentError(`It must be one of ${HOSTED_VENUES.join(', ')}.`);
}

/**
 * Reads a list of environments and ids of venues, such as `demo,real` or `binance,mexc-demo`.
 *
 * @throws InvalidArgumentError, which commander prints with the name of the argument
 */
export function parseVenues(text: string): VenueId[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => venuesNamed(name).length === 0);
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" must be demo, testnet, real or one of ${HOSTED_VENUES.join(', ')}.`);
  }
  const wanted = new Set(names.flatMap(venuesNamed));
  return HOSTED_VENUES.filter((id) => wanted.has(id));
}

function venuesNamed(name: string): VenueId[] {
  return VENUES.flatMap(({ id, environment }) =>
    HOSTED_VENUES.includes(id) && (id === name || environment === name) ? [id] : [],
  );
}
