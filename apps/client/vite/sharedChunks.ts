import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

type Group = NonNullable<Rolldown.CodeSplittingOptions['groups']>[number];

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const BOOT = 'boot.ts';
const SHELL = 'app/start.tsx';
const SIGN_IN = 'features/accounts/login/LoginScreen.tsx';
const BOT_SCREENS = ['app/screens/BotEditRoute.tsx', 'app/screens/BotPageRoute.tsx'];

/** A screen uses few exports of these modules, so their imports do not show what it loads; the bundler finds that out. */
const MOSTLY_UNUSED = /\/packages\/(engine|contract\/src\/locales)\/|\/node_modules\/|^\0/;

/**
 * Returns three groups: the imports of the shell, fields that screens of accounts and of bots share, and what screens of
 * accounts share. Without groups, each set of modules with the same importers is a chunk, most below 1 KB.
 *
 * A group also contains what its modules import, unless an earlier group does, so that no two chunks import each other.
 */
export function sharedChunks(): Group[] {
  const closures = new Map<string, ReadonlySet<string>>();
  const isImportedBy = (entry: string, id: string, graph: Rolldown.ChunkingContext) => {
    if (graph.getModuleInfo(SRC + entry) === null) throw new Error(`the client has no module ${entry}`);
    const known = closures.get(entry) ?? staticImports(SRC + entry, graph);
    closures.set(entry, known);
    return known.has(id);
  };
  const group = (name: string, accepts: (imports: (entry: string) => boolean) => boolean): Group => ({
    name(id, graph) {
      if (MOSTLY_UNUSED.test(id) || id === SRC + SHELL) return null;
      const imports = (entry: string) => isImportedBy(entry, id, graph);
      return !imports(BOOT) && accepts(imports) ? name : null;
    },
    debugName: name,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  });
  return [
    { ...group('shell', (imports) => imports(SHELL)), minShareCount: 1 },
    group('forms', (imports) => imports(SIGN_IN) && BOT_SCREENS.some(imports)),
    group('accounts', (imports) => imports(SIGN_IN)),
  ];
}

/** Returns a module with everything that it imports statically, directly or not. */
function staticImports(id: string, graph: Rolldown.ChunkingContext, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) staticImports(next, graph, seen);
  return seen;
}
