import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { eq } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import { livingWorkers } from '../ownership/presence.ts';
import {
  type AudienceNames,
  openWorkerConnection,
  type WorkerConnection,
  type WorkerListener,
} from './workerConnection.ts';

/** Connections to the workers of other bot hosts on the same database. */
export interface WorkerDirectory {
  /** Returns the connection to a worker by its number; null when it does not run. */
  connectionOf(worker: number | null): Promise<WorkerConnection | null>;
  /** Sends to all of them which owners and bots clients watch here. */
  setAudience(audience: AudienceNames): void;
  close(): void;
}

/** Dependencies of the directory. */
export interface WorkerDirectoryDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly secret: string;
  /** Name of this bot host. */
  readonly host: string;
  readonly listener: WorkerListener;
  /** Returns this host's own worker of a venue, or null when it does not run. */
  own(venue: string, mode: string): WorkerConnection | null;
}

type WorkerRow = typeof table.worker.$inferSelect;

const REFRESH_MS = 2_000;

/** Opens the directory, which regularly connects to new workers so that their pushes arrive. */
export function openWorkerDirectory(deps: WorkerDirectoryDeps): WorkerDirectory {
  const { database, log, secret, host, listener } = deps;
  const known = new Map<number, WorkerRow>();
  const connections = new Map<string, WorkerConnection>();
  let audience: AudienceNames = { owners: [], bots: [] };
  let closed = false;
  const refreshTimer = setInterval(() => void refresh(), REFRESH_MS);
  refreshTimer.unref();
  void refresh();

  function connectionTo({ url }: WorkerRow): WorkerConnection {
    const existing = connections.get(url);
    if (existing) return existing;
    const connection = openWorkerConnection(url, secret, listener);
    connection.setAudience(audience);
    connections.set(url, connection);
    return connection;
  }

  async function refresh(): Promise<void> {
    try {
      const living = await livingWorkers(database);
      if (closed) return;
      for (const row of living) known.set(row.id, row);
      const others = living.filter((row) => row.host !== host);
      for (const row of others) connectionTo(row);
      for (const [url, connection] of connections) {
        if (others.some((row) => row.url === url)) continue;
        connection.disconnect();
        connections.delete(url);
      }
    } catch (error) {
      log.warn({ err: error }, 'the workers of other bot hosts could not be read');
    }
  }

  async function rowOf(worker: number): Promise<WorkerRow | null> {
    const existing = known.get(worker);
    if (existing) return existing;
    const [row] = await database.orm.select().from(table.worker).where(eq(table.worker.id, worker));
    if (row) known.set(row.id, row);
    return row ?? null;
  }

  return {
    async connectionOf(worker) {
      const row = worker === null ? null : await rowOf(worker);
      if (row === null || closed) return null;
      return row.host === host ? deps.own(row.venue, row.mode) : connectionTo(row);
    },
    setAudience(given) {
      audience = given;
      for (const connection of connections.values()) connection.setAudience(given);
    },
    close() {
      closed = true;
      clearInterval(refreshTimer);
      for (const connection of connections.values()) connection.disconnect();
    },
  };
}
