import type { Plugin } from 'vite';

/** This is the name of zod in the built client. */
export const PURE_ZOD = 'erasedSchemaMaker';

/**
 * Renames zod in the code that declares schemas. The bundler drops unused calls of this name and compares only the
 * name. Under `z` it also dropped a function of a minified library with the same name.
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
