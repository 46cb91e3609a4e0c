import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkImports } from './checkImports.ts';
import type { Workspace } from './workspaces.ts';

const WORKSPACES: readonly Workspace[] = [
  { folder: 'packages/low', mayImport: [], pure: true },
  { folder: 'packages/high', mayImport: ['packages/low'] },
  {
    folder: 'packages/tower',
    mayImport: [],
    layers: ['src/roof', ['src/left', 'src/right'], 'src/base'],
    layersAreComplete: true,
  },
  {
    folder: 'apps/web',
    mayImport: ['packages/high'],
    features: ['src/features/*', 'src/shop'],
    layers: ['src/app', 'src/features', 'src/lib'],
  },
];

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'heron-imports-'));
  write('package.json', { workspaces: ['packages/*', 'apps/*'], devDependencies: { vitest: '1.0.0' } });
  write('packages/low/package.json', { name: '@heron/low' });
  write('packages/high/package.json', {
    name: '@heron/high',
    dependencies: { '@heron/low': '1.0.0', zod: '1.0.0' },
    devDependencies: { '@types/ws': '1.0.0', tool: '1.0.0' },
  });
  write('packages/tower/package.json', { name: '@heron/tower' });
  write('apps/web/package.json', { name: '@heron/web', dependencies: { '@heron/high': '1.0.0' } });
});

afterEach(() => rm(root, { recursive: true }));

function write(file: string, content: string | object): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
}

/** Returns the violations with one more file, as `file:line what`. */
function violationsWith(file: string, source: string): string[] {
  write(file, source);
  return checkImports(root, WORKSPACES).map(({ where, what }) => `${where} ${what}`);
}

describe('allowed imports', () => {
  test.each([
    ['an allowed workspace', 'packages/high/src/a.ts', "import { x } from '@heron/low/x.ts';"],
    ['itself by name, in a test', 'packages/high/test/a.test.ts', "import { x } from '@heron/high/x.ts';"],
    ['a listed package', 'packages/high/src/a.ts', "import { z } from 'zod';"],
    ['a part of a listed package', 'packages/high/src/a.ts', "import { z } from 'zod/mini';"],
    ['Node', 'packages/high/src/a.ts', "import fs from 'node:fs';\nimport path from 'path';"],
    ['types of a package known by its types', 'packages/high/src/a.ts', "import type { WebSocket } from 'ws';"],
    ['a tool in a test', 'packages/high/src/a.test.ts', "import { test } from 'vitest';\nimport 'tool';"],
    ['its own feature', 'apps/web/src/features/bots/list.tsx', "import { row } from './row.tsx';"],
    ['a feature from outside', 'apps/web/src/app/routes.tsx', "import { list } from '../features/bots/list.tsx';"],
    ['what is shared', 'apps/web/src/features/bots/list.tsx', "import { Button } from '../../ui/Button.tsx';"],
    ['Node, in a test of a pure workspace', 'packages/low/test/a.test.ts', "import fs from 'node:fs';"],
  ])('may import %s', (_what, file, source) => {
    expect(violationsWith(file, source)).toEqual([]);
  });
});

describe('a lower layer that imports a higher one', () => {
  test.each([
    ['declaration', "import { x } from '@heron/high/x.ts';"],
    ['type', "import type { X } from '@heron/high/x.ts';"],
    ['type expression', "type X = import('@heron/high/x.ts').X;"],
    ['re-export', "export { x } from '@heron/high/x.ts';"],
    ['re-export of all', "export * from '@heron/high/x.ts';"],
    ['dynamic import', "const x = await import('@heron/high/x.ts');"],
    ['require', "const x = require('@heron/high/x.ts');"],
    ['resolve', "const x = import.meta.resolve('@heron/high/x.ts');"],
  ])('is found as a %s, with its line', (_how, source) => {
    expect(violationsWith('packages/low/src/deep/a.ts', `// first line\n${source}`)).toEqual([
      'packages/low/src/deep/a.ts:2 packages/low must not import packages/high; it may import no other workspace',
    ]);
  });

  test('is found in tests too', () => {
    expect(violationsWith('packages/low/test/a.test.ts', "import '@heron/web/a.ts';")).toHaveLength(1);
  });

  test('is found when the workspace in between would be allowed', () => {
    expect(violationsWith('apps/web/src/a.tsx', "import '@heron/low/a.ts';")).toEqual([
      'apps/web/src/a.tsx:1 apps/web must not import packages/low; it may import packages/high',
    ]);
  });
});

