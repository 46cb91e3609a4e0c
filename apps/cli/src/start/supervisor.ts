import { spawn } from 'node:child_process';
import path from 'node:path';
import { migrate } from '@heron/database/migrate.ts';
import { addressToOpen } from './addressToOpen.ts';
import { type BothostInfo, bothostPlan, type MarketAddresses, portOf } from './bothostPlan.ts';
import { consumeVaultKey } from './consumeVaultKey.ts';
import { prepareDataFolder, sharedSecret } from './dataFolder.ts';
import { hasDemo, marketsText } from './markets.ts';
import { type OwnedDatabase, ownDatabase } from './ownedDatabase.ts';
import { consumeProviders, type Providers } from './providers.ts';
import { sandboxPlan } from './sandboxPlan.ts';
import { consumeSenders, type Senders } from './senders.ts';
import { LOOPBACK, type StartSettings } from './settings.ts';
import { listenForStop } from './stopRequest.ts';
import { ChildFailed, PORT_TAKEN_CODE, type SupervisedChild, superviseChild } from './superviseChild.ts';

/** Modules of the three processes, each of which calls `runChild`. */
export type Entries = { readonly sandbox: string; readonly bothost: string; readonly platform: string };

type PlatformInfo = { readonly url: string; readonly setupLink?: string };

type Processes = {
  /** Null where no demo venue is enabled. */
  readonly sandbox: SupervisedChild<MarketAddresses> | null;
  readonly bothost: SupervisedChild<BothostInfo>;
  readonly platform: SupervisedChild<PlatformInfo>;
};

/** Maximum time of each to stop, in the order of stopping; with PostgreSQL's 1.5 s the sum is below 5 s. */
const GRACE_MS = { platform: 500, bothost: 1_800, sandbox: 500 } as const;

/**
 * Runs all of Heron until it is requested to stop.
 *
 * Order: data folder, database, ownership, migrations, then demo market, bot host and platform. All processes are forked at
 * once, so that their modules load while the database starts; each gets its configuration when what it needs is there.
 *
 * @returns exit code
 * @throws an error with one clear line when it cannot start; everything is stopped again then
 */
export async function runSupervisor(settings: StartSettings, entries: Entries): Promise<number> {
  const stop = listenForStop();
  const vaultKey = consumeVaultKey();
  const senders = await consumeSenders();
  const providers = await consumeProviders();
  process.stdout.on('error', () => {}); // A closed pipe must not stop trading.
  prepareDataFolder(settings.dataFolder);

  const ending = new AbortController();
  const opening = ownDatabase({ dataFolder: settings.dataFolder, url: settings.databaseUrl }, log, ending.signal);
  const migrated = opening.then(async (database) => {
    await migrate(database.url);
    return database;
  });
  const processes = startProcesses(settings, entries, { vaultKey, senders, providers }, opening, migrated);
  const ready = Promise.all([processes.platform.ready, migrated, processes.sandbox?.ready, processes.bothost.ready]);

  // A signal to the whole group ends the processes themselves as well, in any order.
  void stop.requested.then(() => {
    for (const child of Object.values(processes)) child?.expectEnd();
  });

  const endAll = async () => {
    ending.abort();
    await processes.platform.stop(GRACE_MS.platform);
    await processes.bothost.stop(GRACE_MS.bothost);
    await processes.sandbox?.stop(GRACE_MS.sandbox);
    await (await opening.catch(() => null))?.stop('fast');
  };
  const endNow = async () => {
    await Promise.all(Object.values(processes).map((child) => child?.stop(0)));
    await (await opening.catch(() => null))?.stop('immediate');
  };

  try {
    const up = await Promise.race([ready, stop.requested]);
    if (up !== undefined) {
      announce(settings, up[0], up[2]);
      await Promise.race([stop.requested, up[1].failed]);
    }
  } catch (error) {
    await Promise.race([endAll(), stop.insisted.then(endNow)]);
    throw error instanceof ChildFailed && error.code === PORT_TAKEN_CODE ? portTaken(error, settings) : error;
  }
  log('Stopping …');
  await Promise.race([endAll(), stop.insisted.then(endNow)]);
  return 0;
}

