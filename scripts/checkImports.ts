import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { type Import, importsOf } from './imports.ts';
import { WORKSPACES, type Workspace } from './workspaces.ts';

/** An import, or a folder, that the rules in workspaces.ts forbid. */
export type Violation = {
  /** `file:line`, relative to the root. */
  readonly where: string;
  readonly what: string;
  /** Describes the next step. */
  readonly advice: string;
};

type Manifest = {
  readonly name?: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/** The importing side of the imports that are checked. */
type Place = {
  readonly root: string;
  readonly workspace: Workspace;
  readonly manifest: Manifest;
  /** Absolute. */
  readonly file: string;
  /** Tests, test fixtures and settings of tools: not part of the program. */
  readonly aside: boolean;
  readonly rootManifest: Manifest;
  /** Folders of workspaces by package name. */
  readonly folders: ReadonlyMap<string, string>;
};

type Complaint = Omit<Violation, 'where'>;

/**
 * Checks every import of every workspace.
 *
 * @param root folder of the checkout
 * @param workspaces the rules
 * @returns what is forbidden, in order of files
 */
export function checkImports(root: string, workspaces: readonly Workspace[] = WORKSPACES): Violation[] {
  const rootManifest = readManifest(root);
  const manifests = new Map(
    workspaces.map((workspace) => [workspace, readManifest(path.join(root, workspace.folder))]),
  );
  const folders = new Map([...manifests].map(([workspace, manifest]) => [manifest.name ?? '', workspace.folder]));
  const violations = [...unknownWorkspaces(root, rootManifest, workspaces), ...foldersWithoutLayer(root, workspaces)];
  for (const [workspace, manifest] of manifests) {
    for (const file of sourcesOf(path.join(root, workspace.folder))) {
      const place: Place = {
        root,
        workspace,
        manifest,
        file,
        aside: isAside(root, workspace, file),
        rootManifest,
        folders,
      };
      for (const found of importsOf(file, readFileSync(file, 'utf8'))) {
        const complaint = judge(place, found);
        if (complaint !== null) violations.push({ where: `${path.relative(root, file)}:${found.line}`, ...complaint });
      }
    }
  }
  return violations;
}

function judge(place: Place, found: Import): Complaint | null {
  if (found.specifier.startsWith('.')) return judgeRelative(place, found.specifier);
  const name = packageOf(found.specifier);
  if (name === null) return judgePure(place, found.specifier);
  if (place.folders.has(name) || name.startsWith('@heron/')) return judgeWorkspace(place, name);
  return judgePure(place, found.specifier) ?? judgeListed(place, name, found.typeOnly);
}

function judgeRelative({ root, workspace, file }: Place, specifier: string): Complaint | null {
  const home = path.join(root, workspace.folder);
  const target = path.resolve(path.dirname(file), specifier);
  if (!isWithin(home, target)) {
    return {
      what: `"${specifier}" leaves ${workspace.folder}`,
      advice: 'Import another workspace by its package name, as @heron/workspace/file.ts.',
    };
  }
  const [source, imported] = [path.relative(home, file), path.relative(home, target)];
  return judgeFeatures(workspace, source, imported) ?? judgeLayers(workspace, source, imported);
}

function judgeFeatures(workspace: Workspace, source: string, imported: string): Complaint | null {
  const [from, to] = [featureOf(workspace, source), featureOf(workspace, imported)];
  if (from === null || to === null || from === to) return null;
  return {
    what: `feature ${from} imports feature ${to}`,
    advice: 'Move what both need to a folder beside the features, or let the caller of both join them.',
  };
}

/** Tests may import higher layers, because they are not part of the program. */
function judgeLayers({ layers = [] }: Workspace, source: string, imported: string): Complaint | null {
  if (isTest(source)) return null;
  const [from, to] = [layerOf(layers, source), layerOf(layers, imported)];
  if (from === -1 || to === -1 || from <= to) return null;
  return {
    what: `${folderOf(layers[from], source)} imports the higher layer ${folderOf(layers[to], imported)}`,
    advice: 'Move the code down, or pass in what it needs.',
  };
}

/** Folders of `src` in no layer would escape the rule where every folder must be in one. */
function foldersWithoutLayer(root: string, workspaces: readonly Workspace[]): Violation[] {
  return workspaces.flatMap(({ folder, layers = [], layersAreComplete }) => {
    if (layersAreComplete !== true) return [];
    const home = path.join(root, folder);
    const sources = sourcesOf(path.join(home, 'src')).map((file) => path.relative(home, file));
    const missing = sources.filter((file) => layerOf(layers, file) === -1).map((file) => path.dirname(file));
    return [...new Set(missing)].map((name) => ({
      where: `${folder}/${name}:1`,
      what: `${name} is in no layer of ${folder}`,
      advice: 'Add it to the layers of the workspace in scripts/workspaces.ts.',
    }));
  });
}

type Layers = NonNullable<Workspace['layers']>;

/** @returns number of the layer that holds the file, counted from the highest; -1 for none */
function layerOf(layers: Layers, file: string): number {
  return layers.findIndex((layer) => folderOf(layer, file) !== undefined);
}

/** @returns folder of the layer that holds the file */
function folderOf(layer: Layers[number] | undefined, file: string): string | undefined {
  const folders = typeof layer === 'string' ? [layer] : (layer ?? []);
  return folders.find((folder) => isWithin(folder, file));
}

function judgeWorkspace(place: Place, name: string): Complaint | null {
  const { workspace, manifest } = place;
  if (name === manifest.name) return null;
  const target = place.folders.get(name);
  if (target === undefined) return { what: `${name} is no workspace`, advice: 'Correct the name.' };
  if (!workspace.mayImport.includes(target)) {
    const allowed = workspace.mayImport.length === 0 ? 'no other workspace' : workspace.mayImport.join(', ');
    return {
      what: `${workspace.folder} must not import ${target}; it may import ${allowed}`,
      advice: 'Move the code to a layer that both may use, or pass in what it needs.',
    };
  }
  return judgeListed(place, name, false);
}

function judgePure({ workspace, aside }: Place, specifier: string): Complaint | null {
  if (!workspace.pure || aside) return null;
  return {
    what: `${workspace.folder} is pure and must not import ${specifier}`,
    advice: 'Let the caller do it and pass the result in.',
  };
}

function judgeListed(
  { workspace, manifest, rootManifest, aside }: Place,
  name: string,
  typeOnly: boolean,
): Complaint | null {
  const types = `@types/${name.replace('@', '').replace('/', '__')}`;
  const shipped = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const all = { ...shipped, ...manifest.devDependencies, ...(aside ? rootManifest.devDependencies : {}) };
  if (name in (aside || typeOnly ? all : shipped) || (typeOnly && types in all)) return null;
  const list = aside ? 'devDependencies' : 'dependencies';
  return {
    what: `${name} is not among the ${list} of ${workspace.folder}`,
    advice: `Add it to ${workspace.folder}/package.json, or do without it.`,
  };
}

/** Undeclared workspaces would escape every rule. */
function unknownWorkspaces(root: string, manifest: Manifest, workspaces: readonly Workspace[]): Violation[] {
  return (manifest.workspaces ?? [])
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
    .filter((folder) => !workspaces.some((workspace) => workspace.folder === folder))
    .map((folder) => ({
      where: `${folder}/package.json:1`,
      what: `${folder} is not in the list of workspaces`,
      advice: 'Add it to scripts/workspaces.ts with what it may import.',
    }));
}

function sourcesOf(folder: string): string[] {
  const exclude = (name: string) => /^(node_modules|dist.*|coverage)$/.test(path.basename(name));
  return globSync('**/*.{ts,tsx,mts,js,jsx,mjs}', { cwd: folder, exclude })
    .map((file) => path.join(folder, file))
    .sort();
}

function isAside(root: string, workspace: Workspace, file: string): boolean {
  const inside = path.relative(path.join(root, workspace.folder), file);
  return !inside.startsWith('src/') || isTest(inside) || inside.startsWith('src/testing/');
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function featureOf(workspace: Workspace, file: string): string | null {
  for (const feature of workspace.features ?? []) {
    const folder = feature.replace(/\*$/, '');
    if (folder === feature && isWithin(folder, file)) return folder;
    if (folder === feature || !file.startsWith(folder)) continue;
    const [name = '', ...rest] = file.slice(folder.length).split('/');
    if (rest.length > 0) return folder + name;
  }
  return null;
}

/** @returns name of the package, or null for a module of Node's own */
function packageOf(specifier: string): string | null {
  const [first = '', second = ''] = specifier.split('/');
  if (specifier.startsWith('node:') || builtinModules.includes(first)) return null;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith('../') && !path.isAbsolute(relative);
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

if (import.meta.main) {
  const violations = checkImports(path.join(import.meta.dirname, '..'));
  for (const { where, what, advice } of violations) console.error(`${where}  ${what}\n    ${advice}`);
  console.log(
    violations.length === 0 ? 'All imports follow the rules.' : `${violations.length} imports break the rules.`,
  );
  if (violations.length > 0) process.exitCode = 1;
}
