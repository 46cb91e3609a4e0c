import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'apps/*/{src,test}/**/*.test.{ts,tsx}', 'scripts/*.test.ts'],
    globalSetup: ['packages/database/src/testing/testCluster.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
