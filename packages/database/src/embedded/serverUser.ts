import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { EmbeddedUnavailable } from '../errors.ts';

/**
 * As whom the PostgreSQL programs run; they refuse to run as root.
 *
 * - `self`: as the user who started Heron
 * - `namespace`: still root outside, but user 1000 in a user namespace of its own; files stay root's
 * - `account`: as another account of this machine, which then owns the database folder
 */
export type ServerUser =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'account'; readonly uid: number; readonly gid: number };

const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000'] as const;

/**
 * Chooses as whom PostgreSQL runs. A database folder that exists is run by its owner.
 *
 * @param clusterFolder the database folder; may not exist yet
 * @param mustReach folders that the server has to enter: its data folder and its programs
 * @throws EmbeddedUnavailable when the program runs as root and the machine offers nobody else
 */
export function chooseServerUser(
  clusterFolder: string,
  mustReach: readonly string[],
  namespaceAllowed: () => boolean = namespaceWorks,
): ServerUser {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { kind: 'account', uid: owner.uid, gid: owner.gid };
  if (namespaceAllowed()) return { kind: 'namespace' };
  if (owner === undefined) {
    for (const name of ['postgres', 'nobody']) {
      const account = findAccount(name);
      if (account !== null && mustReach.every((folder) => canEnter(account, folder))) {
        return { kind: 'account', ...account };
      }
    }
  }
  throw new EmbeddedUnavailable(
    'PostgreSQL refuses to run as root, this kernel forbids user namespaces, and neither "postgres" nor "nobody" can enter the data folder. Start Heron as an ordinary user.',
  );
}

/** How to start a program as that user: `spawn(command, args, options)`. */
export function runAs(
  user: ServerUser,
  program: string,
  args: readonly string[],
): { command: string; args: string[]; options: { uid?: number; gid?: number } } {
  if (user.kind === 'namespace') {
    return { command: 'unshare', args: [...NAMESPACE, '--', program, ...args], options: {} };
  }
  return {
    command: program,
    args: [...args],
    options: user.kind === 'account' ? { uid: user.uid, gid: user.gid } : {},
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
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], account).status === 0;
}
