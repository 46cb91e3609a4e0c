import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedServer, startEmbedded } from '@heron/database/embedded/startEmbedded.ts';
import { DatabaseError, DatabaseOwned, DatabaseUnreachable } from '@heron/database/errors.ts';
import { acquireOwnerLock, type OwnerLock } from '@heron/database/ownerLock.ts';

/** The database while this program is its owner. */
export type OwnedDatabase = {
  readonly url: string;
  /** Resolves when the database is up and owned: at once, unless it has just died and is being restarted. */
  alive(): Promise<void>;
  /** Rejects when the database is lost for good: another program has become its owner, or it will not start again. */
  readonly failed: Promise<never>;
  /** Gives up ownership of the database, and stops the embedded server. */
  stop(how: 'fast' | 'immediate'): Promise<void>;
};

type Held = { readonly url: string; readonly server: EmbeddedServer | null; readonly lock: OwnerLock };

/** In ms. An adopted server may be shutting down because its owner exits; then it is started again. */
const HANDOVER_MS = 10_000;
const RETRY_MS = 500;

/**
 * Starts or adopts the embedded PostgreSQL, or connects to the user's own, and becomes its owner. From then on keeps it up:
 * a server that dies is started again.
 *
 * @param database.url the user's own server, or null for the embedded one in `database.dataFolder`
 * @param log takes one line for people
 * @param signal gives up a start that is under way
 * @throws DatabaseOwned and the other errors of `startEmbedded` and `acquireOwnerLock`
 */
export async function ownDatabase(
  database: { dataFolder: string; url: string | null },
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<OwnedDatabase> {
  let held = await hold(database, signal);
  let stopping = false;
  const lostForGood = Promise.withResolvers<never>();
  lostForGood.promise.catch(() => {}); // Other listeners handle the rejection themselves.
  let alive = Promise.resolve();
  watch();

  function watch(): void {
    held.lock.lost.then(() => {
      if (stopping) return;
      alive = recover();
      alive.catch(lostForGood.reject);
    });
  }

  async function recover(): Promise<void> {
    log('The database ended unexpectedly; restarting it.');
    while (!stopping) {
      try {
        held = await hold(database, signal);
        if (stopping) return held.server?.stop('fast');
        log('The database is available again.');
        return watch();
      } catch (error) {
        // A server of the user may become reachable at any time; an embedded one that cannot start needs the user.
        const mayComeBack = database.url !== null && error instanceof DatabaseUnreachable;
        if (!mayComeBack) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  return {
    url: held.url,
    alive: () => alive,
    failed: lostForGood.promise,
    async stop(how) {
      stopping = true;
      await alive.catch(() => {}); // A recovery that is running stops what it has started.
      // Stopping the server also closes our connection, so no other process can become owner of a server that shuts down.
      if (held.server !== null) await held.server.stop(how);
      await held.lock.release();
    },
  };
}

async function hold(
  { dataFolder, url }: { dataFolder: string; url: string | null },
  signal: AbortSignal,
): Promise<Held> {
  const deadline = Date.now() + HANDOVER_MS;
  for (;;) {
    const server = url === null ? await startEmbedded(dataFolder, { signal }) : null;
    try {
      const at = server?.url ?? url ?? '';
      return { url: at, server, lock: await acquireOwnerLock(at, { signal }) };
    } catch (error) {
      if (server !== null && error instanceof DatabaseUnreachable && Date.now() < deadline && !signal.aborted) continue;
      // A server that another process owns is stopped by that process. A server started here in vain is stopped here.
      if (server !== null && !server.adopted && !(error instanceof DatabaseOwned)) await server.stop('fast');
      if (error instanceof DatabaseError) throw error;
      throw new DatabaseUnreachable('to own it', String(error), { cause: error });
    }
  }
}
