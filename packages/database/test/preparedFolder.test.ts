import { mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbedded } from '@heron/database/embedded/startEmbedded.ts';
import { checkMigrated } from '@heron/database/migrate.ts';
import { copyMigratedCluster, copyPrepared } from '@heron/database/testing/preparedFolder.ts';
import { expect, onTestFinished, test, vi } from 'vitest';

test('a folder is prepared once, and its copies start without recovery, also after an unclean stop', async () => {
  const base = mkdtempSync(path.join(os.tmpdir(), 'heron-prepared-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const killed = path.join(base, 'killed');
  await copyMigratedCluster(killed);
  await (await startEmbedded(killed)).stop('immediate');
  const prepare = vi.fn(async (folder: string) => renameSync(killed, folder));
  const copies = [path.join(base, 'first'), path.join(base, 'second')];
  await Promise.all(copies.map((copy) => copyPrepared(path.basename(base), copy, prepare)));
  expect(prepare).toHaveBeenCalledOnce();
  for (const copy of copies) {
    const log = path.join(copy, 'postgres.log');
    await rm(log);
    const server = await startEmbedded(copy);
    onTestFinished(() => server.stop('immediate'));
    await checkMigrated(server.url);
    expect(readFileSync(log, 'utf8')).toMatch(/database system was shut down at/);
  }
});
