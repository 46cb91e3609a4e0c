import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests of these workspaces leave nothing behind: their files share workers, which saves each file a start. */
const PURE = ['packages/{contract,engine,runtime}/{src,test}/**/*.test.ts'];
/** These share workers too, though they have databases and servers: each file has its own. */
const WITH_OWN_SERVERS = ['apps/{platform,client}/{src,test}/**/*.test.ts'];
/** These take over half a minute each, mostly waiting. They begin first, or the run would wait for them at its end. */
const SLOW = ['apps/cli/test/{liveCheck{Binance,Binanceusdm,Mexc},candles}.test.ts'];
/** These need values that only Vite provides. */
const BUILT = [
  'apps/client/src/lib/platform.test.ts',
  'apps/client/src/features/accounts/providers/providerVisit.test.ts',
];

/** For files with a database: one server for all of them, and Drizzle as the programs load it. */
const WITH_DATABASE = {
  globalSetup: ['packages/database/src/testing/testCluster.ts'],
  execArgv: ['--import', fileURLToPath(import.meta.resolve('@heron/database/quickDrizzle.ts'))],
};

/** Node reads the sources itself, as it does for the programs; through Vite they take twice the processor time. */
const NATIVE = { experimental: { viteModuleRunner: false, nodeLoader: false } };

// Projects begin in the order of their names. Pure files may take long, so they do not come last.
export default defineConfig({
  test: {
    reporters: ['default', fileURLToPath(new URL('scripts/failures.ts', import.meta.url))],
    // Concurrent tests in one file start whole programs; more of them at once only wait for each other.
    maxConcurrency: 3,
    // Property tests repeat the same cases; `npm run test:soak` draws others.
    setupFiles: [fileURLToPath(new URL('scripts/propertySeed.ts', import.meta.url))],
    // The default leaves a core idle, which on two is half of the machine; some files mostly wait.
    maxWorkers: os.availableParallelism() + 1,
    // Three times what the slowest takes where all processors are taken.
    testTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: '1 slow', include: SLOW, ...WITH_DATABASE, ...NATIVE } },
      { extends: true, test: { name: '2 built', include: BUILT } },
      // A thousand runs of a property only compute, so their time depends on the speed of the machine.
      { extends: true, test: { name: '3 pure', include: PURE, testTimeout: 300_000, isolate: false, ...NATIVE } },
      {
        extends: true,
        test: {
          name: '4 separate',
          include: ['packages/*/{src,test}/**/*.test.ts', 'apps/*/{src,test}/**/*.test.ts', 'scripts/*.test.ts'],
          exclude: [...PURE, ...BUILT, ...WITH_OWN_SERVERS, ...SLOW],
          ...WITH_DATABASE,
          ...NATIVE,
        },
      },
      {
        extends: true,
        test: {
          name: '5 shared',
          include: WITH_OWN_SERVERS,
          exclude: BUILT,
          isolate: false,
          ...WITH_DATABASE,
          ...NATIVE,
        },
      },
    ],
  },
});
