import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { firstLoad, total } from '../apps/client/size.ts';
import { bannedWordsIn } from './bannedWords.ts';
import { commentsOf, isHeadless } from './comments.ts';
import { importsOf } from './imports.ts';
import { filesIn, isTestFile } from './sources.ts';
import { WORKSPACES, type Workspace } from './workspaces.ts';

// `npm run figures [-- folder] [-- --json]`: figures about the code of a checkout, to compare commits.

/** One figure for all files, and the same for files that are not tests. */
export type Figure = { readonly name: string; readonly all: number; readonly withoutTests: number };

type Source = { readonly file: string; readonly text: string };

const ROOT = path.join(import.meta.dirname, '..');
const BIOME = path.join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
const MAX_PARAMETERS = 5;
const MAX_LINES = 400;
/** Cognitive complexity, as SonarSource defines it. */
const COMPLEXITIES = [15, 20, 25];

/**
 * Counts what makes code hard to read.
 *
 * @param root folder of a checkout
 */
export async function codeFigures(root: string, workspaces: readonly Workspace[] = WORKSPACES): Promise<Figure[]> {
  const sources = filesIn(root, '{apps,bench,e2e,packages,scripts}/**/*.{ts,tsx}').map((file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8'),
  }));
  const documents = filesIn(root, '{*.md,docs/*.md,{apps,packages}/*/README.md,{bench,e2e}/*.md}')
    .filter((file) => !file.endsWith('.zh-CN.md') && file !== 'docs/glossary.md')
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
  const graph = importGraph(root, sources, workspaces);
  const complexities = complexFunctions(root);
  const comments = sources.map(({ file, text }) => ({ file, comments: commentsOf(file, text) }));
  const cycles = importCycles(graph);
  return [
    figure('files', sources, () => 1),
    figure('lines', sources, ({ text }) => linesOf(text)),
    figure('files in import cycles', cycles.flat(), () => 1),
    figure(
      'import cycles',
      cycles.map(([file = '']) => file),
      () => 1,
    ),
    figure('upward imports between workspaces', upwardImports(graph, workspaces), () => 1),
    ...COMPLEXITIES.map((limit) =>
      figure(`functions over complexity ${limit}`, complexities, ({ complexity }) => Number(complexity > limit)),
    ),
    figure(`functions over ${MAX_PARAMETERS} parameters`, sources, longParameterLists),
    figure('comments', comments, ({ comments: found }) => found.length),
    figure('comments that begin with What, Who or Of', comments, ({ comments: all }) => all.filter(isHeadless).length),
    figure('banned words', [...sources, ...documents], ({ file, text }) => bannedWordsIn(file, text).length),
    figure(`files over ${MAX_LINES} lines`, sources, ({ text }) => Number(linesOf(text) > MAX_LINES)),
    figure('files that share their name', filesSharingNames(sources), () => 1),
    ...(await firstLoadFigure(root)),
  ];
}

function figure<Part extends string | { readonly file: string }>(
  name: string,
  parts: readonly Part[],
  count: (part: Part) => number,
): Figure {
  let all = 0;
  let withoutTests = 0;
  for (const part of parts) {
    const found = count(part);
    all += found;
    if (!isTestFile(typeof part === 'string' ? part : part.file)) withoutTests += found;
  }
  return { name, all, withoutTests };
}

/** Imports of values and types between files of the checkout: from each file to those that it imports. */
export function importGraph(
  root: string,
  sources: readonly Source[],
  workspaces: readonly Workspace[] = WORKSPACES,
): Map<string, string[]> {
  const known = new Set(sources.map(({ file }) => file));
  const named = workspaces.map((workspace) => ({ workspace, name: nameOf(path.join(root, workspace.folder)) }));
  const resolve = (file: string, specifier: string): string | null => {
    if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier);
    const found = named.find(({ name }) => name !== null && specifier.startsWith(`${name}/`));
    if (found === undefined) return null;
    const inside = specifier.slice((found.name ?? '').length + 1);
    const inSources = path.join(found.workspace.folder, 'src', inside);
    return known.has(inSources) ? inSources : path.join(found.workspace.folder, inside);
  };
  return new Map(
    sources.map(({ file, text }) => {
      const targets = importsOf(file, text)
        .map(({ specifier }) => resolve(file, specifier))
        .filter((target) => target !== null && known.has(target));
      return [file, [...new Set(targets as string[])]];
    }),
  );
}

