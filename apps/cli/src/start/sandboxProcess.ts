import { runChild } from '@heron/contract/process/child.ts';
import { SandboxError } from '@heron/sandbox/errors.ts';
import { startSandbox } from '@heron/sandbox/sandbox.ts';
import { z } from 'zod';

/** The demo market as a process of `heron start`. */
runChild({
  configSchema: z.object({
    host: z.string(),
    port: z.number(),
    usdmPort: z.number().optional(),
    mexcPort: z.number().optional(),
    dataDir: z.string(),
  }),
  async start({ usdmPort, mexcPort, ...config }) {
    const settings = {
      ...config,
      ...(usdmPort !== undefined && { usdmPort }),
      ...(mexcPort !== undefined && { mexcPort }),
    };
    const sandbox = await startSandbox(settings).catch((error: unknown) => {
      if (error instanceof SandboxError && error.code === 'PORT_TAKEN') throw error.cause;
      throw error;
    });
    const { binance, binanceusdm, mexc } = sandbox;
    const info = {
      binance: { rest: binance.rest, ws: binance.ws, wsApi: binance.wsApi, apiKey: keyOf(binance) },
      binanceusdm: { rest: binanceusdm.rest, ws: binanceusdm.ws, apiKey: keyOf(binanceusdm) },
      mexc: { rest: mexc.rest, ws: mexc.ws, apiKey: keyOf(mexc) },
    };
    return { info, close: () => sandbox.close() };
  },
});

function keyOf({ key, secret }: { readonly key: string; readonly secret: string }) {
  return { key, secret };
}
