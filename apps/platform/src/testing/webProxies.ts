import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A web server from Debian's packages in front of a platform, with its own files. */
export interface WebProxy {
  stop(): Promise<void>;
}

const DEADLINE_MS = 30_000;

/**
 * Starts nginx and waits until it listens.
 *
 * @param http content of its `http` block
 * @throws when nginx is not installed or rejects the configuration, with its output
 */
export async function startNginx(http: string, port: number): Promise<WebProxy> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-nginx-'));
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  // A single process needs no other user and ends when it is stopped.
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${places}
${http}
}`;
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, config);
  return started(folder, port, 'nginx', ['-e', 'stderr', '-p', folder, '-c', file]);
}

/** Starts Caddy with a Caddyfile and waits until it listens. @throws as `startNginx` */
export async function startCaddy(caddyfile: string, port: number): Promise<WebProxy> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-caddy-'));
  const file = path.join(folder, 'Caddyfile');
  writeFileSync(file, caddyfile);
  return started(folder, port, 'caddy', ['run', '--config', file, '--adapter', 'caddyfile']);
}

async function started(folder: string, port: number, program: string, args: readonly string[]): Promise<WebProxy> {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const failed = new Promise<never>((_, reject) => {
    child.on('error', () => reject(new Error(`${program} is needed: install Debian's package ${program}`)));
    child.on('exit', () => reject(new Error(`${program} ended: ${said}`)));
  });
  failed.catch(() => {});
  await Promise.race([listening(port), failed]);
  return {
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Resolves when a program listens on a port of this machine. */
async function listening(port: number): Promise<void> {
  const late = Date.now() + DEADLINE_MS;
  while (Date.now() < late) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true));
      socket.on('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await delay(20);
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('a server without a port');
  return address.port;
}
