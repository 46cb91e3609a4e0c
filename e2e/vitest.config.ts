import { defineConfig } from 'vitest/config';

/** Tests of the whole running system: real processes, real PostgreSQL, real Chromium. One file at a time on two cores. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['packages/database/src/testing/testCluster.ts'],
    root: new URL('..', import.meta.url).pathname,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
