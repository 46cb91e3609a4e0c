import type { SharedCount } from '@heron/exchanges/http/weightLeases.ts';
import type { ExternalVenue } from '@heron/exchanges/net/hosts.ts';
import { openExternalNet } from '@heron/exchanges/net/openNet.ts';
import type { VenueNet } from '@heron/exchanges/net/venueNet.ts';
import { type Installation, openInstallation } from './openInstallation.ts';
import { accessTo, routeText, unknownText } from './venueAccess.ts';

/** The network access of a command to a venue. */
export interface CommandNet {
  readonly net: VenueNet;
  /** Counts its requests together with those of the bots; left out where the installation is not known. */
  readonly shared?: SharedCount;
  close(): Promise<void>;
}

/** The venue that a command wants to reach. */
interface CommandTarget {
  /** Named in errors. */
  readonly exchange: string;
  readonly venue: ExternalVenue;
  /** Data folder of the installation. */
  readonly data: string;
}

/**
 * Opens the route to a venue as the workers of the installation do: through its proxies, never during a ban. Changes
 * of proxies and bans are applied while the command runs.
 *
 * @param log receives lines for the user: which route is used, and what is not known
 */
export async function openCommandNet(
  { exchange, venue, data }: CommandTarget,
  log: (line: string) => void,
): Promise<CommandNet> {
  const installation = await openInstallation(data);
  try {
    const { proxies } = await accessTo(venue, installation);
    log(`${venue}: ${routeText(venue, proxies)}`);
    const unknown = unknownText(installation);
    if (unknown !== null) log(unknown);
    const opened = await openNet(exchange, venue, installation);
    return {
      ...opened,
      async close() {
        await opened.close();
        await installation.close();
      },
    };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

async function openNet(exchange: string, venue: ExternalVenue, installation: Installation): Promise<CommandNet> {
  if (installation.kind === 'unknown') {
    const net = openExternalNet(exchange, venue, { now: Date.now });
    return { net, close: () => net.close() };
  }
  const { database, secret } = installation;
  const [{ openEgress }, { openSharedCount }, { openLog }] = await Promise.all([
    import('@heron/bothost/worker/openEgress.ts'),
    import('@heron/bothost/worker/sharedCount.ts'),
    import('@heron/bothost/log.ts'),
  ]);
  const egress = await openEgress({
    ...{ database, config: { venue, addresses: null, secret }, env: process.env, now: Date.now },
    log: openLog('heron command', 'silent'),
  });
  return {
    net: egress.net,
    shared: openSharedCount(database, venue, egress.via),
    close: () => egress.close(),
  };
}
