import type { Plugin } from 'vite';

/** What zod is called in the built client. */
export const PURE_ZOD = 'erasedSchemaMaker';

/**
 * Gives zod a name of our own in the code that declares schemas. The bundler leaves out unused calls of this name, and asks
 * for nothing but the name: under `z` it also left out a function of a minified library that happens to be called so.
 */
export function pureZod(): Plugin {
  return {
    name: 'heron:pure-zod',
    apply: 'build',
    transform(code, id) {
      if (id.includes('/node_modules/') || !/import \{ z \} from ["']zod["']/.test(code)) return null;
      const renamed = code.replace(/import \{ z \} from/, `import { z as ${PURE_ZOD} } from`);
      return { code: renamed.replace(/(?<![\w$.])z(?=\s*\.)/g, PURE_ZOD), map: null };
    },
  };
}
