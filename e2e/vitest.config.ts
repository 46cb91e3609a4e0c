import { defineConfig } from 'vitest/config';

/**
 * Kills, faults and losses of connection that take minutes: `npm run test:attacks` runs them, and so does naming one. The rest
 * has one of each kind, and the short form of chaos.
 */
const ATTACKS = [
  'e2e/system/{binanceusdm,mexc}-adapter.test.ts',
  'e2e/system/{,binanceusdm-,mexc-}killed-live-bot.test.ts',
  'e2e/system/{live-faults,mexc-bot,two-hosts}.test.ts',
];
const attacks = process.env.HERON_ATTACKS === '1';
const named = process.argv.some((argument) => argument.startsWith('e2e/') && !argument.endsWith('.config.ts'));

/** Tests of the whole running system: real processes, real PostgreSQL, real Chromium. They mostly wait: three files at a time on two cores. */
export default defineConfig({
  test: {
    include: attacks ? [...ATTACKS, 'e2e/chaos/*.test.ts', 'e2e/system/killed-bot-host.test.ts'] : ['e2e/**/*.test.ts'],
    exclude: named || attacks ? [] : ATTACKS,
    globalSetup: ['packages/database/src/testing/testCluster.ts'],
    root: new URL('..', import.meta.url).pathname,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
  },
});
