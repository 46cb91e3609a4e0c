import path from 'node:path';
import { findPostmaster } from '@heron/database/embedded/postmaster.ts';
import { startEmbedded } from '@heron/database/embedded/startEmbedded.ts';

/**
 * Returns the address of the database of the Heron that runs on a data folder, or that of HERON_DATABASE_URL.
 *
 * @throws Error when the built-in database does not run: a command does not start it
 */
export async function runningDatabaseUrl(data: string): Promise<string> {
  if (process.env.HERON_DATABASE_URL) return process.env.HERON_DATABASE_URL;
  if (findPostmaster(path.join(data, 'postgres')) === null) {
    throw new Error(`no Heron runs on ${data}: start it with "npx heron start", or set its folder with --data`);
  }
  return (await startEmbedded(data)).url;
}
