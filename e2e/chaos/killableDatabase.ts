import { readFileSync } from 'node:fs';
import { type EmbeddedServer, startEmbedded } from '@heron/database/embedded/startEmbedded.ts';
import { copyMigratedCluster } from '@heron/database/testing/preparedFolder.ts';

/** A separate PostgreSQL server with all tables. Its address stays the same across kills. */
export interface KillableDatabase {
  readonly url: string;
  /** Kills the server and all its child processes at once (SIGKILL). */
  kill(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param folder data directory of the server */
export async function startKillableDatabase(folder: string): Promise<KillableDatabase> {
  await copyMigratedCluster(folder);
  let server: EmbeddedServer = await startEmbedded(folder);
  return {
    url: server.url,
    kill() {
      const { pid } = server;
      // PostgreSQL puts each child process into its own session, so no process group contains them all.
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
      for (const each of [pid, ...children.map(Number)]) {
        try {
          process.kill(each, 'SIGKILL');
        } catch {
          // The process has already exited.
        }
      }
    },
    async start() {
      server = await startEmbedded(folder);
    },
    stop: () => server.stop('immediate'),
  };
}
