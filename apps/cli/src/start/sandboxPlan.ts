import path from 'node:path';
import { type MarketAddresses, portOf } from './bothostPlan.ts';
import { demoPorts, type StartSettings } from './settings.ts';
import type { ChildPlan } from './superviseChild.ts';

/**
 * Returns the plan of the demo market process.
 *
 * @param entry its module
 * @param owned resolves when this process owns the data folder
 */
export function sandboxPlan(
  settings: StartSettings,
  entry: string,
  owned: Promise<unknown>,
): ChildPlan<MarketAddresses> {
  return {
    name: 'the demo market',
    entry,
    async configuration(previous) {
      await owned;
      const wanted = demoPorts(settings.sandboxPort);
      const port = portOf(previous?.binance.rest) ?? wanted.port;
      const usdmPort = portOf(previous?.binanceusdm.rest) ?? wanted.usdmPort;
      const mexcPort = portOf(previous?.mexc.rest) ?? wanted.mexcPort;
      const dataDir = path.join(settings.dataFolder, 'sandbox');
      return { host: settings.workerHost, port, usdmPort, mexcPort, dataDir };
    },
  };
}
