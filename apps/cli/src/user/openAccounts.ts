import { CallError } from '@heron/contract/http/errors.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { checkMigrated } from '@heron/database/migrate.ts';
import type { BotLifecycle } from '@heron/platform/accounts/core/botLifecycle.ts';
import { createBotLifecycle } from '@heron/platform/bots/createBotLifecycle.ts';
import { createSessions, type Sessions } from '@heron/platform/gateway/sessions.ts';
import { secretOf } from '../host/callHost.ts';
import type { HostFlags } from '../host/options.ts';
import { runningDatabaseUrl } from '../installation/runningDatabase.ts';
import { LOOPBACK } from '../start/settings.ts';

/** The accounts of the running Heron, as functions of the platform expect them. */
export type OpenAccounts = { readonly database: Database; readonly sessions: Sessions; readonly bots: BotLifecycle };

/**
 * Opens the accounts of the Heron that runs on this machine, without the platform. A user who can read its data folder
 * is its owner.
 *
 * @throws Error when it does not run, or has another version
 */
export async function withAccounts<T>(
  { data, controlPort }: HostFlags,
  work: (accounts: OpenAccounts) => Promise<T>,
): Promise<T> {
  const url = await runningDatabaseUrl(data);
  await checkMigrated(url);
  const database = openDatabase(url, { connections: 2 });
  const host = { url: `http://${LOOPBACK}:${controlPort}`, secret: secretOf(data) };
  const ending = new AbortController();
  const bots = createBotLifecycle(host, ending.signal);
  try {
    return await work({ database, sessions: createSessions(database), bots });
  } catch (error) {
    if (error instanceof CallError && error.cause !== undefined) console.error(`heron: ${causeOf(error.cause)}`);
    throw error;
  } finally {
    await database.close();
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
