import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbedded } from '@heron/database/embedded/startEmbedded.ts';
import { copyMigratedCluster } from '@heron/database/testing/preparedFolder.ts';
import { expect, test } from 'vitest';
import { startPlatform } from '../src/platform.ts';
import { requestAt, until } from './testPlatform.ts';

test('calls fail with 503 while the database is down, and recover', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-away-'));
  await copyMigratedCluster(folder);
  let server = await startEmbedded(folder);
  const platform = await startPlatform({
    databaseUrl: server.url,
    host: '127.0.0.1',
    port: 0,
    bothostUrl: 'http://127.0.0.1:1',
    secret: 'x'.repeat(32),
    clientDir: folder,
    logLevel: 'silent',
  });
  const register = (username: string) =>
    requestAt(platform.url, '/api.php', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'System.Register.usernameRegister', username, password: 'heron stands still' }),
    });
  expect((await register('before')).status).toBe(200);
  await server.stop('immediate');
  for (let n = 0; n < 12; n++) {
    const answer = await register('meanwhile');
    expect(answer.status, answer.text).toBe(503);
    expect(JSON.parse(answer.text).error.code).toBe('unavailable');
  }
  expect((await requestAt(platform.url, '/healthz')).status).toBe(200);
  expect(JSON.parse((await requestAt(platform.url, '/readyz')).text)).toMatchObject({ database: false });
  server = await startEmbedded(folder);
  await until(async () => (await register('after')).status === 200);
  await platform.close();
  await server.stop('immediate');
  rmSync(folder, { recursive: true, force: true });
});
