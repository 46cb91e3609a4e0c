import { setTimeout as delay } from 'node:timers/promises';
import { checkServer } from '@heron/database/checkServer.ts';
import { DatabaseUnreachable } from '@heron/database/errors.ts';
import { checkMigrated } from '@heron/database/migrate.ts';
import { addressesFrom } from '@heron/sandbox/addresses.ts';
import { bothostPlan, type MarketAddresses } from './bothostPlan.ts';
import { consumeVaultKey } from './consumeVaultKey.ts';
import { prepareDataFolder, sharedSecret } from './dataFolder.ts';
import { hasDemo, marketsText } from './markets.ts';
import type { StartSettings } from './settings.ts';
import { listenForStop } from './stopRequest.ts';
import { superviseChild } from './superviseChild.ts';

/** Maximum time to stop: every bot is saved and released. */
const GRACE_MS = 5_000;
const RETRY_MS = 500;

/** A second bot host was requested without an installation to join. */
class CannotJoin extends Error {
  override readonly name = 'CannotJoin';
}

/**
 * Runs only a bot host, on the database of a Heron on another machine. The two hosts share the bots, and each takes
 * over those of the other when it dies.
 */
export async function joinHost(settings: StartSettings, entry: string): Promise<number> {
  const stop = listenForStop();
  const vaultKey = consumeVaultKey();
  const { databaseUrl, dataFolder, market } = settings;
  if (databaseUrl === null) {
    throw new CannotJoin('A second bot host needs HERON_DATABASE_URL: the PostgreSQL server of the first one.');
  }
  if (market === null && hasDemo(settings)) {
    throw new CannotJoin(
      "A second bot host needs --market: the first one's demo market, such as http://10.0.0.1:17820; or, without demo bots, --venues real,testnet.",
    );
  }
  prepareDataFolder(dataFolder);
  // Read before anything starts, so that a missing file is reported at once.
  const secret = sharedSecret(dataFolder, { make: false });
  await checkServer(databaseUrl);
  await checkMigrated(databaseUrl);
  const bothost = superviseChild(
    bothostPlan(settings, {
      entry,
      secret: () => secret,
      vaultKey,
      databaseUrl: () => answering(databaseUrl),
      market: async () => (market === null ? null : demoMarketAt(market)),
    }),
    log,
  );
  try {
    const up = await Promise.race([bothost.ready, stop.requested]);
    if (up !== undefined) announce(settings, up.controlUrl);
    await stop.requested;
  } finally {
    await Promise.race([bothost.stop(GRACE_MS), stop.insisted.then(() => bothost.stop(0))]);
  }
  return 0;
}

/** Returns the address of a database once it responds; retries until then. */
async function answering(url: string): Promise<string> {
  for (;;) {
    try {
      await checkServer(url);
      return url;
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable)) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** The demo market, as `heron start` places it on standard ports. */
function demoMarketAt(url: string): MarketAddresses {
  const { hostname, port } = new URL(url);
  return addressesFrom(hostname, Number(port));
}

function announce(settings: StartSettings, controlUrl: string): void {
  console.log(`
  Heron 苍鹭: this bot host has joined.

  Answers   ${controlUrl}
  Data      ${settings.dataFolder} (database: HERON_DATABASE_URL)
  Markets   ${marketsText(settings)}${settings.market === null ? '' : ` (demo market at ${settings.market})`}

  Ctrl-C stops it; its bots go on at the other bot host.
`);
}

function log(line: string): void {
  console.log(line);
}
