import { runChild } from '@heron/contract/process/child.ts';
import { SandboxError } from '@heron/sandbox/errors.ts';
import { startSandbox } from '@heron/sandbox/sandbox.ts';
import { z } from 'zod';

/** The demo market as a process of `heron start`. */
runChild({
  configSchema: z.object({ host: z.string(), port: z.number(), dataDir: z.string() }),
  async start(config) {
    const sandbox = await startSandbox(config).catch((error: unknown) => {
      if (error instanceof SandboxError && error.code === 'PORT_TAKEN') throw error.cause;
      throw error;
    });
    const { rest, ws, wsApi } = sandbox.binance;
    return { info: { binance: { rest, ws, wsApi } }, close: () => sandbox.close() };
  },
});
