import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongFirst from './longFirst.ts';

/**
 * Tests with kills, faults and lost connections that take minutes. `npm run test:attacks` runs them all in full length, and so
 * does naming one.
 */
const ATTACKS = [
  'e2e/system/*Adapter.test.ts',
  'e2e/system/*illed*.test.ts',
  'e2e/system/{liveAccount,liveDeleted,liveFaults,liveFutures,liveLiquidation,liveSharedAccount,liveSuspended}.test.ts',
  'e2e/system/{futuresBot,mexcBot,stopSurvives,twoHosts}.test.ts',
];
const attacks = process.env.HERON_ATTACKS === '1';
const named = process.argv.some((argument) => argument.startsWith('e2e/') && !argument.endsWith('.config.ts'));

/** Tests of the whole running system: real processes, real PostgreSQL, real Chromium. Two files at a time, since browsers use more than their own processor; three take as long, and pages then answer slowly. */
export default defineConfig({
  test: {
    reporters: ['default', fileURLToPath(new URL('../scripts/failures.ts', import.meta.url))],
    include: attacks ? [...ATTACKS, 'e2e/chaos/*.test.ts'] : ['e2e/**/*.test.ts'],
    exclude: named || attacks ? [] : ATTACKS,
    setupFiles: [fileURLToPath(new URL('../scripts/propertySeed.ts', import.meta.url))],
    globalSetup: ['packages/database/src/testing/testCluster.ts'],
    root: new URL('..', import.meta.url).pathname,
    testTimeout: 240_000,
    // The default of a second is short where three programs share a core.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // Node reads the sources itself, as it does for the programs, with Drizzle as they have it.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', fileURLToPath(import.meta.resolve('@heron/database/quickDrizzle.ts'))],
  },
});
