import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** A Redis server of a test's own. */
export interface RedisServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws when `redis-server` is not installed; the message contains the remedy */
export async function redisServer(): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-redis-'));
  const port = await freePort();
  const server = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await ready(server);
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      if (server.exitCode === null) {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(server: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (data) => {
      output += String(data);
      if (output.includes('Ready to accept connections')) resolve();
    });
    server.on('error', () =>
      reject(new Error('redis-server is needed: install the package redis-server (apt-get install redis-server)')),
    );
    server.on('exit', () => reject(new Error(`redis-server ended: ${output}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
