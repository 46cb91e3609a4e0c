import { type SandboxOptions, startSandbox } from '@heron/sandbox/sandbox.ts';

/** Funding interval in ms, instead of eight hours, so that funding payments occur between kills. */
const FUNDING_MS = 60_000;

// Runs the sandbox exchanges with their fault script in a process that tests can kill; it exits with its parent.
process.once('disconnect', () => process.exit(0));
process.once('message', async (options: SandboxOptions) => {
  const { close: _, ...addresses } = await startSandbox({ ...options, seed: 97, faults: true, fundingMs: FUNDING_MS });
  process.send?.(addresses);
});
