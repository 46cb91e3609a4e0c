import { globSync } from 'node:fs';

const FILES = globSync('src/**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });

/**
 * The engine as one file, for programs in which it runs for long: of a function that is imported V8 makes sure again in each
 * call that it is still the same one. Each source file stays where it is by name, as a door to the one file. That is in the
 * older format, in which what a module gives away stays a variable of its own.
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
