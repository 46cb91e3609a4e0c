import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'apps/*/{src,test}/**/*.test.{ts,tsx}', 'scripts/*.test.ts'],
    globalSetup: ['packages/database/src/testing/testCluster.ts'],
    // Concurrent tests in one file start whole programs; more of them at once only wait for each other.
    maxConcurrency: 3,
    // The default leaves a core idle, which on two is half of the machine.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
