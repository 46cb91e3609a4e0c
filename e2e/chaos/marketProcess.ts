import { type SandboxOptions, startSandbox } from '@heron/sandbox/sandbox.ts';

// The exchanges in a box as a process that can be killed, with their fault script. It ends with its parent.
process.once('disconnect', () => process.exit(0));
process.once('message', async (options: SandboxOptions) => {
  const { close: _, ...addresses } = await startSandbox({ ...options, seed: 97, faults: true });
  process.send?.(addresses);
});
