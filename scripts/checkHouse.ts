import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { HOUSE, type Room } from './house.ts';
import { type Import, importsOf } from './imports.ts';

/** Something in the sources that the drawing of the house forbids. */
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
  readonly room: Room;
  readonly manifest: Manifest;
  /** Absolute. */
  readonly file: string;
  /** Tests, test fixtures and settings of tools: not part of the program. */
  readonly aside: boolean;
  readonly rootManifest: Manifest;
  /** Folders of rooms by package name. */
  readonly rooms: ReadonlyMap<string, string>;
};

type Complaint = Omit<Violation, 'where'>;

/**
 * Checks every import of every room.
 *
 * @param root folder of the checkout
 * @param house the drawing
 * @returns what is forbidden, in order of files
 */
export function checkHouse(root: string, house: readonly Room[] = HOUSE): Violation[] {
  const rootManifest = readManifest(root);
  const manifests = new Map(house.map((room) => [room, readManifest(path.join(root, room.folder))]));
  const rooms = new Map([...manifests].map(([room, manifest]) => [manifest.name ?? '', room.folder]));
  const violations = [...unknownWorkspaces(root, rootManifest, house), ...foldersWithoutFloor(root, house)];
  for (const [room, manifest] of manifests) {
    for (const file of sourcesOf(path.join(root, room.folder))) {
      const place: Place = { root, room, manifest, file, aside: isAside(root, room, file), rootManifest, rooms };
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
  if (place.rooms.has(name) || name.startsWith('@heron/')) return judgeRoom(place, name);
  return judgePure(place, found.specifier) ?? judgeListed(place, name, found.typeOnly);
}

function judgeRelative({ root, room, file }: Place, specifier: string): Complaint | null {
  const home = path.join(root, room.folder);
  const target = path.resolve(path.dirname(file), specifier);
  if (!isWithin(home, target)) {
    return {
      what: `"${specifier}" leaves ${room.folder}`,
      advice: 'Import another room by its package name, as @heron/room/file.ts.',
    };
  }
  const [source, imported] = [path.relative(home, file), path.relative(home, target)];
  return judgeFeatures(room, source, imported) ?? judgeFloors(room, source, imported);
}

function judgeFeatures(room: Room, source: string, imported: string): Complaint | null {
  const [from, to] = [featureOf(room, source), featureOf(room, imported)];
  if (from === null || to === null || from === to) return null;
  return {
    what: `feature ${from} imports feature ${to}`,
    advice: 'Move what both need to a folder beside the features, or let the caller of both join them.',
  };
}

/** Tests may import higher floors, because they are not part of the program. */
function judgeFloors({ floors = [] }: Room, source: string, imported: string): Complaint | null {
  if (isTest(source)) return null;
  const [from, to] = [floorOf(floors, source), floorOf(floors, imported)];
  if (from === -1 || to === -1 || from <= to) return null;
  return {
    what: `${folderOf(floors[from], source)} imports the higher floor ${folderOf(floors[to], imported)}`,
    advice: 'Move the code down, or pass in what it needs.',
  };
}

/** Folders of `src` on no floor would escape the rule where every folder must be on one. */
function foldersWithoutFloor(root: string, house: readonly Room[]): Violation[] {
  return house.flatMap(({ folder, floors = [], floorsAreComplete }) => {
    if (floorsAreComplete !== true) return [];
    const home = path.join(root, folder);
    const sources = sourcesOf(path.join(home, 'src')).map((file) => path.relative(home, file));
    const missing = sources.filter((file) => floorOf(floors, file) === -1).map((file) => path.dirname(file));
    return [...new Set(missing)].map((name) => ({
      where: `${folder}/${name}:1`,
      what: `${name} is on no floor of ${folder}`,
      advice: 'Add it to the floors of the room in scripts/house.ts.',
    }));
  });
}

type Floors = NonNullable<Room['floors']>;

/** @returns number of the floor that holds the file, counted from the highest; -1 for none */
function floorOf(floors: Floors, file: string): number {
  return floors.findIndex((floor) => folderOf(floor, file) !== undefined);
}

/** @returns folder of the floor that holds the file */
function folderOf(floor: Floors[number] | undefined, file: string): string | undefined {
  const folders = typeof floor === 'string' ? [floor] : (floor ?? []);
  return folders.find((folder) => isWithin(folder, file));
}

function judgeRoom(place: Place, name: string): Complaint | null {
  const { room, manifest } = place;
  if (name === manifest.name) return null;
  const target = place.rooms.get(name);
  if (target === undefined) return { what: `${name} is no room of this house`, advice: 'Correct the name.' };
  if (!room.mayImport.includes(target)) {
    const allowed = room.mayImport.length === 0 ? 'no other room' : room.mayImport.join(', ');
    return {
      what: `${room.folder} must not import ${target}; it may import ${allowed}`,
      advice: 'Move the code to a floor that both may use, or pass in what it needs.',
    };
  }
  return judgeListed(place, name, false);
}

function judgePure({ room, aside }: Place, specifier: string): Complaint | null {
  if (!room.pure || aside) return null;
  return {
    what: `${room.folder} is pure and must not import ${specifier}`,
    advice: 'Let the caller do it and pass the result in.',
  };
}

function judgeListed(
  { room, manifest, rootManifest, aside }: Place,
  name: string,
  typeOnly: boolean,
): Complaint | null {
  const types = `@types/${name.replace('@', '').replace('/', '__')}`;
  const shipped = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const all = { ...shipped, ...manifest.devDependencies, ...(aside ? rootManifest.devDependencies : {}) };
  if (name in (aside || typeOnly ? all : shipped) || (typeOnly && types in all)) return null;
  const list = aside ? 'devDependencies' : 'dependencies';
  return {
    what: `${name} is not among the ${list} of ${room.folder}`,
    advice: `Add it to ${room.folder}/package.json, or do without it.`,
  };
}

/** Undeclared workspaces would escape every rule. */
function unknownWorkspaces(root: string, manifest: Manifest, house: readonly Room[]): Violation[] {
  return (manifest.workspaces ?? [])
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
    .filter((folder) => !house.some((room) => room.folder === folder))
    .map((folder) => ({
      where: `${folder}/package.json:1`,
      what: `${folder} is not in the drawing of the house`,
      advice: 'Add it to scripts/house.ts with what it may import.',
    }));
}

function sourcesOf(folder: string): string[] {
  const exclude = (name: string) => /^(node_modules|dist.*|coverage)$/.test(path.basename(name));
  return globSync('**/*.{ts,tsx,mts,js,jsx,mjs}', { cwd: folder, exclude })
    .map((file) => path.join(folder, file))
    .sort();
}

function isAside(root: string, room: Room, file: string): boolean {
  const inside = path.relative(path.join(root, room.folder), file);
  return !inside.startsWith('src/') || isTest(inside) || inside.startsWith('src/testing/');
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function featureOf(room: Room, file: string): string | null {
  for (const feature of room.features ?? []) {
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
  const violations = checkHouse(path.join(import.meta.dirname, '..'));
  for (const { where, what, advice } of violations) console.error(`${where}  ${what}\n    ${advice}`);
  console.log(violations.length === 0 ? 'The house is as drawn.' : `${violations.length} imports against the drawing.`);
  if (violations.length > 0) process.exitCode = 1;
}
