import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lockfiles, unverifiedPackages } from './checkLockfiles.ts';

const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });

test('npm verifies every package of every lockfile by a hash', () => {
  const root = path.join(import.meta.dirname, '..');
  const files = lockfiles();
  expect(files).toContain('package-lock.json');
  expect(files).toContain(path.join('bench', 'package-lock.json'));
  for (const file of files) {
    expect({ file, unverified: unverifiedPackages(readFileSync(path.join(root, file), 'utf8')) }).toEqual({
      file,
      unverified: [],
    });
  }
});

test('a package without a hash, or with a weak one, is found wherever it is', () => {
  const verified = { version: '1.0.0', integrity: 'sha512-AAAA' };
  const packages = {
    '': { name: 'heron' },
    'apps/cli': { name: '@heron/cli' },
    'node_modules/@heron/cli': { link: true, resolved: 'apps/cli' },
    'node_modules/good': verified,
    'node_modules/good/node_modules/bundled': { version: '1.0.0', inBundle: true },
    'apps/cli/node_modules/commander': { version: '15.1.0' },
    'node_modules/old': { version: '1.0.0', integrity: 'sha1-AAAA' },
  };
  expect(unverifiedPackages(lock(packages))).toEqual(['apps/cli/node_modules/commander', 'node_modules/old']);
});
