import { type SandboxOptions, startSandbox } from '@heron/sandbox/sandbox.ts';

/** Instead of eight hours, so that payments fall between kills. */
const FUNDING_MS = 60_000;

// The exchanges in a box as a process that can be killed, with their fault script. It ends with its parent.
process.once('disconnect', () => process.exit(0));
process.once('message', async (options: SandboxOptions) => {
  const { close: _, ...addresses } = await startSandbox({ ...options, seed: 97, faults: true, fundingMs: FUNDING_MS });
  process.send?.(addresses);
});
