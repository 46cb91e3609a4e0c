import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '@heron/sandbox/sandbox.ts';
import { type BotHost, startBotHost } from './botHost.ts';

/** The environment of a bot host: a folder, the sandbox exchanges, and a separate database. */
export interface Testbed {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly database: TemporaryDatabase;
  /** Starts a bot host in this environment. */
  startHost(given?: Partial<Parameters<typeof startBotHost>[0]>): Promise<BotHost>;
  close(): Promise<void>;
}

/** @param name part of the folder's name */
export async function startTestbed(name: string, options: SandboxOptions): Promise<Testbed> {
  const folder = mkdtempSync(path.join(os.tmpdir(), `heron-${name}-`));
  const [sandbox, database] = await Promise.all([startSandbox({ port: 0, ...options }), temporaryDatabase()]);
  const { binance, binanceusdm, mexc } = sandbox;
  return {
    ...{ folder, sandbox, database },
    startHost: (given = {}) =>
      startBotHost({ databaseUrl: database.url, market: binance, binanceusdm, mexc, dataDir: folder, ...given }),
    async close() {
      await sandbox.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
