import { describe, expect, test } from 'vitest';
import type { MarketAddresses } from './bothostPlan.ts';
import { sandboxPlan } from './sandboxPlan.ts';
import type { StartSettings } from './settings.ts';

/** The ports that a demo market is started with. */
async function portsOf(sandboxPort: number, previous: MarketAddresses | null = null) {
  // The plan reads nothing else of the settings.
  const settings = { sandboxPort, workerHost: '127.0.0.1', dataFolder: '/tmp' } as StartSettings;
  const configuration = await sandboxPlan(settings, 'sandbox.ts', Promise.resolve()).configuration(previous);
  const { port, usdmPort, mexcPort } = configuration as Record<string, number>;
  return [port, usdmPort, mexcPort];
}

describe('the ports of the demo market', () => {
  test('follow one another, whichever is the first', async () => {
    expect(await portsOf(17_820)).toEqual([17_820, 17_821, 17_822]);
    expect(await portsOf(38_000)).toEqual([38_000, 38_001, 38_002]);
  });

  test('are free ones when port 0 is requested', async () => {
    expect(await portsOf(0)).toEqual([0, 0, 0]);
  });

  test('stay the same after a restart', async () => {
    const at = (port: number) => ({ rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}` });
    const previous = { binance: at(41), binanceusdm: at(52), mexc: at(63) } as unknown as MarketAddresses;
    expect(await portsOf(0, previous)).toEqual([41, 52, 63]);
  });
});
