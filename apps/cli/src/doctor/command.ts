import { Command } from 'commander';

/** Exit code when Heron can run but some exchange cannot be reached. `1` means that Heron cannot run. */
const SOME_UNREACHABLE = 2;

/** `heron doctor` checks the requirements of Heron and reports problems. It changes nothing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check the requirements of Heron on this machine, and the connection to each exchange.')
    .option('--data <folder>', 'data folder to check (also HERON_DATA)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Exchanges are reached through the proxies that are set in the app when Heron runs on the data folder (or
HERON_DATABASE_URL is set), otherwise through the proxy in HTTPS_PROXY or ALL_PROXY, unless NO_PROXY names them. The line of
each exchange says which proxy was used and where it is set. Nothing is sent to an exchange that has banned this IP address.
Exit code: 0 all checks passed, 1 Heron cannot run, 2 some exchange is unreachable.`,
    )
    .action(async ({ data, json }: { data?: string; json?: true }) => {
      const [{ examineAll }, { isUsable, venueLines }, { defaultDataFolder }] = await Promise.all([
        import('./examineAll.ts'),
        import('./examineVenues.ts'),
        import('../start/command.ts'),
      ]);
      const { findings, venues, appProxies } = await examineAll({
        dataFolder: data ?? process.env.HERON_DATA ?? defaultDataFolder(),
        databaseUrl: process.env.HERON_DATABASE_URL || null,
      });
      if (json) {
        const found = venues.map((venue) => ({ ...venue, usable: isUsable(venue) }));
        console.log(JSON.stringify({ findings, venues: found, appProxies }));
      } else {
        for (const { ok, what, detail } of findings) console.log(`${ok ? '✓' : '✗'} ${what.padEnd(12)} ${detail}`);
        for (const line of venues.flatMap(venueLines)) console.log(line);
        if (appProxies !== null) console.log(`  ${appProxies}`);
      }
      if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
      else if (!venues.every(isUsable)) process.exitCode = SOME_UNREACHABLE;
    });
}
