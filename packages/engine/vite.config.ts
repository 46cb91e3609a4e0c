import { globSync } from 'node:fs';

const FILES = globSync('src/**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });

/**
 * Builds the engine as one file for programs that run it for long, because V8 checks an imported function again at each
 * call. Each source file keeps its name and exports from the one file. The format is CommonJS, in which an exported
 * value of a module stays a separate variable.
 */
export default {
  root: import.meta.dirname,
  build: {
    ssr: true,
    target: 'node24',
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(FILES.map((file) => [file.replace(/^src\/|\.ts$/g, ''), file])),
      output: {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: 'engine.cjs',
        codeSplitting: { groups: [{ name: 'engine', test: /src/ }] },
      },
    },
  },
};