describe('layers inside a workspace', () => {
  test.each([
    ['a lower layer', 'packages/tower/src/roof/a.ts', "import { x } from '../base/x.ts';"],
    ['another folder of its own layer', 'packages/tower/src/left/a.ts', "import { x } from '../right/x.ts';"],
    ['its own folder', 'packages/tower/src/base/a.ts', "import { x } from './deep/x.ts';"],
    ['a higher layer, in a test', 'packages/tower/src/base/a.test.ts', "import { x } from '../roof/x.ts';"],
  ])('let a folder import %s', (_what, file, source) => {
    expect(violationsWith(file, source)).toEqual([]);
  });

  test.each([
    ['declaration', "import { x } from '../roof/x.ts';"],
    ['type', "import type { X } from '../roof/x.ts';"],
    ['type expression', "type X = import('../roof/x.ts').X;"],
    ['re-export', "export { x } from '../roof/x.ts';"],
  ])('forbid the import of a higher layer as a %s', (_how, source) => {
    expect(violationsWith('packages/tower/src/right/a.ts', `// first line\n${source}`)).toEqual([
      'packages/tower/src/right/a.ts:2 src/right imports the higher layer src/roof',
    ]);
  });

  test('reach into folders of folders', () => {
    const source = "import '../../right/deep/x.ts';";
    expect(violationsWith('packages/tower/src/base/deep/a.ts', source)).toEqual([
      'packages/tower/src/base/deep/a.ts:1 src/base imports the higher layer src/right',
    ]);
  });

  test('hold every folder of the sources where they must', () => {
    expect(violationsWith('packages/tower/src/shed/a.ts', '')).toEqual([
      'packages/tower/src/shed:1 src/shed is in no layer of packages/tower',
    ]);
  });
});

describe('other forbidden imports', () => {
  test('a feature that imports another feature', () => {
    expect(violationsWith('apps/web/src/features/bots/list.tsx', "import '../accounts/login.tsx';")).toEqual([
      'apps/web/src/features/bots/list.tsx:1 feature src/features/bots imports feature src/features/accounts',
    ]);
    expect(
      violationsWith('apps/web/src/shop/cart.ts', "import type { A } from '../features/bots/list.tsx';"),
    ).toHaveLength(2);
  });

  test('a layer of a workspace that imports a higher one, except in a test', () => {
    expect(violationsWith('apps/web/src/lib/a.test.ts', "import '../features/bots/list.tsx';")).toEqual([]);
    expect(violationsWith('apps/web/src/lib/a.ts', "import type { A } from '../features/bots/list.tsx';")).toEqual([
      'apps/web/src/lib/a.ts:1 src/lib imports the higher layer src/features',
    ]);
  });

  test('a relative path that leaves the workspace, even to an allowed one', () => {
    expect(violationsWith('packages/high/src/a.ts', "import '../../low/src/x.ts';")).toEqual([
      'packages/high/src/a.ts:1 "../../low/src/x.ts" leaves packages/high',
    ]);
  });

  test('a package that is not listed', () => {
    expect(violationsWith('packages/high/src/a.ts', "import 'left-pad';")).toEqual([
      'packages/high/src/a.ts:1 left-pad is not among the dependencies of packages/high',
    ]);
  });

  test('a package for development in the program itself', () => {
    expect(violationsWith('packages/high/src/a.ts', "import 'tool';\nimport '@scope/tool/x';")).toHaveLength(2);
  });

  test('an allowed workspace that is not listed', () => {
    write('packages/high/package.json', { name: '@heron/high' });
    expect(violationsWith('packages/high/src/a.ts', "import '@heron/low/x.ts';")).toEqual([
      'packages/high/src/a.ts:1 @heron/low is not among the dependencies of packages/high',
    ]);
  });

  test('Node or a package in a workspace that is pure', () => {
    expect(violationsWith('packages/low/src/a.ts', "import fs from 'node:fs';\nimport { z } from 'zod';")).toEqual([
      'packages/low/src/a.ts:1 packages/low is pure and must not import node:fs',
      'packages/low/src/a.ts:2 packages/low is pure and must not import zod',
    ]);
  });

  test('a workspace that does not exist', () => {
    expect(violationsWith('apps/web/src/a.ts', "import '@heron/attic/x.ts';")).toHaveLength(1);
  });

  test('a workspace that is not in the list', () => {
    expect(violationsWith('apps/shed/package.json', '{"name":"@heron/shed"}')).toEqual([
      'apps/shed/package.json:1 apps/shed is not in the list of workspaces',
    ]);
  });
});