/** Groups of files that import each other directly or through others, found by Tarjan's algorithm for strongly connected components. */
export function importCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(file, own);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!index.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, index.get(target) as number);
    }
    low.set(file, lowest);
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || graph.get(file)?.includes(file)) groups.push(group);
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return groups;
}

/** Returns the importing file of each import that leads from a workspace to one that it may not import. */
export function upwardImports(
  graph: ReadonlyMap<string, readonly string[]>,
  workspaces: readonly Workspace[] = WORKSPACES,
): string[] {
  const workspaceOf = (file: string) => workspaces.find(({ folder }) => file.startsWith(`${folder}/`));
  return [...graph].flatMap(([file, targets]) => {
    const workspace = workspaceOf(file);
    if (workspace === undefined) return [];
    return targets
      .map(workspaceOf)
      .filter((target) => target !== undefined && target !== workspace && !workspace.mayImport.includes(target.folder))
      .map(() => file);
  });
}

/** Functions whose cognitive complexity exceeds the smallest limit, found by Biome's rule. */
function complexFunctions(root: string): { file: string; complexity: number }[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'heron-figures-'));
  try {
    const config = path.join(folder, 'biome.json');
    const options = { maxAllowedComplexity: COMPLEXITIES[0] };
    const rules = { preset: 'none', complexity: { noExcessiveCognitiveComplexity: { level: 'error', options } } };
    writeFileSync(config, JSON.stringify({ linter: { rules } }));
    const args = ['lint', `--config-path=${config}`, '--reporter=json', '--max-diagnostics=none'];
    const folders = ['apps', 'bench', 'e2e', 'packages', 'scripts'].filter((name) => existsSync(path.join(root, name)));
    const { stdout } = spawnSync(process.execPath, [BIOME, ...args, ...folders], { cwd: root, maxBuffer: 1 << 28 });
    const { diagnostics } = JSON.parse(stdout.toString()) as {
      diagnostics: readonly { message: string; category: string; location: { path: string } }[];
    };
    return diagnostics
      .filter(({ category }) => category.endsWith('noExcessiveCognitiveComplexity'))
      .map(({ message, location }) => ({
        file: path.relative(root, path.resolve(root, location.path)),
        complexity: Number(/complexity of (\d+)/.exec(message)?.[1]),
      }))
      .filter(({ file }) => /\.tsx?$/.test(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Counts the functions of a file with more than five parameters. */
export function longParameterLists({ file, text }: Source): number {
  let found = 0;
  const count = ({ params }: { readonly params: readonly unknown[] }) => {
    if (params.length > MAX_PARAMETERS) found += 1;
  };
  new Visitor({ FunctionDeclaration: count, FunctionExpression: count, ArrowFunctionExpression: count }).visit(
    parseSync(file, text).program,
  );
  return found;
}

/** Returns the files whose name another file in the same state of being a test or not has as well. */
function filesSharingNames(sources: readonly Source[]): string[] {
  const byName = Map.groupBy(sources, ({ file }) => path.basename(file));
  return [...byName.values()].filter((group) => group.length > 1).flatMap((group) => group.map(({ file }) => file));
}

async function firstLoadFigure(root: string): Promise<Figure[]> {
  const dist = path.join(root, 'apps', 'client', 'dist');
  if (!existsSync(path.join(dist, '.vite', 'manifest.json'))) return [];
  const kilobytes = Math.round(total((await firstLoad(dist)).js) / 1024);
  return [{ name: 'first load, KB of JavaScript', all: kilobytes, withoutTests: kilobytes }];
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function nameOf(folder: string): string | null {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name: string }).name : null;
}

function printTable(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ name }) => name.length));
  console.log(`${''.padEnd(width)}  ${'all'.padStart(8)}  ${'no tests'.padStart(8)}`);
  for (const { name, all, withoutTests } of figures) {
    console.log(`${name.padEnd(width)}  ${String(all).padStart(8)}  ${String(withoutTests).padStart(8)}`);
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  const figures = await codeFigures(path.resolve(process.env.INIT_CWD ?? '.', positionals[0] ?? ROOT));
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  else printTable(figures);
}
