import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Nothing is left behind by a test of these rooms: their files share workers, which saves each of them a start. */
const PURE = ['packages/{contract,engine,runtime}/{src,test}/**/*.test.ts'];
/** Theirs too, though they have databases and servers: each file has its own. */
const ROOMS_TO_SHARE = ['apps/{platform,client}/{src,test}/**/*.test.ts'];
/** They wait for more than half a minute, so they begin first: at the end each would be waited for alone. */
const SLOW = ['apps/cli/test/{liveCheck{Binance,Binanceusdm,Mexc},candles}.test.ts'];
/** What asks for values that only Vite fills in. */
const BUILT = ['apps/client/src/lib/platform.test.ts', 'apps/client/src/features/accounts/providers/roundTrip.test.ts'];

/** What files with a database have: one server for all of them, and Drizzle as the programs have it. */
const ROOMY = {
  globalSetup: ['packages/database/src/testing/testCluster.ts'],
  execArgv: ['--import', fileURLToPath(import.meta.resolve('@heron/database/quickDrizzle.ts'))],
};

/** Node reads the sources itself, as it does for the programs; through Vite they take twice the processor time. */
const NATIVE = { experimental: { viteModuleRunner: false, nodeLoader: false } };

// Of projects the first by name begins. Pure files may be small and take long: at the end one would be waited for.
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
      { extends: true, test: { name: 'a slow one', include: SLOW, ...ROOMY, ...NATIVE } },
      { extends: true, test: { name: 'built', include: BUILT } },
      // A thousand runs of a property take as long as the machine is slow, and none of them waits for anything.
      { extends: true, test: { name: 'pure', include: PURE, testTimeout: 300_000, isolate: false, ...NATIVE } },
      {
        extends: true,
        test: { name: 'shared', include: ROOMS_TO_SHARE, exclude: BUILT, isolate: false, ...ROOMY, ...NATIVE },
      },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['packages/*/{src,test}/**/*.test.ts', 'apps/*/{src,test}/**/*.test.ts', 'scripts/*.test.ts'],
          exclude: [...PURE, ...BUILT, ...ROOMS_TO_SHARE, ...SLOW],
          ...ROOMY,
          ...NATIVE,
        },
      },
    ],
  },
});
