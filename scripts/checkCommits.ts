import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');
const MAX_SUBJECT = 72;

/**
 * Returns the subjects that are longer than a commit subject may be. Merges are written by Git and may be longer.
 *
 * @param log lines of `git log --format='%h %s'`
 */
export function longSubjects(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => line.slice(line.indexOf(' ') + 1).length > MAX_SUBJECT)
    .filter((line) => !/^\S+ Merge /.test(line));
}

/**
 * Returns the log of commits that no remote has yet. It is empty outside a repository and where no remote is known, as in a
 * downloaded archive or in a clone whose remote was removed.
 */
function unpublishedCommits(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const remotes = git('for-each-ref', '--count=1', 'refs/remotes');
  if (remotes.status !== 0 || remotes.stdout === '') return '';
  const log = git('log', '--format=%h %s', 'HEAD', '--not', '--remotes');
  return log.status === 0 ? log.stdout : '';
}

if (import.meta.main) {
  for (const line of longSubjects(unpublishedCommits())) {
    console.error(`${line}\n    has more than ${MAX_SUBJECT} characters; shorten it with "git commit --amend".`);
    process.exitCode = 1;
  }
}
