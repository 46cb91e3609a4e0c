import { environmentOf } from '@heron/engine/options/venues.ts';
import { isExternalVenue } from '@heron/exchanges/net/hosts.ts';
import { type NetOptions, openExternalNet, openGivenNet } from '@heron/exchanges/net/openNet.ts';
import type { VenueNet } from '@heron/exchanges/net/venueNet.ts';
import type { WorkerConfig } from '../config.ts';
import { exchangeOfWorker } from './openReading.ts';

/**
 * Opens the connections of a worker to its venue, with given proxies, for public and signed requests.
 *
 * @throws Error when the venue has no address: a worker of the demo market must never connect to the exchange itself
 */
export function openWorkerNet(config: Pick<WorkerConfig, 'venue' | 'addresses'>, options: NetOptions): VenueNet {
  const { venue, addresses } = config;
  const exchange = exchangeOfWorker(config);
  if (environmentOf(venue) !== 'demo') {
    if (!isExternalVenue(venue)) throw new Error(`the hosts of ${venue} are not known`);
    return openExternalNet(exchange, venue, options);
  }
  if (addresses === null) throw new Error(`${venue} has no address`);
  const { rest, ws, wsApi } = addresses;
  return openGivenNet(exchange, { rest, ws, ...(wsApi !== undefined && { wsApi }) }, options);
}
