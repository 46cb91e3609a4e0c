import { defineConfig } from 'vitest/config';

/**
 * Kills, faults and losses of connection, half a minute to some minutes each: `npm run test:attacks` runs them, and so does
 * naming one. Together with the rest they take longer than a test run may.
 */
const ATTACKS = [
  'e2e/chaos/*.test.ts',
  'e2e/system/{binanceusdm,mexc}-adapter.test.ts',
  'e2e/system/{,binanceusdm-,mexc-}killed-live-bot.test.ts',
  'e2e/system/{live-account,live-faults,live-kill-switch,mexc-bot,stop-survives,two-hosts}.test.ts',
];
const attacks = process.env.HERON_ATTACKS === '1';
const named = process.argv.some((argument) => argument.startsWith('e2e/') && !argument.endsWith('.config.ts'));

/** Tests of the whole running system: real processes, real PostgreSQL, real Chromium. One file at a time on two cores. */
export default defineConfig({
  test: {
    include: attacks ? [...ATTACKS, 'e2e/system/killed-bot-host.test.ts'] : ['e2e/**/*.test.ts'],
    exclude: named || attacks ? [] : ATTACKS,
    globalSetup: ['packages/database/src/testing/testCluster.ts'],
    root: new URL('..', import.meta.url).pathname,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
