import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongFirst from './longFirst.ts';

/** Tests with kills, faults and lost connections. `npm run test:attacks` runs them all in full length. */
const ATTACKS = [
  'e2e/system/*Adapter.test.ts',
  'e2e/system/{killed,*Killed}*.test.ts',
  'e2e/system/{liveAccount,liveDeleted,liveFaults,liveFutures,liveLiquidation,liveSharedAccount,liveSuspended}.test.ts',
  'e2e/system/{futuresBot,mexcBot,stopSurvives,twoHosts}.test.ts',
  'e2e/real-hosts/*.test.ts',
];
/** Attacks that `npm test` skips: they repeat those of Binance spot on another exchange, or mostly wait for funding. */
const ONLY_IN_FULL = ['e2e/system/*Killed*.test.ts', 'e2e/system/{futuresBot,mexcBot}.test.ts'];
/** Settings of the quick run: fewer kills and failover bots, and only one queue backend and one kind of proxy. */
const QUICK = { HERON_QUICK: '1', HERON_HOST_KILLS: '2', HERON_KILLS: '1', HERON_FAILOVER_BOTS: '4' };
const attacks = process.env.HERON_ATTACKS === '1';
const named = process.argv.some((argument) => argument.startsWith('e2e/') && !argument.endsWith('.config.ts'));
const isQuick = !attacks && !named;

/**
 * Tests of the whole running system: real processes, real PostgreSQL, real Chromium. Tests without a browser often wait, so three
 * of their files run at a time. Browsers use more than one processor: three files with them take as long as two, and pages then
 * respond slowly.
 */
export default defineConfig({
  test: {
    reporters: ['default', fileURLToPath(new URL('../scripts/failures.ts', import.meta.url))],
    env: isQuick ? QUICK : {},
    setupFiles: [fileURLToPath(new URL('../scripts/propertySeed.ts', import.meta.url))],
    globalSetup: ['packages/database/src/testing/testCluster.ts'],
    root: new URL('..', import.meta.url).pathname,
    testTimeout: 240_000,
    // Vitest's default of one second is too short where three programs share a core.
    expect: { poll: { timeout: 30_000 } },
    // A hook may start Heron twice, of which the first time prepares the data of all (`copyStartedOnce`).
    hookTimeout: 240_000,
    sequence: { sequencer: LongFirst },
    // Node loads the sources itself, as in production, with the same Drizzle loader.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', fileURLToPath(import.meta.resolve('@heron/database/quickDrizzle.ts'))],
    projects: [
      {
        extends: true,
        test: {
          name: 'system',
          include: attacks ? [...ATTACKS, 'e2e/chaos/*.test.ts'] : ['e2e/{chaos,real-hosts,system}/*.test.ts'],
          exclude: isQuick ? ONLY_IN_FULL : [],
          maxWorkers: attacks ? 2 : 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'app',
          include: attacks ? [] : ['e2e/app/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
