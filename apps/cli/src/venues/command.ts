import { Command, Option } from 'commander';
import { HOSTED_VENUES, parseVenues } from '../flags/venue.ts';
import { defaultDataFolder, parsePort } from '../start/command.ts';
import { STANDARD_PORTS } from '../start/settings.ts';
import type { ListedVenue, VenueListing } from './listVenues.ts';

interface Flags extends Pick<VenueListing, 'sandboxPort'> {
  readonly venues: VenueListing['enabled'];
  readonly data: string;
  readonly json?: true;
}

/** `heron venues`: the venues, and whether each is enabled and reachable. */
export function venuesCommand(): Command {
  return new Command('venues')
    .description('List the venues that bots can trade on, and whether this machine can reach them.')
    .addOption(
      new Option('--venues <list>', 'enabled venues, as for heron start')
        .env('HERON_VENUES')
        .default([...HOSTED_VENUES], 'all')
        .argParser(parseVenues),
    )
    .addOption(
      new Option('--sandbox-port <port>', 'port of the demo market')
        .env('HERON_SANDBOX_PORT')
        .default(STANDARD_PORTS['demo market'])
        .argParser(parsePort),
    )
    .addOption(
      new Option('--data <folder>', 'data folder of Heron, for the proxies that are set in the app')
        .env('HERON_DATA')
        .default(defaultDataFolder(), './data'),
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Proxies that are set in the app are used when Heron runs on the data folder (or HERON_DATABASE_URL is set), otherwise those
of HTTPS_PROXY, ALL_PROXY and NO_PROXY. Nothing is sent to an exchange that has banned this IP address.`,
    )
    .action(printVenues);
}

async function printVenues({ venues, sandboxPort, data, json }: Flags): Promise<void> {
  const [{ listVenues }, { openInstallation }, { unknownText }] = await Promise.all([
    import('./listVenues.ts'),
    import('../installation/openInstallation.ts'),
    import('../installation/venueAccess.ts'),
  ]);
  const installation = await openInstallation(data);
  try {
    const listed = await listVenues({ enabled: venues, sandboxPort, installation });
    const appProxies = unknownText(installation);
    if (json) {
      console.log(JSON.stringify({ venues: listed, appProxies }));
      return;
    }
    for (const line of listed.flatMap(linesOf)) console.log(line);
    if (appProxies !== null) console.log(`  ${appProxies}`);
  } finally {
    await installation.close();
  }
}

/** The lines about one venue. */
export function linesOf(
  venue: Pick<ListedVenue, 'id' | 'title' | 'enabled' | 'reachable' | 'trading' | 'reason' | 'route'>,
): string[] {
  const { id, title, enabled, reachable, trading, reason, route } = venue;
  const reached = !reachable ? 'unreachable' : trading ? 'reachable' : 'market data only';
  const state = enabled ? reached : 'not enabled';
  const facts = route === null ? state : `${state} · ${route}`;
  return [
    `${trading && enabled ? '✓' : '✗'} ${id.padEnd(20)} ${title.padEnd(36)} ${facts}`,
    ...(reason ? [`  ${reason}`] : []),
  ];
}
