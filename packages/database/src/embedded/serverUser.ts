import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { EmbeddedUnavailable } from '../errors.ts';

/**
 * User that runs the PostgreSQL programs, which refuse to run as root.
 * - `self`: the user who started Heron.
 * - `namespace`: root outside, but user 1000 in a user namespace of its own; files belong to root.
 * - `account`: another account of this machine, which owns the database folder.
 */
export type ServerUser =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'account'; readonly uid: number; readonly gid: number };

const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000'] as const;

/** Properties of the machine that decide the user. */
export type Machine = {
  /** User id of this process; undefined on systems without user ids. */
  readonly uid: number | undefined;
  namespaceWorks(): boolean;
};

const THIS_MACHINE: Machine = { uid: process.getuid?.(), namespaceWorks };

/**
 * Chooses the user that runs PostgreSQL. An existing database folder is run by its owner.
 *
 * Another account needs permission to enter the data folder, which therefore gets mode 0711.
 *
 * @param dataFolder contains the database folder `clusterFolder`, which may not exist yet
 * @param programs folder of the PostgreSQL programs
 * @throws EmbeddedUnavailable when this process runs as root and no other user can run PostgreSQL
 */
export function chooseServerUser(
  { dataFolder, clusterFolder, programs }: { dataFolder: string; clusterFolder: string; programs: string },
  machine: Machine = THIS_MACHINE,
): ServerUser {
  if (machine.uid !== 0) return { kind: 'self' };
  const cluster = statSync(clusterFolder, { throwIfNoEntry: false });
  if (cluster !== undefined && cluster.uid !== 0) return { kind: 'account', uid: cluster.uid, gid: cluster.gid };
  if (machine.namespaceWorks()) return { kind: 'namespace' };
  if (cluster === undefined) {
    for (const name of ['postgres', 'nobody']) {
      const account = findAccount(name);
      if (account === null || !canEnter(account, programs) || !canEnter(account, path.dirname(dataFolder))) continue;
      chmodSync(dataFolder, statSync(dataFolder).mode | 0o011);
      return { kind: 'account', ...account };
    }
  }
  throw new EmbeddedUnavailable(
    'PostgreSQL refuses to run as root, this kernel forbids user namespaces, and neither "postgres" nor "nobody" can enter the data folder. Start Heron as an ordinary user.',
  );
}

/** Returns how to start a program as a user: `spawn(command, args, options)`. */
export function runAs(
  user: ServerUser,
  program: string,
  args: readonly string[],
): { command: string; args: string[]; options: { cwd: string; uid?: number; gid?: number } } {
  // Another account may not have access to the current folder.
  const cwd = '/';
  if (user.kind === 'namespace') {
    return { command: 'unshare', args: [...NAMESPACE, '--', program, ...args], options: { cwd } };
  }
  return {
    command: program,
    args: [...args],
    options: user.kind === 'account' ? { cwd, uid: user.uid, gid: user.gid } : { cwd },
  };
}

function namespaceWorks(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', [...NAMESPACE, '--', 'true']).status === 0;
}

function findAccount(name: string): { uid: number; gid: number } | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

function canEnter(account: { uid: number; gid: number }, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' }).status === 0;
}
