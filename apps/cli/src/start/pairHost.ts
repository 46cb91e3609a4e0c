import process from 'node:process';
import type { HostPairing } from '@heron/contract/bots/pairing.ts';
import { migrate } from '@heron/database/migrate.ts';
import { bothostPlan, portOf } from './bothostPlan.ts';
import { consumeVaultKey } from './consumeVaultKey.ts';
import { prepareDataFolder, sharedSecret } from './dataFolder.ts';
import { hasDemo, marketsText } from './markets.ts';
import { ownDatabase } from './ownedDatabase.ts';
import { sandboxPlan } from './sandboxPlan.ts';
import type { StartSettings } from './settings.ts';
import { listenForStop } from './stopRequest.ts';
import { superviseChild } from './superviseChild.ts';

/** Maximum time of each to stop, in the order of stopping. */
const GRACE_MS = { bothost: 5_000, sandbox: 500 } as const;

/**
 * Runs a bot host with a database, a demo market and keys of its own. A code pairs it with a Heron on another machine. Its
 * bots, and the keys that they trade with, stay on this machine.
 *
 * @param entries modules of its processes
 * @returns exit code
 * @throws an error with one clear line when it cannot start
 */
export async function pairHost(
  settings: StartSettings,
  entries: { readonly bothost: string; readonly sandbox: string },
): Promise<number> {
  const stop = listenForStop();
  const vaultKey = consumeVaultKey();
  process.stdout.on('error', () => {}); // A closed pipe must not stop trading.
  const { dataFolder } = settings;
  prepareDataFolder(dataFolder);
  const secret = sharedSecret(dataFolder);
  const ending = new AbortController();
  const opening = ownDatabase({ dataFolder, url: settings.databaseUrl }, log, ending.signal);
  const migrated = opening.then(async (database) => {
    await migrate(database.url);
    return database;
  });
  const sandbox = hasDemo(settings) ? superviseChild(sandboxPlan(settings, entries.sandbox, opening), log) : null;
  const bothost = superviseChild(
    bothostPlan(settings, {
      entry: entries.bothost,
      secret: () => secret,
      vaultKey,
      async databaseUrl() {
        const database = await migrated;
        await database.alive();
        return database.url;
      },
      market: async () => (await sandbox?.ready) ?? null,
      pairingHost: settings.host,
      // A code exists only in the process that created it.
      restarted: ({ pairing }) => announceCode(pairing),
    }),
    log,
  );
  const end = async (graceful: boolean) => {
    ending.abort();
    await bothost.stop(graceful ? GRACE_MS.bothost : 0);
    await sandbox?.stop(graceful ? GRACE_MS.sandbox : 0);
    await (await opening.catch(() => null))?.stop(graceful ? 'fast' : 'immediate');
  };
  try {
    const up = await Promise.race([Promise.all([bothost.ready, migrated]), stop.requested]);
    if (up !== undefined) {
      const [{ controlUrl, pairing }, database] = up;
      console.log(`
  Heron 苍鹭: this bot host is running.

  Address   ${settings.host === '0.0.0.0' ? 'all of this machine' : settings.host}, port ${portOf(controlUrl)}
  Data      ${dataFolder} (database: ${settings.databaseUrl === null ? 'built in' : 'HERON_DATABASE_URL'})
  Markets   ${marketsText(settings)}`);
      announceCode(pairing);
      console.log('\n  Ctrl-C stops it.\n');
      await Promise.race([stop.requested, database.failed]);
    }
    log('Stopping …');
  } finally {
    await Promise.race([end(true), stop.insisted.then(() => end(false))]);
  }
  return 0;
}

function announceCode(pairing: HostPairing | undefined): void {
  if (pairing?.paired) console.log(`  Paired    with ${pairing.paired.platform}`);
  if (pairing?.code)
    console.log(
      `  Code      ${pairing.code.text}\n            Valid once, for 15 minutes: in the app, under Exchanges, add a bot host.`,
    );
}

function log(line: string): void {
  console.log(line);
}
