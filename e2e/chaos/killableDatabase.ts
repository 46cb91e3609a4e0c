import { readFileSync } from 'node:fs';
import { type EmbeddedServer, startEmbedded } from '@heron/database/embedded/startEmbedded.ts';
import { migrate } from '@heron/database/migrate.ts';

/** A PostgreSQL of its own, with all tables; its address stays the same whatever is killed. */
export interface KillableDatabase {
  readonly url: string;
  /** kill -9 of the server and of everything that it has started, in the same moment. */
  kill(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param folder where it keeps everything */
export async function startKillableDatabase(folder: string): Promise<KillableDatabase> {
  let server: EmbeddedServer = await startEmbedded(folder);
  await migrate(server.url);
  return {
    url: server.url,
    kill() {
      const { pid } = server;
      // It puts every one of them into a session of its own: there is no group to kill.
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
      for (const each of [pid, ...children.map(Number)]) {
        try {
          process.kill(each, 'SIGKILL');
        } catch {
          // It has ended by itself meanwhile.
        }
      }
    },
    async start() {
      server = await startEmbedded(folder);
    },
    stop: () => server.stop('immediate'),
  };
}
