import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codeFigures, importCycles, importGraph, longParameterLists, upwardImports } from './codeFigures.ts';
import type { Workspace } from './workspaces.ts';

const WORKSPACES: Workspace[] = [
  { folder: 'packages/low', mayImport: [] },
  { folder: 'apps/high', mayImport: ['packages/low'] },
];

const FILES: Readonly<Record<string, string>> = {
  'packages/low/package.json': '{"name": "@heron/low"}',
  'packages/low/src/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
  'packages/low/src/b.ts': "import type { c } from './c.ts';\nexport const b: c = 1;\n",
  'packages/low/src/c.ts':
    "import { a } from './a.ts';\nimport { top } from '@heron/high/top.ts';\nexport type c = number;\n",
  'apps/high/package.json': '{"name": "@heron/high"}',
  'apps/high/src/top.ts': "import { a } from '@heron/low/a.ts';\n/** What is on top. */\nexport const top = a;\n",
  'apps/high/test/a.ts': '// Whoever reads it anew is a witness.\nexport const x = 1;\n',
};

function checkout(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'heron-figures-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

function graphOf(files: Readonly<Record<string, string>>): Map<string, string[]> {
  const sources = Object.entries(files).map(([file, text]) => ({ file, text }));
  return importGraph(
    checkout(files),
    sources.filter(({ file }) => file.endsWith('.ts')),
    WORKSPACES,
  );
}

test('import cycles are found through type imports and package names', () => {
  const cycles = importCycles(graphOf(FILES));
  expect(cycles.map((group) => group.sort())).toEqual([
    ['apps/high/src/top.ts', 'packages/low/src/a.ts', 'packages/low/src/b.ts', 'packages/low/src/c.ts'],
  ]);
});

test('an import of a workspace that the rules do not allow is upward', () => {
  expect(upwardImports(graphOf(FILES), WORKSPACES)).toEqual(['packages/low/src/c.ts']);
});

test('functions with more than five parameters are counted in all their forms', () => {
  const text = `
    function six(a, b, c, d, e, f) {}
    const arrow = (a, b, c, d, e, f) => a;
    class X { method(a, b, c, d, e, f) {} five(a, b, c, d, e) {} }
    type Six = (a: 1, b: 1, c: 1, d: 1, e: 1, f: 1) => void;
  `;
  expect(longParameterLists({ file: 'x.ts', text })).toBe(3);
});

test('all figures of a checkout are counted, with and without tests', async () => {
  const complex = `export function deep(x: number) {\n${'if (x) {'.repeat(7)}${'}'.repeat(7)}\n}\n`;
  const long = 'export const row = 1;\n'.replace('row', 'row0') + '\n'.repeat(400);
  const root = checkout({ ...FILES, 'apps/high/src/deep.ts': complex, 'apps/high/src/long.ts': long });
  const figures = Object.fromEntries((await codeFigures(root, WORKSPACES)).map(({ name, ...rest }) => [name, rest]));
  expect(figures).toMatchObject({
    files: { all: 7, withoutTests: 6 },
    'import cycles': { all: 1, withoutTests: 1 },
    'files in import cycles': { all: 4 },
    'upward imports between workspaces': { all: 1 },
    'functions over complexity 15': { all: 1 },
    'functions over complexity 25': { all: 1 },
    'comments that begin with What, Who or Of': { all: 2, withoutTests: 1 },
    'banned words': { all: 3, withoutTests: 0 },
    'files over 400 lines': { all: 1 },
    'files that share their name': { all: 2, withoutTests: 1 },
  });
});