function startProcesses(
  settings: StartSettings,
  entries: Entries,
  { vaultKey, senders, providers }: { vaultKey: string | null; senders: Senders; providers: Providers },
  owned: Promise<OwnedDatabase>,
  migrated: Promise<OwnedDatabase>,
): Processes {
  const { dataFolder: dataDir, logLevel } = settings;
  /** The database, up and migrated, also when it has just died. */
  const database = async () => {
    const opened = await migrated;
    await opened.alive();
    return opened.url;
  };
  // Its files in the data folder are the owner's alone.
  const sandbox = hasDemo(settings) ? superviseChild(sandboxPlan(settings, entries.sandbox, owned), log) : null;
  const bothost = superviseChild(
    bothostPlan(settings, {
      entry: entries.bothost,
      secret: () => sharedSecret(dataDir),
      vaultKey,
      databaseUrl: database,
      market: async () => (await sandbox?.ready) ?? null,
    }),
    log,
  );
  const platform = superviseChild<PlatformInfo>(
    {
      name: 'the platform',
      entry: entries.platform,
      async configuration(previous) {
        const fixed = settings.controlPort === 0 ? null : `http://${LOOPBACK}:${settings.controlPort}`;
        const [databaseUrl, bothostUrl] = await Promise.all([
          database(),
          fixed ?? bothost.ready.then(({ controlUrl }) => controlUrl),
        ]);
        return {
          databaseUrl,
          host: settings.host,
          port: portOf(previous?.url) ?? settings.port,
          bothostUrl,
          secret: sharedSecret(dataDir),
          clientDir: path.join(import.meta.dirname, '..', '..', '..', 'client', 'dist'),
          dataDir,
          logLevel,
          ...(settings.publicUrl === null ? {} : { publicUrl: settings.publicUrl }),
          trustedProxies: settings.trustedProxies,
          firstAccount: settings.firstAccount,
          notifyPrivate: settings.notifyPrivate,
          ...senders,
          ...providers,
        };
      },
      restarted: announceSetup, // Each run of the platform creates a new link, which replaces the printed one.
    },
    log,
  );
  return { sandbox, bothost, platform };
}

function portTaken(error: ChildFailed, settings: StartSettings): Error {
  const port = Number(/\bport (\d+)/i.exec(error.message)?.[1] ?? /:(\d+)\D*$/.exec(error.message)?.[1]);
  const options = new Map([
    [settings.sandboxPort, '--sandbox-port'],
    // Its futures and MEXC listen on the next two.
    [settings.sandboxPort + 1, '--sandbox-port'],
    [settings.sandboxPort + 2, '--sandbox-port'],
    [settings.controlPort, '--control-port'],
    [settings.port, '--port'],
  ]);
  return new Error(
    `Port ${port} for ${error.child} is already in use. Stop the program that uses it, or choose another with ${options.get(port)}.`,
  );
}

function announce(settings: StartSettings, info: PlatformInfo, demo: MarketAddresses | undefined): void {
  const database = settings.databaseUrl === null ? 'built in' : 'HERON_DATABASE_URL';
  console.log(`
  Heron 苍鹭 is running.

  Open      ${addressToOpen(info.url)}
  Data      ${settings.dataFolder} (database: ${database})
  Markets   ${marketsText(settings)}`);
  if (demo !== undefined) console.log(`  Demo      ${demoText(demo)}`);
  announceSetup(info);
  warnOfProxy(settings);
  console.log('\n  Ctrl-C stops it.\n');
  if (settings.open) openInBrowser(addressToOpen(info.setupLink ?? info.url));
}

/** Warns of a reverse proxy that is not trusted: all its visitors would share one address, and its limits. */
function warnOfProxy({ publicUrl, trustedProxies }: StartSettings): void {
  if (publicUrl === null || trustedProxies.length > 0) return;
  console.log(
    '  Warning   --public-url is set without --trusted-proxy. Behind a reverse proxy all visitors then\n' +
      '            count as one address, and one of them can lock out all others: see docs/proxy.md.',
  );
}

/** Returns the addresses of the demo market's exchanges, for other clients and a second bot host. */
function demoText({ binance, binanceusdm, mexc }: MarketAddresses): string {
  return `Binance spot ${binance.rest}, USD-M ${binanceusdm.rest}, MEXC ${mexc.rest}`;
}

/** As long as there is no administrator. */
function announceSetup({ setupLink }: PlatformInfo): void {
  if (setupLink === undefined) return;
  console.log(
    `  Set up    ${addressToOpen(setupLink)}\n            This link works once and makes you the administrator.`,
  );
}

function openInBrowser(url: string): void {
  const opener = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true });
  opener.on('error', () => log('No browser could be opened. Open the address manually.'));
  opener.unref();
}

function log(line: string): void {
  console.log(line);
}
